/** Forms that we serve ourselves: which one a key opens, the stamp that proves we printed it, and one press of its button. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { findAddress, parseEmailAddress } from '#contract/email-address.ts';
import type { FormDesign, FormTexts } from '#contract/forms.ts';
import type { FormKind, SubmissionAnswer, SubmittedPage } from '#contract/plugin.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { type Door, submitAll } from '#server/features/submissions/submissions.ts';
import { networksOf } from '#server/http/rate-limits.ts';
import type { Keys } from '#server/secrets.ts';
import {
  type BlogSite,
  findPage,
  findSite,
  linkAlone,
  pageAddress,
  READ_WITHIN_MS,
  type ReadingDeps,
  readSavedPage,
} from './blog-pages.ts';

export const FORM_PATH = '/f';

export type HostedDeps = ReadingDeps & {
  db: Database;
  keys: Keys;
  config: Pick<Config, 'baseUrl' | 'mailFrom'>;
};

export type HostedForm = {
  creatorId: string;
  key: string;
  kind: FormKind;
  name: string;
  version: number;
  design: FormDesign;
  creatorName: string;
};

/** As a form sends them; what is missing is empty. */
export type Fields = Partial<Record<string, string>>;

const MINUTE_MS = 60_000;
/** The oldest page whose form still works. */
const STAMP_MS = 60 * 24 * 60 * MINUTE_MS;
/** A press that is repeated within this is the same one. */
const SAME_PRESS_MS = 10 * MINUTE_MS;

/** Null: there is none, or it was archived. */
export async function findHosted(db: Kysely<Tables>, key: string): Promise<HostedForm | null> {
  if (!/^[0-9A-Za-z]{22}$/.test(key)) return null;
  const { rows } = await sql<HostedForm>`
    select creator_id as "creatorId", key, kind, name, version, design, ${creatorName(sql`creator_id`)} as "creatorName"
    from forms where key = ${key} and archived_at is null
  `.execute(db);
  return rows[0] ?? null;
}

/** In the language asked for, else in the first of the reader's that the form has. */
export function textsFor({ texts }: FormDesign, asked: string, accepted = ''): FormTexts {
  const wanted = [asked, ...accepted.split(',').map((one) => one.split(';')[0]!.trim())].filter(Boolean);
  for (const language of wanted) {
    const found =
      texts.find((one) => one.language === language) ??
      texts.find((one) => one.language.split('-')[0] === language.split('-')[0]);
    if (found !== undefined) return found;
  }
  return texts[0]!;
}

export function makeStamp({ keys, clock }: Pick<HostedDeps, 'keys' | 'clock'>, key: string): string {
  const at = clock.now().getTime();
  return `${at}.${macOf(keys, 'stamp', key, at)}`;
}

function isStamped({ keys, clock }: Pick<HostedDeps, 'keys' | 'clock'>, key: string, stamp: string): boolean {
  const at = Number(/^(\d{1,15})\./.exec(stamp)?.[1]);
  const now = clock.now().getTime();
  const right = Buffer.from(`${at}.${macOf(keys, 'stamp', key, at)}`);
  const given = Buffer.from(stamp);
  return at <= now && at > now - STAMP_MS && given.length === right.length && timingSafeEqual(given, right);
}

function macOf({ secretKey }: Pick<Keys, 'secretKey'>, purpose: string, ...parts: (string | number)[]): string {
  return createHmac('sha256', secretKey)
    .update(['hosted form', purpose, ...parts].join('\0'))
    .digest('base64url');
}

export type Taken =
  | { kind: 'answer'; answer: SubmissionAnswer }
  /** A program's, or from a page that is too old. */
  | { kind: 'spam' }
  | { kind: 'old' }
  | { kind: 'misspelt'; suggestion: string }
  /** The page is none of the creator's, or the form is not on it. */
  | { kind: 'elsewhere' };

/**
 * One press: checked, cheapest first, then kept. A save is of the page in `post`, a sign-up may be.
 *
 * @param press.isAsked a misspelt address is asked about
 */
export async function take(
  deps: HostedDeps,
  form: HostedForm,
  fields: Fields,
  { ip, language, version, isAsked }: { ip: string; language: string; version: number; isAsked: boolean },
): Promise<Taken> {
  if (fields.website) return { kind: 'spam' };
  if (!isStamped(deps, form.key, fields.stamp ?? '')) return { kind: 'old' };
  const email = fields.meant ?? fields.email ?? '';
  const suggestion = !isAsked || fields.meant || fields.sure ? null : (findAddress(email)?.suggestion ?? null);
  if (suggestion !== null && parseEmailAddress(email) !== null) return { kind: 'misspelt', suggestion };
  const place = await placeOfPress(deps, form, fields.post ?? '');
  if (place === null) return { kind: 'elsewhere' };
  const { page, site, isRead } = place;
  const now = deps.clock.now();
  const entry = {
    attempt: fields.attempt || attemptOf(deps.keys, form.key, email, page.url, now),
    formKey: form.key,
    formVersion: version,
    email,
    firstName: fields.first_name || null,
    newsletter: fields.newsletter === '1',
    language,
    submittedAt: now.toISOString(),
    network: macOf(deps.keys, 'network', networkOf(ip)),
    work: fields.work,
    page,
  };
  const { creatorId } = form;
  const queue = (trx: CreatorTransaction) => later(trx, deps, readSavedPage, { creatorId, url: page.url });
  const door: Door = {
    creatorId,
    inCreator: (work) => deps.db.withCreator(creatorId, work),
    siteOf: async () => ({ id: site?.id ?? null, is_live: true }),
    ...(!isRead && { reading: { waitMs: READ_WITHIN_MS, queue } }),
  };
  const [answer] = await submitAll(deps, door, [entry]);
  return { kind: 'answer', answer: answer! };
}

type Press = { page: SubmittedPage; site: BlogSite | null; isRead: boolean };

/** Null: a page that does not count. Without one, a sign-up is on the form's own page. */
async function placeOfPress(deps: HostedDeps, form: HostedForm, given: string): Promise<Press | null> {
  if (given === '' && form.kind !== 'save') {
    const url = `${deps.config.baseUrl}${FORM_PATH}/${form.key}`;
    return { page: { url, title: '', pictureUrl: null, recipe: null }, site: null, isRead: true };
  }
  const url = pageAddress(given);
  const site = url === null ? null : await findSite(deps.db.engine, form.creatorId, url);
  if (url === null || site === null) return null;
  // Nothing of it is mailed.
  if (form.kind !== 'save') return { page: linkAlone(url), site, isRead: true };
  const known = await findPage(deps, form, url);
  if (known === null) return { page: linkAlone(url), site, isRead: false };
  return known.carriesForm ? { page: known.page, site, isRead: true } : null;
}

/** The same for the same form, address and page within ten minutes: without a script nobody makes one where the button is. */
function attemptOf(keys: Keys, key: string, email: string, pageUrl: string, now: Date): string {
  const address = parseEmailAddress(email)?.key ?? email;
  const press = Math.floor(now.getTime() / SAME_PRESS_MS);
  const hex = Buffer.from(macOf(keys, 'attempt', key, address, pageUrl, press), 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** A /24 of IPv4, a /64 of IPv6. */
function networkOf(ip: string): string {
  const [network] = networksOf(ip);
  const plain = network!.replace(/^::ffff:/, '');
  return isIPv4(plain) ? plain.replace(/\.\d+$/, '.0/24') : plain;
}
