/** Sponsor pins: a sponsor's product that lists show, marked, for a food and for some days; with a page for the sponsor that proves it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from '#contract/shops.ts';

export const MOST_PINS = 200;
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

const Asin = z.object({
  marketplace: z.enum(Object.keys(AMAZON_MARKETPLACES) as [AmazonMarketplace, ...AmazonMarketplace[]]),
  asin: z
    .string()
    .check(
      z.trim(),
      z.toUpperCase(),
      z.regex(/^[A-Z0-9]{10}$/, 'An ASIN has ten letters and digits, like B000EXAMPL.'),
    ),
});

/** Not `z.iso.date`: its pattern would be in the first load of the app. */
const Day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.'), z.refine(isDay, 'Choose a day.'));

/** The fields a creator fills in. */
const FIELDS = {
  /** As they are called in recipes. */
  foods: z
    .array(
      z.string().check(z.trim(), z.minLength(1, 'Remove the empty food.'), z.maxLength(100, 'At most 100 characters.')),
    )
    .check(z.minLength(1, 'Enter a food.'), z.maxLength(20, 'At most 20 foods.')),
  /** Null: every recipe. */
  recipeIds: z.nullable(
    z.array(Id).check(z.minLength(1, 'Choose a recipe.'), z.maxLength(100, 'At most 100 recipes.')),
  ),
  product: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter the product.'), z.maxLength(120, 'At most 120 characters.')),
  /** For Instacart. */
  upcs: z
    .array(z.string().check(z.trim(), z.regex(/^\d{8,14}$/, 'A UPC has 8 to 14 digits.')))
    .check(z.maxLength(20, 'At most 20 UPCs.')),
  asins: z.array(Asin).check(
    z.maxLength(Object.keys(AMAZON_MARKETPLACES).length),
    z.check(({ value, issues }) => {
      if (new Set(value.map(({ marketplace }) => marketplace)).size === value.length) return;
      issues.push({ code: 'custom', message: 'Enter one ASIN for each Amazon.', input: value });
    }),
  ),
  /** Instacart shows this brand first; empty: any. */
  brand: z.string().check(z.trim(), z.maxLength(60, 'At most 60 characters.')),
  /** Stands beside the product. */
  disclosure: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a word, like Ad.'), z.maxLength(30, 'At most 30 characters.')),
  /** The first and the last day. */
  from: Day,
  to: Day,
  /** Whose days they are, like `Europe/Berlin`. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(60), z.refine(isTimeZone, 'Choose a time zone.')),
};

const daysInOrder = z.check<{ from: string; to: string }>(({ value, issues }) => {
  const days = (Date.parse(value.to) - Date.parse(value.from)) / DAY_MS + 1;
  const message = days < 1 ? 'The last day can’t be before the first.' : `At most ${MOST_DAYS} days.`;
  if (days < 1 || days > MOST_DAYS) issues.push({ code: 'custom', message, path: ['to'], input: value });
});

export const SponsorPinInput = z.object(FIELDS).check(daysInOrder);
export type SponsorPinInput = z.infer<typeof SponsorPinInput>;

function isDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const SponsorPin = z.object({
  ...FIELDS,
  upcs: atMost(20, z.string()),
  asins: atMost(
    Object.keys(AMAZON_MARKETPLACES).length,
    z.object({ marketplace: Asin.shape.marketplace, asin: z.string() }),
  ),
  timeZone: z.string(),
  id: Id,
  version: z.int(),
  state: z.enum(['to_come', 'running', 'over']),
  /** The page for the sponsor. */
  proofUrl: z.url(),
  proofEndedAt: z.nullable(Timestamp),
  /** People who saw it on a list, and who went to a shop from there. */
  seen: z.int(),
  went: z.int(),
  createdAt: Timestamp,
});
export type SponsorPin = z.infer<typeof SponsorPin>;

const PinParams = z.object({ creatorId: Id, pinId: Id });
const path = '/creators/:creatorId/sponsor-pins';

export const listSponsorPins = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['links'],
  summary: 'Sponsor pins, the last to end first',
  params: CreatorParams,
  response: z.object({ items: atMost(MOST_PINS, SponsorPin) }),
});

export const createSponsorPin = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  quotas: ['sponsor_pins'],
  makes: true,
  summary: 'Pin a sponsor’s product to foods; refused while another one is pinned to one of them',
  params: CreatorParams,
  body: SponsorPinInput,
  response: SponsorPin,
  errors: ['invalid_input', 'already_exists'],
});

export const changeSponsorPin = endpoint({
  method: 'PUT',
  path: `${path}/:pinId`,
  access: 'creator',
  summary: 'Change a sponsor pin; lists follow at once; refused if someone changed it since `version`',
  params: PinParams,
  body: z.object({ ...FIELDS, version: z.int() }).check(daysInOrder),
  response: SponsorPin,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile'],
});

export const deleteSponsorPin = endpoint({
  method: 'DELETE',
  path: `${path}/:pinId`,
  access: 'creator',
  summary: 'Delete a sponsor pin with its figures and its page for the sponsor',
  params: PinParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const endSponsorProof = endpoint({
  method: 'POST',
  path: `${path}/:pinId/end-proof`,
  access: 'creator',
  summary: 'End the page for the sponsor, for good; the pin itself stays',
  params: PinParams,
  response: SponsorPin,
  errors: ['not_found'],
});
