/** Failures of Stripe by what to do next. */
import type Stripe from 'stripe';
import { AppError } from '#server/errors.ts';

/**
 * - `later`: it may have had its effect or not; ask again with the same key.
 * - `declined`: the bank said no.
 * - `settings`: our key, rights or parameters are wrong.
 * - `gone`: what is spoken of is not there (any more), or in a state that allows no such thing.
 */
export type StripeFailure = 'later' | 'declined' | 'settings' | 'gone';

const GONE = ['resource_missing', 'resource_state_invalid', 'charge_already_refunded', 'account_invalid'];

/** @param error what Stripe's library threw */
export function failureOf(error: unknown): StripeFailure {
  const { type, statusCode, code } = error as Partial<Stripe.errors.StripeError>;
  if (type === 'StripeCardError') return 'declined';
  if (code !== undefined && GONE.includes(code)) return 'gone';
  // A call with the same key is under way.
  if (statusCode === 409 || statusCode === 429) return 'later';
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? 'settings' : 'later';
}

/** For whoever waits. */
export function stripeProblem(error: unknown): AppError {
  if (error instanceof AppError) return error;
  switch (failureOf(error)) {
    case 'later':
      return new AppError(
        'stripe_unreachable',
        'Stripe doesn’t answer right now. Try again in a minute: nothing is paid twice.',
        {
          cause: error,
        },
      );
    case 'declined':
      return new AppError('not_possible_now', 'The bank declined the payment. Use another card.', { cause: error });
    case 'gone':
      return new AppError('not_possible_now', 'That is no longer possible. Reload the page.', { cause: error });
    case 'settings':
      return new AppError(
        'payments_off',
        'Payments don’t work right now. The people who run this Creator HQ have to look at their Stripe settings.',
        {
          cause: error,
        },
      );
  }
}

/** For whoever waits for an answer. @throws AppError as `stripeProblem` */
export async function askStripe<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw stripeProblem(error);
  }
}

/** Asked again, it may be done; what Stripe refuses, it refuses tomorrow, too. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'stripe_unreachable';
}
