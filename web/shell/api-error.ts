import type { ErrorCode, Problem } from '#contract/errors.ts';

export type FieldProblem = { path: string; message: string };

/** Why a call failed, ready to be shown. `network`: no answer came at all. `unknown`: an answer we cannot read. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network' | 'unknown';
  readonly title: string;
  readonly detail: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly fields: FieldProblem[];

  constructor(problem: Pick<ApiError, 'code' | 'title' | 'detail' | 'status'> & { fields?: FieldProblem[] }) {
    super(problem.detail);
    this.name = 'ApiError';
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.status = problem.status;
    this.fields = problem.fields ?? [];
  }
}

/** The spec's texts when the answer has no title or detail of its own. */
export const DEFAULT_ERROR = { title: 'Error', detail: 'Operation failed' };

/** From an answer that is not 2xx: `body` is its parsed JSON, undefined when it was none. */
export function errorFromAnswer(status: number, body: unknown): ApiError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>;
  return new ApiError({
    status,
    code: (problem.code as ErrorCode | undefined) ?? 'unknown',
    title: problem.title || DEFAULT_ERROR.title,
    detail: problem.detail || DEFAULT_ERROR.detail,
    fields: problem.errors ?? [],
  });
}

export function networkError(): ApiError {
  return new ApiError({
    status: 0,
    code: 'network',
    title: 'No connection',
    detail: 'We couldn’t reach Creator HQ. Check your internet connection and try again. Nothing was lost.',
  });
}

/** Asking once more may help: no answer, a busy server, too many at once. A clear no stays a no. */
export function mayPass(error: ApiError): boolean {
  return error.status === 0 || error.status >= 500 || error.status === 408 || error.status === 429;
}
