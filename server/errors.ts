import { ERRORS, type ErrorCode } from '#contract/errors.ts';

export type FieldError = { path: string; message: string };

/**
 * A failure that the caller should hear of: a code of the closed list and a sentence that says what happened and what
 * to do. Rules throw it and know nothing of HTTP; `server/http/problems.ts` turns it into an answer.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[];
  /** When trying again makes sense; becomes the header Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string = ERRORS[code].title,
    options: { fields?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Stops at a state that cannot be: a defect of ours, never of the caller. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Impossible state: ${message}`);
}
