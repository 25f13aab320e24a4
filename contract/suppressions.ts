/** Addresses that are not written to. Only keyed hashes of them are kept, so that they stay away after they were erased. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/**
 * - `not_me`: they said that they never gave this address.
 * - `unsubscribed`, `erased`: no newsletter, but recipes they ask for.
 * - `team`: someone of the team blocked it.
 */
export const SuppressionReason = z.enum(['bounced', 'complained', 'not_me', 'unsubscribed', 'erased', 'team']);
export type SuppressionReason = z.infer<typeof SuppressionReason>;

/** What the team can do about each: `by_them` only the reader's own sign-up lifts. */
export const TAKING_BACK: Record<SuppressionReason, 'free' | 'with_note' | 'by_them'> = {
  bounced: 'free',
  team: 'free',
  complained: 'with_note',
  not_me: 'with_note',
  unsubscribed: 'by_them',
  erased: 'by_them',
};

export const Suppression = z.object({
  id: Id,
  reason: SuppressionReason,
  since: Timestamp,
  /** Why an earlier reason was taken back. */
  note: z.nullable(z.string()),
  /** Of the contact who has it; null: only the hash is kept. */
  email: z.nullable(z.string()),
});
export type Suppression = z.infer<typeof Suppression>;

const Address = z.string().check(z.trim(), z.maxLength(320, 'Enter an email address like name@example.com.'));

export const listSuppressions = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/suppressions',
  access: 'creator',
  summary: 'Addresses that are not written to, newest first; or the one that was asked for',
  params: CreatorParams,
  query: z.object({ ...PageQuery, address: z.optional(Address) }),
  response: pageOf(Suppression),
  errors: ['invalid_input'],
});

export const addSuppression = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/suppressions',
  access: 'creator',
  needs: 'sending',
  quotas: ['contact_changes'],
  summary: 'Write no more to an address; one that is there keeps its reason if that is the stricter one',
  params: CreatorParams,
  body: z.object({ address: Address }),
  response: Suppression,
  errors: ['invalid_input'],
});

export const takeBackSuppression = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/suppressions/:suppressionId/take-back',
  access: 'creator',
  needs: 'sending',
  summary: 'Write to an address again. After a complaint only what they ask for, and only with a note',
  params: z.object({ creatorId: Id, suppressionId: Id }),
  body: z.object({ note: z.string().check(z.trim(), z.maxLength(300, 'At most 300 characters.')) }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'invalid_input', 'not_possible_now'],
});
