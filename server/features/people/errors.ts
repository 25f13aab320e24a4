/** Errors of better-auth in our words. */
import { isAPIError } from 'better-auth/api';
import { AppError } from '#server/errors.ts';

const FIFTEEN_MINUTES_S = 15 * 60;

export async function inOurWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isAPIError(error) ? toAppError(error.body?.code, error) : error;
  }
}

function toAppError(code: string | undefined, cause: unknown): unknown {
  switch (code) {
    case 'INVALID_EMAIL':
    case 'INVALID_EMAIL_OR_PASSWORD':
      return new AppError('wrong_credentials', 'Email and password don’t match. Check both, or reset your password.');
    case 'EMAIL_NOT_VERIFIED':
      return new AppError(
        'email_not_verified',
        'Open the link in the email we sent you. You can also have it sent again.',
      );
    case 'INVALID_PASSWORD':
      return new AppError('wrong_credentials', 'That password isn’t right.');
    case 'INVALID_CODE':
    case 'INVALID_BACKUP_CODE':
      return new AppError(
        'wrong_credentials',
        'That code isn’t right. Codes change every 30 seconds. Try the new one.',
      );
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return new AppError('wrong_credentials', 'This login expired or had too many attempts. Log in again.');
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return new AppError('too_many_requests', 'Too many wrong codes. Try again in 15 minutes.', {
        retryAfterSeconds: FIFTEEN_MINUTES_S,
      });
    case 'TOTP_ALREADY_ENABLED':
      return new AppError('not_possible_now', 'Two-step login is already on. Turn it off first to set it up again.');
    case 'TOTP_NOT_ENABLED':
      return new AppError('not_possible_now', 'Two-step login isn’t set up. Start again.');
    default:
      return cause;
  }
}
