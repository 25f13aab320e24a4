/** Everybody the creator knows, by an account or an address: the list, and one of them. */
import type { ContactFilter } from '#contract/contacts.ts';
import { normaliseText } from '#contract/matching/index.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import * as interactions from '#server/features/interactions/interactions.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { type ContactSearch, findByHandle, findPage } from './contact-list.ts';
import { type ContactRow, readRowOf } from './contact-rows.ts';
import { viewOf } from './contact-view.ts';
import { readWindow } from './direct-messages.ts';
import { findHuman, somebodyOf } from './human.ts';
import * as queries from './queries.ts';
import { contactsInSegment } from './segments.ts';
import { findJoins, findSuggestions } from './suggestions.ts';
import { contactsWithTag, findTagsOf } from './tags.ts';

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
    tagId?: string | undefined;
    segment?: string | undefined;
    after?: string | undefined;
    limit?: number | undefined;
  },
) {
  const now = clock.now();
  const limit = query.limit ?? PAGE_SIZE;
  const search = searchOf(query.search ?? '');
  const { filter, automationId, tagId, segment } = query;
  const among = [
    ...(tagId === undefined ? [] : [contactsWithTag(creatorId, tagId)]),
    ...(segment === undefined ? [] : [contactsInSegment(creatorId, segment, now)]),
  ];
  const rows = await findPage(
    trx,
    { creatorId, search, filter, automationId, among, now },
    { after: readPosition(query.after, 'text'), limit: limit + 1 },
  );
  const { items, next } = pageFrom(rows, limit);
  const shown =
    search === null || filter || automationId || among.length > 0
      ? items
      : await exactFirst(trx, creatorId, search, items, query);
  return { items: shown.map((row) => viewOf(row, now)), next };
}

/** An exact handle comes first, however many others begin like it. */
async function exactFirst(
  trx: CreatorTransaction,
  creatorId: string,
  { handle }: ContactSearch,
  items: ContactRow[],
  { after }: { after?: string | undefined },
): Promise<ContactRow[]> {
  const exact = await findByHandle(trx, creatorId, handle);
  const others = items.filter((row) => row.username !== handle);
  return after === undefined ? [...exact, ...others] : others;
}

function searchOf(typed: string): ContactSearch | null {
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
  const human = await findHuman(trx, creatorId, contactId);
  const row = await readRowOf(trx, human);
  const consents = await queries.findConsents(trx, await somebodyOf(trx, human));
  const [key] = human.people;
  const ids = key === undefined ? [] : await queries.findShownIdsOf(trx, creatorId, key);
  const askedId = key === undefined ? null : await queries.findAsked(trx, creatorId, key.connectionId, ids);
  const firstSeen = [row.contact_first_seen_at, row.first_seen_at].flatMap((at) => at?.getTime() ?? []);
  return {
    ...viewOf(row, now),
    firstSeenAt: new Date(Math.min(...firstSeen)).toISOString(),
    followers: row.followers,
    verified: row.verified,
    profileAt: row.profile_at?.toISOString() ?? null,
    window: key === undefined ? NO_ACCOUNT : (await readWindow(deps, trx, creatorId, row, ids)).window,
    newsletterAt: row.newsletter_at?.toISOString() ?? null,
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
    tags: await findTagsOf(trx, human),
    consents: consents.map(({ agreed_at, page_url, ...line }) => ({
      ...line,
      pageUrl: page_url,
      agreedAt: agreed_at.toISOString(),
    })),
    saves: await queries.findSaves(trx, creatorId, human.contactIds),
    mails: await queries.findMails(trx, creatorId, human.contactIds),
    suggestions: await findSuggestions(trx, human),
    joined: await findJoins(trx, human, now),
    asked: askedId === null ? null : await askedOf(deps, trx, creatorId, askedId),
  };
}

const NO_ACCOUNT = {
  how: 'closed' as const,
  until: null,
  says: 'You know them by email only. You can send a DM once they comment or write to you.',
};

async function askedOf(deps: ContactDeps, trx: CreatorTransaction, creatorId: string, interactionId: string) {
  const { deliveries: _, help, ...interaction } = await interactions.get(deps, trx, creatorId, interactionId);
  return { interaction, help };
}

/** As the endpoints answer it. @throws AppError not_found */
export async function show(
  { clock }: Pick<ContactDeps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
) {
  return viewOf(await readRowOf(trx, await findHuman(trx, creatorId, id)), clock.now());
}
