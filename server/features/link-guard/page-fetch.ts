/**
 * One look at an address, as a person who follows it would get there: redirects are followed, each step through the
 * guarded client and in its host's turn. Says what was seen; what to think of it is `verdicts.ts`.
 */
import type { GuardedFailure, GuardedFetch } from '#server/platforms/guarded-fetch.ts';

export type Sight =
  | {
      kind: 'page';
      status: number;
      /** Where it ended. */
      url: string;
      /** Of HTML the beginning, else null. */
      html: string | null;
      etag: string | null;
      lastModified: string | null;
      /** All steps together. */
      tookMs: number;
      /** The first of all hosts on the way to end; null where none has any. */
      certificateEndsAt: Date | null;
    }
  | { kind: 'loop' }
  | { kind: 'failure'; because: GuardedFailure };

export type LookDeps = {
  fetching: GuardedFetch;
  /** Resolves when the host may be asked. */
  takeTurn(host: string): Promise<void>;
  /** Says who asks, and where to complain. */
  userAgent: string;
  /** For each step. */
  timeoutMs: number;
  stepsAtMost?: number;
  maxBytes?: number;
};

const STEPS_AT_MOST = 6;
/** Recipes stand below long stories; more than this is not read. */
const MAX_BYTES = 512 * 1024;

/** @param known of the look before: a page that says it is the same is not sent again */
export async function look(
  { fetching, takeTurn, userAgent, timeoutMs, stepsAtMost = STEPS_AT_MOST, maxBytes = MAX_BYTES }: LookDeps,
  address: string,
  known: { etag: string | null; lastModified: string | null },
): Promise<Sight> {
  const seen = new Set<string>();
  let url = address;
  let tookMs = 0;
  let certificateEndsAt: Date | null = null;
  for (let step = 0; step < stepsAtMost; step++) {
    if (seen.has(url)) return { kind: 'loop' };
    seen.add(url);
    if (!URL.canParse(url)) return { kind: 'failure', because: 'bad_address' };
    await takeTurn(new URL(url).host);
    const answer = await fetching.request({
      url,
      method: 'GET',
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
        'accept-encoding': 'identity',
        ...(known.etag !== null && { 'if-none-match': known.etag }),
        ...(known.lastModified !== null && { 'if-modified-since': known.lastModified }),
      },
      timeoutMs,
      maxBytes,
    });
    if (answer.kind !== 'answer') return { kind: 'failure', because: answer.because };
    tookMs += answer.tookMs;
    if (
      answer.certificateEndsAt !== null &&
      (certificateEndsAt === null || answer.certificateEndsAt < certificateEndsAt)
    ) {
      certificateEndsAt = answer.certificateEndsAt;
    }
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304 && location !== undefined) {
      if (!URL.canParse(location, url)) return { kind: 'failure', because: 'bad_address' };
      const next = new URL(location, url);
      next.hash = '';
      url = next.href;
      continue;
    }
    const isHtml = /\bhtml\b/i.test(answer.headers['content-type'] ?? '');
    return {
      kind: 'page',
      status: answer.status,
      url,
      html: isHtml ? answer.text : null,
      etag: shortened(answer.headers.etag),
      lastModified: shortened(answer.headers['last-modified']),
      tookMs,
      certificateEndsAt,
    };
  }
  return { kind: 'loop' };
}

/** Longer values are not worth keeping, nor sending back. */
function shortened(value: string | undefined): string | null {
  return value !== undefined && value.length > 0 && value.length <= 200 ? value : null;
}
