/** People who came through social: the list, and one of them. */
import type { ContactFilter } from '#contract/contacts.ts';
import { normaliseText } from '#contract/matching/index.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import * as interactions from '#server/features/interactions/interactions.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { type ContactKey, contactNotFound, readContactId } from './contact-id.ts';
import { viewOf } from './contact-view.ts';
import { readWindow } from './direct-messages.ts';
import * as queries from './queries.ts';

export type ContactDeps = { clock: Clock; config: { metaHumanAgent: boolean } };

const PAGE_SIZE = 50;

export async function list(
  { clock }: Pick<ContactDeps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
  query: {
    search?: string | undefined;
    filter?: ContactFilter | undefined;
    automationId?: string | undefined;
    after?: string | undefined;
    limit?: number | undefined;
  },
) {
  const now = clock.now();
  const limit = query.limit ?? PAGE_SIZE;
  const search = searchOf(query.search ?? '');
  const { filter, automationId } = query;
  const rows = await queries.findPage(
    trx,
    creatorId,
    { search, filter, automationId, now },
    { after: readPosition(query.after, 'text'), limit: limit + 1 },
  );
  const { items, next } = pageFrom(rows, limit);
  const shown =
    search === null || filter || automationId ? items : await exactFirst(trx, creatorId, search, items, query);
  return { items: shown.map((row) => viewOf(row, now)), next };
}

/** Whoever has exactly the handle that was typed is meant, however many others begin like it. */
async function exactFirst(
  trx: CreatorTransaction,
  creatorId: string,
  { handle }: queries.ContactSearch,
  items: queries.ContactRow[],
  { after }: { after?: string | undefined },
): Promise<queries.ContactRow[]> {
  const exact = await queries.findByHandle(trx, creatorId, handle);
  const others = items.filter((row) => row.username !== handle);
  return after === undefined ? [...exact, ...others] : others;
}

function searchOf(typed: string): queries.ContactSearch | null {
  // No person has it, and PostgreSQL cannot hold it.
  const text = typed.replaceAll('\0', '\u{fffd}').toWellFormed().trim();
  if (text.replace(/^@/, '') === '') return null;
  return { handle: text.replace(/^@/, '').toLowerCase(), name: nameKey(text) };
}

/** How names are compared: without case, accents and double spaces. */
export function nameKey(name: string): string {
  return normaliseText(name).key.toWellFormed();
}

/** @throws AppError not_found */
export async function get(deps: ContactDeps, trx: CreatorTransaction, creatorId: string, contactId: string) {
  const now = deps.clock.now();
  const { row, key, ids } = await findContact(trx, creatorId, contactId);
  const consents = await queries.findConsents(trx, creatorId, key.connectionId, ids);
  const askedId = await queries.findAsked(trx, creatorId, key.connectionId, ids);
  const { window } = await readWindow(deps, trx, creatorId, row, ids);
  return {
    ...viewOf(row, now),
    firstSeenAt: row.first_seen_at.toISOString(),
    followers: row.followers,
    verified: row.verified,
    profileAt: row.profile_at?.toISOString() ?? null,
    window,
    consents: consents.map(({ id, email, wording, place, agreed_at }) => ({
      id,
      email,
      wording,
      place,
      agreedAt: agreed_at.toISOString(),
    })),
    asked: askedId === null ? null : await askedOf(deps, trx, creatorId, askedId),
  };
}

async function askedOf(deps: ContactDeps, trx: CreatorTransaction, creatorId: string, interactionId: string) {
  const { deliveries: _, help, ...interaction } = await interactions.get(deps, trx, creatorId, interactionId);
  return { interaction, help };
}

/** @throws AppError not_found */
export async function findContact(
  trx: CreatorTransaction,
  creatorId: string,
  contactId: string,
): Promise<{ row: queries.ContactRow; key: ContactKey; ids: string[] }> {
  const key = readContactId(contactId);
  const row = await queries.findContact(trx, creatorId, key);
  if (row === undefined) throw contactNotFound();
  return { row, key, ids: await queries.findShownIdsOf(trx, creatorId, key) };
}
