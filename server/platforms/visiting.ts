/**
 * One visit to a stranger's address, as a person who follows it would get there: redirects are followed, each step through the
 * guarded client and in its host's turn; what was packed is unpacked up to a cap. No cookies. Says what was seen; what to think of
 * it is the caller's.
 */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { GuardedAnswer, GuardedFailure, GuardedFetch } from './guarded-fetch.ts';

export type Sight =
  | {
      kind: 'page';
      status: number;
      /** Where it ended. */
      url: string;
      /** What was asked for in `types`, at most `maxBytes` of it; else null. */
      text: string | null;
      /** There was more of it. */
      isCut: boolean;
      etag: string | null;
      lastModified: string | null;
      /** All steps together. */
      tookMs: number;
      /** The first of all hosts on the way to end; null where none has any. */
      certificateEndsAt: Date | null;
    }
  | { kind: 'loop' }
  | { kind: 'failure'; because: GuardedFailure };

export type VisitDeps = {
  fetching: Pick<GuardedFetch, 'request'>;
  /** Resolves when the host may be asked. */
  takeTurn(host: string): Promise<void>;
  /** Says who asks, and where to complain. */
  userAgent: string;
  /** For all steps together, without the waiting for turns. */
  timeoutMs: number;
  stepsAtMost?: number;
  /** After unpacking, and of what comes packed as well. */
  maxBytes: number;
  /** Of its content type; HTML unless told otherwise. */
  types?: RegExp;
};

/** What is known of an earlier visit: a page that says it is the same is not sent again. */
export type Known = { etag: string | null; lastModified: string | null };
type Answer = Extract<GuardedAnswer, { kind: 'answer' }>;

const STEPS_AT_MOST = 6;
const HTML = /\bhtml\b/i;

export async function visit(
  { fetching, takeTurn, userAgent, timeoutMs, stepsAtMost = STEPS_AT_MOST, maxBytes, types = HTML }: VisitDeps,
  address: string,
  known: Known = { etag: null, lastModified: null },
): Promise<Sight> {
  const seen = new Set<string>();
  let url = address;
  let tookMs = 0;
  let certificateEndsAt: Date | null = null;
  for (let step = 0; step < stepsAtMost; step++) {
    if (seen.has(url)) return { kind: 'loop' };
    seen.add(url);
    if (!URL.canParse(url)) return { kind: 'failure', because: 'bad_address' };
    if (tookMs >= timeoutMs) return { kind: 'failure', because: 'timeout' };
    await takeTurn(new URL(url).host);
    const answer = await fetching.request({
      url,
      method: 'GET',
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
        'accept-encoding': 'gzip, br, deflate',
        ...(known.etag !== null && { 'if-none-match': known.etag }),
        ...(known.lastModified !== null && { 'if-modified-since': known.lastModified }),
      },
      timeoutMs: Math.ceil(timeoutMs - tookMs),
      maxBytes: maxBytes + 1,
    });
    if (answer.kind !== 'answer') return { kind: 'failure', because: answer.because };
    tookMs += answer.tookMs;
    certificateEndsAt = earlier(certificateEndsAt, answer.certificateEndsAt);
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304 && location !== undefined) {
      if (!URL.canParse(location, url)) return { kind: 'failure', because: 'bad_address' };
      const next = new URL(location, url);
      next.hash = '';
      url = next.href;
      continue;
    }
    const isWanted = types.test(answer.headers['content-type'] ?? '');
    const bytes = isWanted ? await unpackFile(await unpack(answer, maxBytes + 1), maxBytes + 1) : null;
    if (isWanted && bytes === null) return { kind: 'failure', because: 'broken_off' };
    return {
      kind: 'page',
      status: answer.status,
      url,
      text: bytes && decode(bytes.subarray(0, maxBytes), answer.headers['content-type']),
      isCut: bytes !== null && Math.max(bytes.length, answer.bytes.length) > maxBytes,
      etag: shortened(answer.headers.etag),
      lastModified: shortened(answer.headers['last-modified']),
      tookMs,
      certificateEndsAt,
    };
  }
  return { kind: 'loop' };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other < one) ? other : one;
}

/** The beginning of what was packed, wherever it ends. @returns null for what cannot be unpacked */
async function unpack({ bytes, headers }: Pick<Answer, 'bytes' | 'headers'>, atMost: number): Promise<Buffer | null> {
  const packing = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (packing === 'identity' || bytes.length === 0) return bytes;
  const unpacker = unpackerOf(packing, bytes);
  if (unpacker === null) return null;
  const parts: Buffer[] = [];
  let length = 0;
  try {
    unpacker.end(bytes);
    for await (const part of unpacker) {
      parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length >= atMost) break;
    }
  } catch {
    if (length === 0) return null;
    // What was readable until there is shown by browsers, too.
  }
  return Buffer.concat(parts).subarray(0, atMost);
}

/** One that is kept packed, as sitemaps are (`.xml.gz`). */
async function unpackFile(bytes: Buffer | null, atMost: number): Promise<Buffer | null> {
  const isPacked = bytes !== null && bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked ? unpack({ bytes, headers: { 'content-encoding': 'gzip' } }, atMost) : bytes;
}

function unpackerOf(packing: string, bytes: Buffer): Transform | null {
  const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
  if (packing === 'gzip' || packing === 'x-gzip') return zlib.createGunzip(options);
  if (packing === 'br') return zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH });
  // Some servers leave out the two bytes that zlib begins with.
  if (packing === 'deflate') {
    return (bytes[0]! & 0x0f) === 8 ? zlib.createInflate(options) : zlib.createInflateRaw(options);
  }
  return null;
}

/** By its marks, its header or its own word for it; UTF-8 where none is known. */
function decode(bytes: Buffer, contentType = ''): string {
  const mark =
    bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : null;
  const named = /charset\s*=\s*["']?([\w.:-]{1,40})/i;
  const own = bytes.toString('latin1', 0, 2048);
  // A page that could be read as far as that word is not of 16 bits a letter.
  const said = named.exec(contentType)?.[1] ?? named.exec(own)?.[1]?.replace(/^utf-16.*/i, 'utf-8');
  const label = mark ?? said ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Longer values are not worth keeping, nor sending back. */
function shortened(value: string | undefined): string | null {
  return value !== undefined && value.length > 0 && value.length <= 200 ? value : null;
}
