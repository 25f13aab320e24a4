/**
 * Contacts by their address: made or found, told apart, and what becomes of their newsletter. The one writer of `contacts`,
 * `suppressions` and, for what happens outside of DMs, of the ledger `consents`; files are written a thousand rows at a time
 * by `importing/steps.ts`, by the same table.
 */
import { type Kysely, sql } from 'kysely';
import { gmailMailbox, parseEmailAddress } from '#contract/email-address.ts';
import type { SuppressionReason } from '#contract/suppressions.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { record } from '#server/events/product-events.ts';
import { nameKey } from './contacts.ts';
import { creatorHash, type SecretDeps } from './creator-secret.ts';
import { refreshWhole } from './human.ts';
import { AWAY, BEGINS_AS, type Cell, cellOf, type NewsletterAct, type NewsletterStatus } from './newsletter-status.ts';
import { noMailChanged } from './no-mail/changed.ts';

/** Where a contact came from first. */
export type ContactSource = 'blog' | 'dm' | 'file' | 'tool' | 'team';

export type FoundContact = {
  /** Of this address; it may be one of several of the same person (`joined_to`). */
  id: string;
  newsletter: NewsletterStatus;
  isNew: boolean;
  /** Why the address is not written to. `unsubscribed` and `erased` keep newsletters away and nothing that was asked for. */
  isSuppressed: SuppressionReason | null;
};

const LONGEST_NAME = 60;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const NOT_IN_NAMES = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/**
 * One statement, safe when called twice at once. The first name given stays: anybody may type another's address.
 *
 * @param contact.at when they were seen
 * @throws AppError invalid_input for what is no address
 */
export async function findOrMakeContact(
  trx: CreatorTransaction,
  deps: SecretDeps,
  contact: {
    creatorId: string;
    email: string;
    name: string | null;
    language: string | null;
    source: ContactSource;
    at: Date;
  },
): Promise<FoundContact> {
  const { creatorId, language, source, at } = contact;
  const email = parseEmailAddress(contact.email);
  if (email === null) throw new AppError('invalid_input', 'That isn’t an email address.');
  const name = cleanName(contact.name);
  const hash = await creatorHash(trx, deps, { creatorId, purpose: 'suppression', text: email.key }, at);
  const beginsAs = sql`coalesce(${JSON.stringify(BEGINS_AS)}::jsonb ->> (select reason from suppressed), 'none')`;
  const { rows } = await sql<FoundContact>`
    with suppressed as (
      select reason from suppressions where creator_id = ${creatorId} and email_hash = ${hash}
    ), found as (
      insert into contacts as c (creator_id, id, email, email_key, gmail_mailbox, name, name_key, language, newsletter, newsletter_of_all,
        first_seen_at, last_seen_at, source)
      values (${creatorId}, ${deps.ids.uuid(at)}, ${email.address}, ${email.key}, ${gmailMailbox(email.key)}, ${name},
        ${name === null ? null : nameKey(name)}, ${language},
        ${beginsAs}, ${beginsAs}, ${at}, ${at}, ${source})
      on conflict (creator_id, email_key) where email_key is not null do update
        set name = coalesce(c.name, excluded.name), name_key = coalesce(c.name_key, excluded.name_key),
          language = coalesce(excluded.language, c.language), first_seen_at = least(c.first_seen_at, excluded.first_seen_at),
          last_seen_at = greatest(c.last_seen_at, excluded.last_seen_at)
      returning id, newsletter, xmax = 0 as "isNew", joined_to, last_seen_at
    ), linked as (
      update suppressions s set contact_id = found.id from found
      where s.creator_id = ${creatorId} and s.email_hash = ${hash} and s.contact_id is distinct from found.id
    )
    select id, newsletter, "isNew", (select reason from suppressed) as "isSuppressed", joined_to from found
  `.execute(trx);
  const { joined_to: joinedTo, ...found } = rows[0] as FoundContact & { joined_to: string | null };
  if (joinedTo !== null) {
    await sql`
      update contacts set last_seen_at = greatest(last_seen_at, ${at}) where creator_id = ${creatorId} and id = ${joinedTo}
    `.execute(trx);
  }
  return found;
}

/** Without line breaks and signs that turn the writing around, cut at a letter as people count them. */
export function cleanName(name: string | null): string | null {
  const cleaned = (name ?? '').toWellFormed().normalize('NFC').replace(NOT_IN_NAMES, ' ').replace(/\s+/g, ' ').trim();
  if (cleaned.length <= LONGEST_NAME) return cleaned === '' ? null : cleaned;
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(cleaned)];
  const short = letters
    .slice(0, LONGEST_NAME)
    .map(({ segment }) => segment)
    .join('')
    .trim();
  return short === '' ? null : short;
}

/** They saved a recipe; `isNew`: one they had not. */
export async function noteSave(
  trx: CreatorTransaction,
  { creatorId, contactId, at, isNew }: { creatorId: string; contactId: string; at: Date; isNew: boolean },
): Promise<void> {
  await sql`
    update contacts set saved_count = saved_count + ${isNew ? 1 : 0}, last_saved_at = ${at}
    where creator_id = ${creatorId} and id = ${contactId}
  `.execute(trx);
}

/** They hold a membership, or held one. */
export async function markMembers(trx: Kysely<Tables>, creatorId: string, contactIds: string[]): Promise<void> {
  await sql`
    update contacts set has_pass = true where creator_id = ${creatorId} and id = any(${contactIds}::uuid[]) and not has_pass
  `.execute(trx);
}

export type LedgerLine = {
  creatorId: string;
  contactId: string;
  purpose: 'save' | 'newsletter' | 'gate' | 'ads';
  act: 'given' | 'confirmed' | 'declined' | 'withdrawn' | 'imported' | 'not_me';
  at: Date;
  /** The wording they saw; empty where there was none. */
  wording?: string;
  /** In a word or a few: `box`, `opened`, `pressed`, `one_click`, the name of a file. */
  how?: string | null;
  place?: 'blog' | 'mail' | 'file' | 'tool' | 'team';
  language?: string | null;
  formId?: string | null;
  formVersion?: number | null;
  pageUrl?: string | null;
};

/** A line of the ledger, with the contact's address as it is now. Nobody changes it afterwards. */
export async function noteConsent(trx: CreatorTransaction, { ids }: Pick<SecretDeps, 'ids'>, line: LedgerLine) {
  await sql`
    insert into consents (creator_id, id, contact_id, email, purpose, act, how, wording, place, language, agreed_at, form_id,
      form_version, page_url)
    select creator_id, ${ids.uuid(line.at)}, id, coalesce(email, ''), ${line.purpose}, ${line.act}, ${line.how ?? null},
      ${line.wording ?? ''}, ${line.place ?? 'blog'}, ${line.language ?? null}, ${line.at}, ${line.formId ?? null}::uuid,
      ${line.formVersion ?? null}::integer, ${line.pageUrl ?? null}
    from contacts where creator_id = ${line.creatorId} and id = ${line.contactId}
  `.execute(trx);
}

/** The act's own line of the ledger. A ticked box has one with its words, which the form's side writes; a bounce agrees to nothing. */
const LEDGER_ACTS: Partial<Record<NewsletterAct, LedgerLine['act']>> = {
  taps: 'confirmed',
  unsubscribes: 'withdrawn',
  complains: 'withdrawn',
  told_confirmed: 'imported',
  not_me: 'not_me',
};

const ASKED_AT_MOST = 3;
const DAY_MS = 24 * 3_600_000;

type StatusRow = {
  id: string;
  email_key: string | null;
  newsletter: NewsletterStatus;
  asked_at: Date | null;
  asked_count: number;
};

/**
 * Asks the table of `newsletter-status.ts` and does what it says; the ledger has the act. Who leaves leaves with all addresses
 * of theirs. Unknown contacts: nothing happens.
 *
 * @returns `asks`: now a mail is to ask them to confirm (counted as asked). `mayGo`: the contact is to be erased when there is
 *   nothing else about them.
 */
export async function applyNewsletterAct(
  trx: CreatorTransaction,
  deps: SecretDeps,
  given: {
    creatorId: string;
    contactId: string;
    act: NewsletterAct;
    at: Date;
    how: string | null;
    /** False where no mail can be sent: they are not counted as asked. */
    mayAsk?: boolean;
    /** Where they did it; in a mail, or for `told_confirmed` in a file, when absent. */
    place?: LedgerLine['place'];
  },
): Promise<{ newsletter: NewsletterStatus; asks: boolean; mayGo: boolean }> {
  const { creatorId, contactId, act } = given;
  const leaves = act === 'unsubscribes' || act === 'complains';
  const { rows } = await sql<StatusRow>`
    select c.id, c.email_key, c.newsletter, c.asked_at, c.asked_count
    from contacts c, (
      select case when joined_to is null then id else joined_to end as id from contacts where creator_id = ${creatorId} and id = ${contactId}
    ) as whole
    where c.creator_id = ${creatorId} and (c.id = ${contactId} or (${leaves} and (c.id = whole.id or c.joined_to = whole.id)))
    order by c.id for update of c
  `.execute(trx);
  let done = { newsletter: 'none' as NewsletterStatus, asks: false, mayGo: false };
  for (const row of rows) {
    const one = await actOn(trx, deps, given, row);
    if (row.id === contactId) done = one;
  }
  return done;
}

async function actOn(
  trx: CreatorTransaction,
  deps: SecretDeps,
  { creatorId, act, at, how, place, mayAsk = true }: Parameters<typeof applyNewsletterAct>[2],
  row: StatusRow,
) {
  const key = row.email_key;
  const hash = key === null ? null : await creatorHash(trx, deps, { creatorId, purpose: 'suppression', text: key }, at);
  const suppressed = hash === null ? null : await findSuppressed(trx, creatorId, hash);
  const cell = cellOf(row.newsletter, act, suppressed);
  const waited = row.asked_at === null || at.getTime() - row.asked_at.getTime() >= DAY_MS;
  const asks = mayAsk && cell.asks === true && waited && row.asked_count < ASKED_AT_MOST;
  const changes = cell.becomes !== row.newsletter;
  await trx
    .updateTable('contacts')
    .set({
      ...(changes && { newsletter: cell.becomes, newsletter_at: at }),
      ...(changes && cell.becomes === 'confirmed' && { confirmed_at: at, asked_count: 0 }),
      ...(asks && { asked_at: at, asked_count: row.asked_count + 1 }),
      last_seen_at: sql`greatest(last_seen_at, ${act === 'ticks' || act === 'taps' ? at : null})`,
    })
    .where('creator_id', '=', creatorId)
    .where('id', '=', row.id)
    .execute();
  if (changes) await refreshWhole(trx, creatorId, [row.id]);
  if (hash !== null) {
    await suppressOrLift(trx, { creatorId, hash, contactId: row.id, at }, cell);
    const wasAway = suppressed !== null || AWAY.includes(row.newsletter);
    if (wasAway || AWAY.includes(cell.becomes)) await noMailChanged(trx, at, { creatorId, hash, contactId: row.id });
  }
  if (changes && cell.becomes === 'confirmed') await askInNoDm(trx, creatorId, [row.id], at);
  if (changes) await tell(trx, { creatorId, row, becomes: cell.becomes, at });
  const ledgerAct = LEDGER_ACTS[act];
  if (ledgerAct !== undefined) {
    await noteConsent(trx, deps, {
      creatorId,
      contactId: row.id,
      purpose: 'newsletter',
      act: ledgerAct,
      at,
      how: act === 'complains' ? (how ?? 'complaint') : how,
      place: place ?? (act === 'told_confirmed' ? 'file' : 'mail'),
    });
  }
  return { newsletter: cell.becomes, asks, mayGo: cell.mayGo === true };
}

async function tell(
  trx: CreatorTransaction,
  { creatorId, row, becomes, at }: { creatorId: string; row: StatusRow; becomes: NewsletterStatus; at: Date },
): Promise<void> {
  if (becomes === 'none' || becomes === 'unconfirmed') return;
  const data = {
    change: becomes,
    contactId: row.id,
    email: row.email_key,
    connectionId: null,
    personId: null,
    username: null,
  };
  await record(trx, [{ type: 'contact', creatorId, happenedAt: at, data }], at);
}

async function findSuppressed(
  trx: CreatorTransaction,
  creatorId: string,
  hash: string,
): Promise<SuppressionReason | null> {
  const row = await trx
    .selectFrom('suppressions')
    .select('reason')
    .where('creator_id', '=', creatorId)
    .where('email_hash', '=', hash)
    .executeTakeFirst();
  return (row?.reason as SuppressionReason | undefined) ?? null;
}

async function suppressOrLift(
  trx: CreatorTransaction,
  { creatorId, hash, contactId, at }: { creatorId: string; hash: string; contactId: string; at: Date },
  { suppresses, lifts }: Cell,
): Promise<void> {
  if (suppresses !== undefined) await suppress(trx, { creatorId, hash, contactId, reason: suppresses, at });
  if (lifts !== undefined) {
    await trx
      .deleteFrom('suppressions')
      .where('creator_id', '=', creatorId)
      .where('email_hash', '=', hash)
      .where('reason', 'in', lifts)
      .execute();
  }
}

/**
 * The stricter reason stays.
 *
 * @param whose.contactId who has the address; null: nobody
 */
export async function suppress(
  trx: CreatorTransaction,
  whose: { creatorId: string; hash: string; contactId: string | null; reason: SuppressionReason; at: Date },
): Promise<void> {
  const { creatorId, hash, contactId, reason, at } = whose;
  await sql`
    insert into suppressions as s (creator_id, email_hash, contact_id, reason, since)
    values (${creatorId}, ${hash}, ${contactId}, ${reason}, ${at})
    on conflict (creator_id, email_hash) do update
      set reason = excluded.reason, since = excluded.since, contact_id = excluded.contact_id, note = null
      where s.reason in ('unsubscribed', 'erased') or (s.reason = 'bounced' and excluded.reason <> 'erased')
  `.execute(trx);
  await noMailChanged(trx, at, { creatorId, hash, contactId });
}

type Lifted = { email_hash: string; contact_id: string | null };

/**
 * With a note it stays as that of somebody who left: no newsletter until they say yes themselves.
 *
 * @throws AppError not_found when the reason is another one by now
 */
export async function liftByTeam(
  trx: CreatorTransaction,
  lifted: { creatorId: string; id: string; reason: SuppressionReason; note: string | null; at: Date },
): Promise<void> {
  const { creatorId, id, reason, note, at } = lifted;
  const where = sql`where creator_id = ${creatorId} and id = ${id} and reason = ${reason} returning email_hash, contact_id`;
  const { rows } = await (note === null
    ? sql<Lifted>`delete from suppressions ${where}`
    : sql<Lifted>`update suppressions set reason = 'unsubscribed', since = ${at}, note = ${note} ${where}`
  ).execute(trx);
  const [row] = rows;
  if (row === undefined) throw new AppError('not_found', 'This address changed meanwhile. Look at it again.');
  await noMailChanged(trx, at, { creatorId, hash: row.email_hash, contactId: row.contact_id });
}

/**
 * Before contacts are erased: what keeps a file, a tool or a restored backup from bringing their addresses back, and a
 * newsletter from whom they left.
 */
export async function keepAway(
  trx: CreatorTransaction,
  deps: SecretDeps,
  { creatorId, contactIds, at }: { creatorId: string; contactIds: string[]; at: Date },
): Promise<void> {
  if (contactIds.length === 0) return;
  const rows = await trx
    .selectFrom('contacts')
    .select(['email_key', 'newsletter'])
    .where('creator_id', '=', creatorId)
    .where('id', 'in', contactIds)
    .execute();
  for (const { email_key: key, newsletter } of rows) {
    if (key === null) continue;
    const hash = await creatorHash(trx, deps, { creatorId, purpose: 'suppression', text: key }, at);
    const kept = newsletter === 'bounced' || newsletter === 'complained' || newsletter === 'unsubscribed';
    await suppress(trx, { creatorId, hash, contactId: null, reason: kept ? newsletter : 'erased', at });
    await trx
      .updateTable('suppressions')
      .set({ since: at })
      .where('creator_id', '=', creatorId)
      .where('email_hash', '=', hash)
      .execute();
  }
}

/** Whether an address was erased after something that came in only now, from a blog's outbox: it must not bring them back. */
export async function wasErasedSince(
  trx: CreatorTransaction,
  deps: SecretDeps,
  { creatorId, key, since, at }: { creatorId: string; key: string; since: Date; at: Date },
): Promise<boolean> {
  const hash = await creatorHash(trx, deps, { creatorId, purpose: 'suppression', text: key }, at);
  const { rows } = await sql`
    select from suppressions where creator_id = ${creatorId} and email_hash = ${hash} and since > ${since}
      and not exists (select from contacts where creator_id = ${creatorId} and email_key = ${key})
  `.execute(trx);
  return rows.length > 0;
}

/** People who confirmed an address are not asked for one in a DM. */
export async function askInNoDm(trx: Kysely<Tables>, creatorId: string, contactIds: string[], at: Date): Promise<void> {
  await trx
    .updateTable('people')
    .set({ email_asked_at: at })
    .where('creator_id', '=', creatorId)
    .where('contact_id', 'in', contactIds)
    .where('email_asked_at', 'is', null)
    .execute();
}
