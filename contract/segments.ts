/**
 * Segments: contacts that answer to conditions. A segment is one line of text, in the address of the contacts page as in the
 * database: `all;any,status:confirmed,!tag:ID;!all,saved_within:90`. First whether all groups count or any of them; then each group: the
 * same for its conditions, and the conditions. `!` says no to a condition or a group. Values are encoded as in an address.
 */
import * as z from 'zod/mini';
import { NewsletterStatus } from '#contract/contacts.ts';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id } from '#contract/shapes.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const DAYS = /^[1-9]\d{0,3}$/;

/** What each condition asks, and its values. */
export const SEGMENT_FIELDS = {
  status: new RegExp(`^(${NewsletterStatus.options.join('|')})$`),
  /** A tag's id */
  tag: UUID,
  /** They saved this page or recipe; its address. */
  saved_page: /^https?:\/\/\S{1,500}$/,
  /** They saved at least so many recipes. */
  saves: /^[1-9]\d{0,3}$/,
  /** Days */
  saved_within: DAYS,
  source: /^(blog|dm|file|tool|team)$/,
  /** Ids */
  form: UUID,
  site: UUID,
  /** Days */
  confirmed_within: DAYS,
  seen_within: DAYS,
  /** Followed a link of a newsletter */
  clicked_within: DAYS,
  /** One of the creator's accounts */
  follows: /^(yes|no)$/,
  /** `en` is also `en-GB`. */
  language: /^[a-z]{2,3}$/,
} as const satisfies Record<string, RegExp>;
export type SegmentField = keyof typeof SEGMENT_FIELDS;

export type Condition = { field: SegmentField; negated: boolean; value: string };
type Match = 'all' | 'any';
export type ConditionGroup = { match: Match; negated: boolean; conditions: Condition[] };
export type Segment = { match: Match; groups: ConditionGroup[] };

export const MOST_CONDITIONS = 20;

/** @returns null for what is no segment */
export function readSegment(text: string): Segment | null {
  const [match, ...rest] = text.split(';');
  const groups = rest.map(readGroup);
  const conditions = groups.flatMap((group) => group?.conditions ?? []);
  if (!isMatch(match) || conditions.length === 0 || conditions.length > MOST_CONDITIONS) return null;
  const whole = groups.filter((group) => group !== null);
  return whole.length === groups.length ? { match, groups: whole } : null;
}

function readGroup(text: string): ConditionGroup | null {
  const [head = '', ...rest] = text.split(',');
  const [negated, match] = unsigned(head);
  const conditions = rest.map(readCondition).filter((condition) => condition !== null);
  if (!isMatch(match) || conditions.length === 0 || conditions.length < rest.length) return null;
  return { match, negated, conditions };
}

function readCondition(text: string): Condition | null {
  const [negated, condition] = unsigned(text);
  const [field = '', encoded = '', ...more] = condition.split(':');
  if (more.length > 0 || !Object.hasOwn(SEGMENT_FIELDS, field)) return null;
  const value = decoded(encoded);
  if (value === null || !SEGMENT_FIELDS[field as SegmentField].test(value)) return null;
  return { field: field as SegmentField, negated, value };
}

function unsigned(text: string): [boolean, string] {
  return text.startsWith('!') ? [true, text.slice(1)] : [false, text];
}

function isMatch(text: string | undefined): text is Match {
  return text === 'all' || text === 'any';
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function writeSegment({ match, groups }: Segment): string {
  const sign = (negated: boolean) => (negated ? '!' : '');
  const written = groups.map(({ match, negated, conditions }) =>
    [
      sign(negated) + match,
      ...conditions.map((one) => `${sign(one.negated)}${one.field}:${encodeURIComponent(one.value)}`),
    ].join(','),
  );
  return [match, ...written].join(';');
}

/**
 * Who saved a recipe and never asked for the newsletter is in a segment only if it speaks of savers: of saves, or of people who never
 * asked.
 */
export function namesSavers({ groups }: Segment): boolean {
  return groups
    .flatMap(({ conditions }) => conditions)
    .some(({ field, value }) => field.startsWith('save') || (field === 'status' && value === 'none'));
}

export const SegmentText = z
  .string()
  .check(z.maxLength(2000), z.regex(/^(all|any)(;!?(all|any)(,!?\w+:[^,:;]*)+)+$/, 'This isn’t a segment.'));

export const SavedSegment = z.object({ id: Id, name: z.string(), segment: z.string() });
export type SavedSegment = z.infer<typeof SavedSegment>;

const SegmentInput = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'A name can have at most 60 characters.')),
  segment: SegmentText,
});
const SegmentParams = z.object({ creatorId: Id, segmentId: Id });

export const listSegments = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contact-segments',
  access: 'creator',
  summary: 'Saved segments by name',
  params: CreatorParams,
  response: z.object({ items: atMost(QUOTAS.segments.most, SavedSegment) }),
});

export const createSegment = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contact-segments',
  access: 'creator',
  quotas: ['segments'],
  makes: true,
  summary: 'Save a segment of contacts under a name',
  params: CreatorParams,
  body: SegmentInput,
  response: SavedSegment,
  errors: ['invalid_input', 'already_exists'],
});

export const changeSegment = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/contact-segments/:segmentId',
  access: 'creator',
  summary: 'Change a saved segment or its name',
  params: SegmentParams,
  body: SegmentInput,
  response: SavedSegment,
  errors: ['not_found', 'invalid_input', 'already_exists'],
});

export const deleteSegment = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/contact-segments/:segmentId',
  access: 'creator',
  summary: 'Delete a saved segment; contacts stay',
  params: SegmentParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const countSegment = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contact-segments/count',
  access: 'creator',
  summary: 'How many contacts are in a segment',
  params: CreatorParams,
  query: z.object({ segment: SegmentText }),
  /** Null: counting takes longer than two seconds. */
  response: z.object({ count: z.nullable(z.number()) }),
  errors: ['invalid_input'],
});
