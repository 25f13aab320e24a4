/** Forms on pages of ours: which one a key opens, the stamp that proves we printed it, and one press of its button. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { findAddress, parseEmailAddress } from '#contract/email-address.ts';
import type { FormDesign, FormTexts } from '#contract/forms.ts';
import type { FormKind, SubmissionAnswer } from '#contract/plugin.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { submitAll } from '#server/features/submissions/submissions.ts';
import { networksOf } from '#server/http/rate-limits.ts';
import type { Keys } from '#server/secrets.ts';

export const FORM_PATH = '/f';

export type HostedDeps = {
  db: Database;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Pick<Config, 'baseUrl' | 'mailFrom'>;
};

export type HostedForm = {
  creatorId: string;
  key: string;
  kind: FormKind;
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
    select creator_id as "creatorId", key, kind, version, design, ${creatorName(sql`creator_id`)} as "creatorName"
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
  | { kind: 'misspelt'; suggestion: string };

/** One press: checked, cheapest first, then kept. */
export async function take(
  deps: HostedDeps,
  form: HostedForm,
  fields: Fields,
  { ip, language, version }: { ip: string; language: string; version: number },
): Promise<Taken> {
  if (fields.website) return { kind: 'spam' };
  if (!isStamped(deps, form.key, fields.stamp ?? '')) return { kind: 'old' };
  const email = fields.meant ?? fields.email ?? '';
  const suggestion = fields.meant || fields.sure ? null : (findAddress(email)?.suggestion ?? null);
  if (suggestion !== null && parseEmailAddress(email) !== null) return { kind: 'misspelt', suggestion };
  const now = deps.clock.now();
  const url = `${deps.config.baseUrl}${FORM_PATH}/${form.key}`;
  const entry = {
    attempt: attemptOf(deps.keys, form.key, email, now),
    formKey: form.key,
    formVersion: version,
    email,
    firstName: fields.first_name || null,
    newsletter: fields.newsletter === '1',
    language,
    submittedAt: now.toISOString(),
    network: macOf(deps.keys, 'network', networkOf(ip)),
    work: fields.work,
    page: { url, title: '', pictureUrl: null, recipe: null },
  };
  const door = {
    creatorId: form.creatorId,
    inCreator: <T>(work: Parameters<typeof deps.db.withCreator<T>>[1]) => deps.db.withCreator(form.creatorId, work),
    siteOf: async () => ({ id: null, is_live: true }),
  };
  const [answer] = await submitAll(deps, door, [entry]);
  return { kind: 'answer', answer: answer! };
}

/** The same for the same form and address within ten minutes: without a script nobody makes one where the button is. */
function attemptOf(keys: Keys, key: string, email: string, now: Date): string {
  const address = parseEmailAddress(email)?.key ?? email;
  const press = Math.floor(now.getTime() / SAME_PRESS_MS);
  const hex = Buffer.from(macOf(keys, 'attempt', key, address, press), 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** A /24 of IPv4, a /64 of IPv6. */
function networkOf(ip: string): string {
  const [network] = networksOf(ip);
  const plain = network!.replace(/^::ffff:/, '');
  return isIPv4(plain) ? plain.replace(/\.\d+$/, '.0/24') : plain;
}
