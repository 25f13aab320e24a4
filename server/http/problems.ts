/** The one place that turns errors into HTTP: RFC 9457 problem documents. */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode, type Problem } from '#contract/errors.ts';
import { AppError, type FieldError } from '#server/errors.ts';

export function problemOf(code: ErrorCode, detail: string, fields: FieldError[] = []): Problem {
  const { status, title } = ERRORS[code];
  return { type: `/api/docs#${code}`, title, status, detail, code, ...(fields.length > 0 && { errors: fields }) };
}

export function sendProblem(reply: FastifyReply, problem: Problem) {
  return reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem);
}

/** How programs sign in; a token that was refused adds why (RFC 6750, section 3). */
export const CHALLENGE = 'Bearer realm="Creator HQ"';

/** Refusals that somebody who looks into an attack asks for. Where they came from is in the proxy's log, not in ours. */
const SECURITY_EVENTS: ReadonlySet<ErrorCode> = new Set([
  'wrong_credentials',
  'not_allowed',
  'cross_site_request',
  'too_many_requests',
  'link_expired',
]);

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = toProblem(error);
  if (error instanceof AppError && SECURITY_EVENTS.has(error.code)) {
    const { method, routeOptions } = request;
    request.log.info({ security: error.code, method, route: routeOptions.url }, 'refused');
  }
  if (error instanceof AppError && error.retryAfterSeconds !== undefined)
    reply.header('Retry-After', error.retryAfterSeconds);
  if (problem.status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', CHALLENGE);
  if (problem.status >= 500) {
    const { method, routeOptions } = request;
    request.log.error({ err: error, code: problem.code, method, route: routeOptions.url }, 'request failed');
  }
  return sendProblem(reply, problem);
}

/** A person in front of an address that cannot be decoded gets the page of addresses that are not there; a program, a problem. */
export function pageOfMalformedAddress({ url = '/', method, headers }: IncomingMessage): string {
  if (method !== 'GET' || !headers.accept?.includes('text/html')) return url;
  try {
    decodeURIComponent(url.split('?')[0]!);
    return url;
  } catch {
    return '/malformed-address';
  }
}

/**
 * For what Fastify refuses before any hook has run: an address that cannot be decoded. It lacks the headers that every other
 * answer has, so they are written here.
 */
export function handleUnroutable(_error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  reply.headers({
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
  });
  return sendProblem(reply, problemOf('malformed_request', 'We couldn’t read the request’s address.'));
}

function toProblem(error: unknown): Problem {
  if (error instanceof AppError) return problemOf(error.code, error.message, error.fields);
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return problemOf('too_large', 'The request is too large for this address.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return problemOf('wrong_media_type', 'Send JSON with the header Content-Type: application/json.');
  if (statusCode === 429) return problemOf('too_many_requests', 'Too many attempts. Wait a minute and try again.');
  // With a status it is not the database that is away, but the caller who left in the middle of a body.
  if (statusCode === 503 || (statusCode === undefined && isDatabaseAway(error)))
    return problemOf('unavailable', 'Creator HQ is busy or restarting. Nothing was lost; try again in a moment.');
  // PostgreSQL keeps no NUL character in text, and no lone half of a surrogate pair.
  if (code === '22021' || code === '22P05')
    return problemOf('invalid_input', 'The text has a character we can’t save. Remove it and try again.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return problemOf('malformed_request', 'We couldn’t read the request.');
  return problemOf(
    'internal',
    'Something went wrong on our side. Try again. If it keeps happening, tell the people who run this site.',
  );
}

/** PostgreSQL away, starting, or out of connections: classes 08, 53 and 57P, no socket at all, or one that broke. */
function isDatabaseAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(08...|53...|57P..)$/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    // The pool's own words; they have no code.
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)
  );
}
