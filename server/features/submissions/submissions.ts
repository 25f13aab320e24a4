/**
 * Submissions of readers, on a blog or on a page of ours. Each becomes a submission with all that follows from it in one transaction: contact,
 * ledger, saved recipe, mail, and what other tools hear.
 *
 * Answers never tell whether an address is known: they depend on the form, on the checked box, and on how often the
 * address was used here of late.
 */
import { sql } from 'kysely';
import { ADS_WORDING, type FormDesign } from '#contract/forms.ts';
import type { FormKind, SubmissionAnswer, SubmissionResult, SubmittedPage } from '#contract/plugin.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { record } from '#server/events/product-events.ts';
import { findCategories } from '#server/features/blog-posts/blog-posts.ts';
import {
  applyNewsletterAct,
  type FoundContact,
  findOrMakeContact,
  noteConsent,
  noteSave,
  wasErasedSince,
} from '#server/features/contacts/address-contacts.ts';
import { categoryTag, giveTagsOfForm } from '#server/features/contacts/tags.ts';
import { fillInMails, queueReaderMail } from '#server/features/reader-mails/queue-mail.ts';
import { addressKey } from '#server/features/recipes/address-key.ts';
import { countBeyond, countsTooMany, countTry } from '#server/http/rate-limits.ts';
import type { Keys } from '#server/secrets.ts';
import { isWorkDone } from './proof-of-work.ts';
import { isRefusal, nameOfPage, readSubmission, type Submitted } from './submission-input.ts';
import { isThrowAway } from './throw-away.ts';

type Deps = { clock: Clock; ids: Ids; keys: Keys };
type Answer = SubmissionAnswer;
type Kept = Exclude<SubmissionResult, 'refused'>;
/** Through which they come in: a blog's plugin, or a page of ours. */
export type Door = {
  creatorId: string;
  inCreator<T>(work: (trx: CreatorTransaction) => Promise<T>): Promise<T>;
  /** Where a page is; no id: with us. What is not live mails nobody but the team. */
  siteOf(trx: CreatorTransaction, pageUrl: string): Promise<{ id: string | null; is_live: boolean }>;
  /** The page is still to be read, and says more about itself then: `fillIn`. */
  reading?: { waitMs: number; queue(trx: CreatorTransaction): Promise<void> };
};
type FormRow = { id: string; kind: FormKind; design: FormDesign; version: number; wordings: Wordings };
type Wordings = Record<string, Record<string, string>>;

const HOUR_MS = 3_600_000;
const NETWORK_KEPT_MS = 24 * HOUR_MS;
/** Of one address and creator; more come as one mail, an hour later. */
const AT_ONCE_IN_AN_HOUR = 10;
const SAME_AGAIN_MS = 60_000;
/** Of a creator, to people who never confirmed, beyond what leaves at once without work. */
const IN_TURN_IN_AN_HOUR = 200;
/** In the outbox of a blog: longer than a request takes. */
const WAITED_MS = 30_000;

const MESSAGES: Partial<Record<SubmissionResult, string>> = {
  already_sent: 'We sent it a minute ago. Look in your inbox, and in spam.',
  later: 'Many emails went to this address already. The rest comes as one email within an hour.',
};
const THROW_AWAY = (attempt: string): Answer => ({
  ...{ attempt, result: 'refused', code: 'invalid_email' },
  message: 'That address works only for a few minutes. Enter the one you read.',
});
const NO_YES = (attempt: string): Answer => ({
  ...{ attempt, result: 'refused', code: 'consent_needed' },
  message: 'Check the box to read on.',
});
const OF_A_COPY = 'This is a copy of the blog: only people on the team get an email.';

/** @returns an answer for each entry, in their order */
export async function submitAll(deps: Deps, door: Door, entries: unknown[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const entry of entries) {
    const read = readSubmission(entry, deps.clock.now());
    answers.push(isRefusal(read) ? { ...read, result: 'refused' } : await submit(deps, door, read));
  }
  return answers;
}

async function submit(deps: Deps, door: Door, entry: Submitted): Promise<Answer> {
  const { attempt } = entry;
  try {
    return await door.inCreator((trx) => keep(deps, trx, door, entry));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'too_many_requests' && error.code !== 'form_gone') throw error;
    return { attempt, result: 'refused', code: error.code, message: error.message };
  }
}

async function findAnswer(trx: CreatorTransaction, creatorId: string, attempt: string): Promise<Answer | undefined> {
  const row = await trx
    .selectFrom('submissions')
    .select(['result', 'is_test'])
    .where('creator_id', '=', creatorId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return row && answerOf(attempt, row.result as SubmissionResult, row.is_test);
}

function answerOf(attempt: string, result: SubmissionResult, isTest: boolean): Answer {
  return { attempt, result, code: null, message: isTest ? OF_A_COPY : (MESSAGES[result] ?? null) };
}

/** @throws AppError form_gone, too_many_requests: then nothing is kept, and nothing counted */
async function keep(deps: Deps, trx: CreatorTransaction, door: Door, entry: Submitted): Promise<Answer> {
  const { creatorId } = door;
  const known = await findAnswer(trx, creatorId, entry.attempt);
  if (known !== undefined) return known;
  const now = deps.clock.now();
  const form = await findForm(trx, creatorId, entry.formKey);
  if (form === undefined) throw new AppError('form_gone', 'This form is no longer in use.');
  const { key } = entry.email;
  if (form.kind !== 'save' && form.design.throwAway !== true && (await isThrowAway(key)))
    return THROW_AWAY(entry.attempt);
  if (form.kind === 'gate' && !entry.newsletter) return NO_YES(entry.attempt);
  const site = await door.siteOf(trx, entry.page.url);
  const isTest = !site.is_live;
  const asks = form.kind !== 'save' || entry.newsletter;
  const id = deps.ids.uuid(now);
  const usual = asks && form.design.confirm !== 'none' ? 'please_confirm' : 'on_its_way';
  const hasWaited = now.getTime() - entry.submittedAt.getTime() > WAITED_MS;
  if (hasWaited && (await wasErasedSince(trx, deps, { creatorId, key, since: entry.submittedAt, at: now })))
    return answerOf(entry.attempt, usual, isTest);
  const { rows: made } = await sql`
    insert into submissions (creator_id, id, attempt, form_id, form_version, site_id, result, is_test, wants_newsletter,
      page_url, address_key, network, network_until, submitted_at, received_at)
    values (${creatorId}, ${id}, ${entry.attempt}, ${form.id}, ${entry.formVersion}, ${site.id}, ${usual}, ${isTest}, ${asks},
      ${entry.page.url}, ${form.kind === 'save' ? cardKey(entry.page) : null}, ${entry.network},
      ${entry.network === null ? null : new Date(now.getTime() + NETWORK_KEPT_MS)}, ${entry.submittedAt}, ${now})
    on conflict (creator_id, attempt) do nothing returning 1
  `.execute(trx);
  // The same one came at the same moment, and is committed by now.
  if (made.length === 0) return (await findAnswer(trx, creatorId, entry.attempt))!;
  if (entry.network !== null) await countTry(trx, now, 'submissions_by_network', `${creatorId} ${entry.network}`);
  if (isTest && !(await isOfTeam(trx, creatorId, key))) {
    await countTry(trx, now, 'submissions_by_creator', creatorId);
    return answerOf(entry.attempt, usual, true);
  }

  const contact = await findOrMakeContact(trx, deps, {
    creatorId,
    email: entry.email.address,
    name: entry.firstName,
    language: entry.language,
    source: 'blog',
    at: now,
  });
  const isKnown = contact.newsletter === 'confirmed';
  const { result, isLate } = await resultOf(trx, { creatorId, contactId: contact.id, usual, asks, entry, form, now });
  // Nothing more is kept of whom the address may not belong to, or who complained.
  if (!SHUT.has(contact.isSuppressed ?? '')) {
    await keepWishes(deps, trx, { creatorId, contactId: contact.id, entry, form, asks, now });
    if (result !== 'already_sent') {
      // Of what other creators send, the answer says nothing.
      const waits = !isKnown && (isLate || (await countsTooMany(trx, now, 'reader_mails_by_address', key)));
      const isFree = isKnown || waits || isWorkDone(entry);
      const beyond = isFree ? 0 : await countBeyond(trx, now, 'reader_mails_without_work', creatorId);
      const turnMs = (beyond / IN_TURN_IN_AN_HOUR) * HOUR_MS;
      await mailReader(deps, trx, door, { submissionId: id, contact, entry, form, asks, waits, turnMs });
      await door.reading?.queue(trx);
    }
  }
  await trx
    .updateTable('submissions')
    .set({ contact_id: contact.id, result })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
  // Last: others of this creator wait for its row until the commit.
  await countTry(trx, now, 'submissions_by_creator', creatorId);
  return answerOf(entry.attempt, result, isTest);
}

/** By the address that they log in with. */
async function isOfTeam(trx: CreatorTransaction, creatorId: string, emailKey: string): Promise<boolean> {
  const member = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.creator_id', '=', creatorId)
    .where(sql`lower(users.email)`, '=', emailKey)
    .executeTakeFirst();
  return member !== undefined;
}

/** Of these reasons nothing is sent, not even what was asked for. */
const SHUT = new Set<string>(['complained', 'not_me', 'team']);

/**
 * How often the address was used here of late. What is known of it plays no part, or the answer would tell: who confirmed it
 * only gets the mail at once all the same.
 */
async function resultOf(
  trx: CreatorTransaction,
  given: {
    creatorId: string;
    contactId: string;
    usual: Kept;
    asks: boolean;
    entry: Submitted;
    form: FormRow;
    now: Date;
  },
): Promise<{ result: Kept; isLate: boolean }> {
  const { creatorId, contactId, usual, asks, entry, form, now } = given;
  const key = form.kind === 'save' ? cardKey(entry.page) : null;
  const since = new Date(now.getTime() - SAME_AGAIN_MS);
  const { rows } = await sql<{ same: boolean | null; count: number }>`
    select bool_or(address_key = ${key} and wants_newsletter = ${asks} and received_at > ${since}) as same,
      count(*) as count
    from submissions
    where creator_id = ${creatorId} and contact_id = ${contactId} and result <> 'already_sent'
      and received_at > ${new Date(now.getTime() - HOUR_MS)}
  `.execute(trx);
  const { same, count } = rows[0]!;
  if (same) return { result: 'already_sent', isLate: false };
  const isLate = count >= AT_ONCE_IN_AN_HOUR;
  return { result: isLate ? 'later' : usual, isLate };
}

/** The save with the newsletter's question in it, or that alone where somebody signed up and may be asked. */
async function mailReader(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, reading }: Door,
  given: {
    submissionId: string;
    contact: FoundContact;
    entry: Submitted;
    form: FormRow;
    asks: boolean;
    /** Gathered with others into one mail, an hour after the first of them. */
    waits: boolean;
    /** After those that came before it; 0: at once. */
    turnMs: number;
  },
): Promise<void> {
  const { submissionId, contact, entry, form, waits, turnMs } = given;
  const dueAt = new Date(deps.clock.now().getTime() + (waits ? HOUR_MS : turnMs));
  const asks = given.asks && (await tick(deps, trx, { creatorId, contact, confirm: form.design.confirm }));
  const isSave = form.kind === 'save';
  // One try to an address that did not exist, and only when they ask for it again.
  if (!asks && (!isSave || contact.isSuppressed === 'bounced')) return;
  await queueReaderMail(trx, deps, {
    creatorId,
    kind: isSave ? 'save' : 'confirmation',
    contactId: contact.id,
    about: isSave ? entry.page : null,
    newsletterQuestion: asks ? { wording: wordingOf(form, entry) } : null,
    submissionId,
    dueAt,
    isGathered: waits && isSave,
    ...(isSave && reading !== undefined && { readsPageForMs: reading.waitMs }),
    ...(turnMs > 0 && { waitsBecause: 'Many new addresses came at once, so emails to them leave in turn.' }),
  });
}

/**
 * Without confirmation only who is new, or was not heard of since: anybody may type the address of who left, and they are asked.
 *
 * @returns whether a mail is to ask them
 */
async function tick(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, contact, confirm }: { creatorId: string; contact: FoundContact; confirm: FormDesign['confirm'] },
): Promise<boolean> {
  const isNew = contact.newsletter === 'none' || contact.newsletter === 'unconfirmed';
  const counts = confirm === 'none' && isNew && contact.isSuppressed === null;
  const act = { creatorId, contactId: contact.id, at: deps.clock.now(), place: 'blog' as const };
  const { asks } = await applyNewsletterAct(trx, deps, { ...act, act: 'ticks', how: null, mayAsk: !counts });
  if (counts) await applyNewsletterAct(trx, deps, { ...act, act: 'taps', how: 'not_asked' });
  return asks;
}

async function keepWishes(
  deps: Deps,
  trx: CreatorTransaction,
  given: { creatorId: string; contactId: string; entry: Submitted; form: FormRow; asks: boolean; now: Date },
): Promise<void> {
  const { creatorId, contactId, entry, form, asks, now } = given;
  const line = {
    creatorId,
    contactId,
    act: 'given' as const,
    at: now,
    language: entry.language,
    formId: form.id,
    formVersion: entry.formVersion,
    pageUrl: entry.page.url,
  };
  if (form.kind === 'save') {
    await saveRecipe(deps, trx, given);
    await noteConsent(trx, deps, { ...line, purpose: 'save', how: 'button' });
  }
  if (form.kind === 'gate') await noteConsent(trx, deps, { ...line, purpose: 'gate', how: 'button' });
  if (asks)
    await noteConsent(trx, deps, {
      ...line,
      purpose: 'newsletter',
      how: form.kind === 'signup' ? 'button' : 'box',
      wording: wordingOf(form, entry),
    });
  await giveTagsOfForm(deps, trx, { creatorId, contactId, names: await tagsOf(trx, creatorId, form, entry) });
  if (entry.ads === true && form.design.ads === true)
    await noteConsent(trx, deps, { ...line, purpose: 'ads', how: 'box', wording: adsWordingOf(form, entry) });
}

async function tagsOf(
  trx: CreatorTransaction,
  creatorId: string,
  { design: { tags = [], categoryTags = false } }: FormRow,
  { page }: Submitted,
): Promise<string[]> {
  if (!categoryTags) return tags;
  const categories = await findCategories(trx, creatorId, page.url);
  return [...tags, ...categories.map(categoryTag)];
}

async function saveRecipe(
  deps: Deps,
  trx: CreatorTransaction,
  { creatorId, contactId, entry, now }: { creatorId: string; contactId: string; entry: Submitted; now: Date },
): Promise<void> {
  const { url, title, pictureUrl, recipe } = entry.page;
  // What was known of a page that cannot be read now stays.
  const isNamed = title !== nameOfPage(url);
  const { rows } = await sql<{ isNew: boolean }>`
    insert into saved_recipes as s (creator_id, id, contact_id, address_key, url, title, picture_url, recipe, first_saved_at, last_saved_at)
    values (${creatorId}, ${deps.ids.uuid(now)}, ${contactId}, ${cardKey(entry.page)}, ${url}, ${title}, ${pictureUrl},
      ${recipe === null ? null : JSON.stringify(recipe)}::jsonb, ${now}, ${now})
    on conflict (creator_id, contact_id, md5(address_key)) do update set url = excluded.url,
      title = case when ${isNamed} then excluded.title else s.title end,
      picture_url = case when ${isNamed} then excluded.picture_url else s.picture_url end,
      recipe = coalesce(excluded.recipe, s.recipe), times = s.times + 1, last_saved_at = excluded.last_saved_at
    returning xmax = 0 as "isNew"
  `.execute(trx);
  await noteSave(trx, { creatorId, contactId, at: now, isNew: rows[0]!.isNew });
  const data = {
    change: 'saved' as const,
    connectionId: null,
    personId: null,
    username: null,
    email: entry.email.address,
    contactId,
    url,
    title,
  };
  await record(trx, [{ type: 'contact', creatorId, happenedAt: now, data }], now);
}

/**
 * What a page says of itself, for those who saved it before it was read. Null: the form is not on it, and nothing is mailed.
 *
 * @param page.url as it was saved
 */
export async function fillIn(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, url, since, page }: { creatorId: string; url: string; since: Date; page: SubmittedPage | null },
): Promise<void> {
  const { rows } = await sql<{ contact_id: string }>`
    update saved_recipes set title = coalesce(${page?.title ?? null}, title), picture_url = coalesce(${page?.pictureUrl ?? null}, picture_url),
      recipe = coalesce(${page?.recipe ? JSON.stringify(page.recipe) : null}::jsonb, recipe)
    where creator_id = ${creatorId} and md5(address_key) = md5(${addressKey(url)}) and last_saved_at >= ${since}
    returning contact_id
  `.execute(trx);
  const contactIds = rows.map(({ contact_id }) => contact_id);
  await fillInMails(trx, { creatorId, contactIds, url, page, at: clock.now() });
}

async function findForm(trx: CreatorTransaction, creatorId: string, key: string): Promise<FormRow | undefined> {
  const row = await trx
    .selectFrom('forms')
    .select(['id', 'kind', 'design', 'version', 'wordings'])
    .where('creator_id', '=', creatorId)
    .where('key', '=', key)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row && ({ ...row, kind: row.kind as FormKind } as FormRow);
}

/** A page may have several cards, each a recipe of its own. */
function cardKey({ url, recipe }: Submitted['page']): string {
  return recipe?.anchor ? `${addressKey(url)}#${recipe.anchor}` : addressKey(url);
}

/** The wording they saw: of the version on their page, in the language that the blog shows there. */
function wordingOf(form: FormRow, entry: Submitted): string {
  return seen(form, entry, '') ?? form.design.texts[0]!.newsletter;
}

function adsWordingOf(form: FormRow, entry: Submitted): string {
  return seen(form, entry, ' ads') ?? ADS_WORDING;
}

/** @param of which box's: kept beside the newsletter's under the language and this */
function seen(
  { design, version, wordings }: FormRow,
  { formVersion, language }: Submitted,
  of: '' | ' ads',
): string | undefined {
  const byLanguage = wordings[formVersion] ?? wordings[version] ?? {};
  const [first] = design.texts;
  const asked = [language ?? '', language?.split('-')[0] ?? '', first!.language];
  return asked.map((one) => byLanguage[`${one}${of}`]).find((wording) => wording !== undefined);
}
