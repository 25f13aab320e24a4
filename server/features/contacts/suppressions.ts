/** The list of addresses that are not written to, as the team sees and changes it. */
import { sql } from 'kysely';
import { parseEmailAddress } from '#contract/email-address.ts';
import type { BodyOf, QueryOf } from '#contract/endpoint.ts';
import {
  type addSuppression,
  type listSuppressions,
  type Suppression,
  TAKING_BACK,
  type takeBackSuppression,
} from '#contract/suppressions.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import { applyNewsletterAct, liftByTeam, suppress } from './address-contacts.ts';
import { creatorHash, type SecretDeps } from './creator-secret.ts';

type Deps = SecretDeps & { clock: Clock };

const PAGE_SIZE = 25;

/** @throws AppError invalid_input */
export async function list(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { address, after, limit = PAGE_SIZE }: QueryOf<typeof listSuppressions>,
): Promise<{ items: Suppression[]; next: string | null }> {
  const position = readPosition(after, 'uuid');
  const hash = address === undefined ? null : (await addressOf(deps, trx, creatorId, address)).hash;
  let found = rowsOf(trx, creatorId);
  if (hash !== null) found = found.where('s.email_hash', '=', hash);
  if (position)
    found = found.where(sql<boolean>`(s.since, s.id) < (${position.at}::timestamptz, ${position.id}::uuid)`);
  const rows = await found
    .orderBy('s.since', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { items, next } = pageFrom(rows, limit);
  return { items: items.map(shown), next };
}

/**
 * They leave the newsletter, too.
 *
 * @throws AppError invalid_input
 */
export async function add(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { address }: BodyOf<typeof addSuppression>,
): Promise<Suppression> {
  const at = deps.clock.now();
  const { key, hash } = await addressOf(deps, trx, creatorId, address);
  const contact = await trx
    .selectFrom('contacts')
    .select(['id', 'newsletter'])
    .where('creator_id', '=', creatorId)
    .where('email_key', '=', key)
    .executeTakeFirst();
  const contactId = contact?.id ?? null;
  if (contactId !== null && (contact?.newsletter === 'confirmed' || contact?.newsletter === 'unconfirmed')) {
    const act = { act: 'unsubscribes', how: 'by_hand', place: 'team' } as const;
    await applyNewsletterAct(trx, deps, { creatorId, contactId, at, ...act });
  }
  await suppress(trx, { creatorId, hash, contactId, reason: 'team', at });
  return shown(await rowsOf(trx, creatorId).where('s.email_hash', '=', hash).executeTakeFirstOrThrow());
}

/** @throws AppError not_found, invalid_input, not_possible_now */
export async function takeBack(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, suppressionId }: { creatorId: string; suppressionId: string },
  { note }: BodyOf<typeof takeBackSuppression>,
): Promise<{ message: string }> {
  const row = await rowsOf(trx, creatorId).where('s.id', '=', suppressionId).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'This address is no longer on the list.');
  const { reason, contact_id: contactId } = row;
  const may = TAKING_BACK[reason];
  if (may === 'by_them') {
    throw new AppError(
      'not_possible_now',
      'They decided this themselves. Only they can come back: by signing up on one of your forms.',
    );
  }
  if (may === 'with_note' && note === '') {
    throw new AppError('invalid_input', 'Write why first.', {
      fields: [{ path: 'note', message: 'Write why: for example that they asked you to.' }],
    });
  }
  const at = deps.clock.now();
  if (contactId !== null && may === 'with_note') {
    await applyNewsletterAct(trx, deps, { creatorId, contactId, act: 'taken_back', at, how: null, place: 'team' });
  }
  await liftByTeam(trx, { creatorId, id: suppressionId, reason, at, note: may === 'with_note' ? note : null });
  return { message: 'They can get recipes they ask for again. Your newsletter only once they sign up for it again.' };
}

async function addressOf(deps: Deps, trx: CreatorTransaction, creatorId: string, text: string) {
  const email = parseEmailAddress(text);
  if (email === null) {
    throw new AppError('invalid_input', 'That isn’t an email address.', {
      fields: [{ path: 'address', message: 'Enter an email address like name@example.com.' }],
    });
  }
  const of = { creatorId, purpose: 'suppression', text: email.key } as const;
  return { key: email.key, hash: await creatorHash(trx, deps, of, deps.clock.now()) };
}

function rowsOf(trx: CreatorTransaction, creatorId: string) {
  return trx
    .selectFrom('suppressions as s')
    .leftJoin('contacts as c', (join) =>
      join.onRef('c.creator_id', '=', 's.creator_id').onRef('c.id', '=', 's.contact_id'),
    )
    .select(['s.id', 's.reason', 's.since', 's.note', 's.contact_id', 'c.email'])
    .select(sql<string>`s.since::text`.as('position'))
    .where('s.creator_id', '=', creatorId);
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

function shown({ id, reason, since, note, email }: Row): Suppression {
  return { id, reason, since: since.toISOString(), note, email };
}
