/**
 * The closed list of error codes. `status` is the HTTP status, `title` the default headline; the sentence that says
 * what happened and what to do comes with each error as `detail` (RFC 9457).
 */
import * as z from 'zod/mini';

export const ERRORS = {
  invalid_input: { status: 422, title: 'Please check what you entered' },
  malformed_request: { status: 400, title: 'We couldn’t read the request' },
  not_signed_in: { status: 401, title: 'Please log in' },
  wrong_credentials: { status: 401, title: 'That didn’t match' },
  second_factor_needed: { status: 401, title: 'Enter the code from your authenticator app' },
  email_not_verified: { status: 403, title: 'Please confirm your email first' },
  not_allowed: { status: 403, title: 'Not allowed' },
  cross_site_request: { status: 403, title: 'Refused' },
  form_gone: { status: 404, title: 'This form is no longer in use' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Not possible here' },
  already_exists: { status: 409, title: 'Already exists' },
  quota_reached: { status: 409, title: 'Limit reached' },
  changed_meanwhile: { status: 409, title: 'Someone else changed this' },
  link_expired: { status: 410, title: 'This link no longer works' },
  too_large: { status: 413, title: 'Too large' },
  wrong_media_type: { status: 415, title: 'Wrong content type' },
  not_connected: { status: 409, title: 'No account connected' },
  needs_reconnect: { status: 409, title: 'Please reconnect the account' },
  not_possible_now: { status: 409, title: 'Not possible right now' },
  call_under_way: { status: 409, title: 'Not finished yet' },
  key_used_before: { status: 422, title: 'This key was already used' },
  platform_refused: { status: 502, title: 'Instagram didn’t accept this' },
  platform_unreachable: { status: 502, title: 'We couldn’t reach Instagram' },
  payments_off: { status: 409, title: 'Payments are off' },
  stripe_unreachable: { status: 502, title: 'We couldn’t reach Stripe' },
  tool_refused: { status: 502, title: 'Your newsletter tool didn’t accept this' },
  tool_unreachable: { status: 502, title: 'We couldn’t reach your newsletter tool' },
  too_many_requests: { status: 429, title: 'Too many attempts' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  internal: { status: 500, title: 'Something went wrong' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes any endpoint may answer, besides the codes in its own list. */
export const COMMON_ERRORS = [
  'malformed_request',
  'too_large',
  'wrong_media_type',
  'too_many_requests',
  'unavailable',
  'internal',
] as const satisfies readonly ErrorCode[];

/** RFC 9457 problem document; `errors` names single fields (`path` as in `buttons.0.url`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof Problem>;
