/** Time and randomness are passed in: the engine runs in simulated time in tests. */
import { randomFillSync, randomInt } from 'node:crypto';

export type Clock = {
  now(): Date;
  /** Resolves after `ms` of this clock's time, or when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

export type Ids = {
  /**
   * A UUID of version 7 (RFC 9562): sorts by the millisecond, and those made one after the other for one millisecond in
   * the order of their making.
   */
  uuid(at: Date): string;
  /** Letters and digits, about 5.95 bits each. */
  code(length: number): string;
};

/** Random bytes drawn in portions: 16 of them cost nearly as much as 4,096. */
const drawn = Buffer.alloc(4096);
let used = drawn.length;

function draw16(): Buffer {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 16;
  return drawn.subarray(used - 16, used);
}

/** The last millisecond that an id was made for, and how many of it before: RFC 9562, section 6.2, method 1. */
const last = { at: 0, count: 0 };
const COUNTS = 2 ** 12;

export const systemIds: Ids = {
  uuid(at) {
    const bytes = draw16();
    const ms = at.getTime();
    // Begins in the lower half, so that other processes rarely share it and half of the counts are left.
    last.count = ms === last.at ? (last.count + 1) % COUNTS : bytes.readUInt16BE(6) % (COUNTS / 2);
    last.at = ms;
    bytes.writeUIntBE(ms, 0, 6);
    bytes.writeUInt16BE(0x7000 | last.count, 6);
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
  code(length) {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  },
};
