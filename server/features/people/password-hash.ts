/**
 * Passwords at rest: `scrypt$N$r$p$salt$key` (base64url). What it costs stands in the text, so that it can be raised: an
 * older one is renewed when its owner logs in. All hashing takes turns: it is the one costly thing that strangers can ask for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { verifyPassword as verifyOlder } from 'better-auth/crypto';
import { invariant } from '#server/errors.ts';
import { createTurns } from './turns.ts';

/** How much work one try is: `N` and `r` say how much memory (128·N·r bytes), all three how much time. */
export type HashCost = { N: number; r: number; p: number };

/** One of the settings that OWASP calls equal in strength (Password Storage Cheat Sheet, scrypt), the one with least memory but one: 16 MB. */
export const HASH_COST: HashCost = { N: 2 ** 14, r: 8, p: 5 };

/**
 * One core stays free for everybody else's requests; and of the four threads that Node computes, reads files and looks up
 * names on, one stays free for that.
 */
const HASHES_AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 3));

/** A hash takes some 0.15 s of a core: the last one in line waits for some 1.5 s. */
const inTurn = createTurns({ atOnce: HASHES_AT_ONCE, waiting: 8 * HASHES_AT_ONCE });
const known = new AsyncLocalStorage<true>();

/** Passwords within `work` are hashed before those of strangers: for people signed in, and devices that were. */
export function beforeStrangers<T>(work: () => Promise<T>): Promise<T> {
  return known.run(true, work);
}

export const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function hashPassword(
  password: string,
  cost: HashCost,
  salt: Buffer = randomBytes(SALT_BYTES),
): Promise<string> {
  const key = await keyOf(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const parts = read(hash);
  if (parts === null) return inTurn(whoAsks(), () => verifyOlder({ hash, password }));
  return timingSafeEqual(await keyOf(password, parts.salt, parts.cost), parts.key);
}

/** With the salt and the work of another hash: equal to it for the same password. */
export async function hashLike(hash: string, password: string): Promise<string> {
  const parts = read(hash);
  invariant(parts !== null, 'a hash of ours');
  return hashPassword(password, parts.cost, parts.salt);
}

/** Made with less work than is asked for now, or in the form of before. */
export function isOutdated(hash: string, { N, r, p }: HashCost): boolean {
  const cost = read(hash)?.cost;
  return cost === undefined || cost.N !== N || cost.r !== r || cost.p !== p;
}

function read(hash: string): { cost: HashCost; salt: Buffer; key: Buffer } | null {
  const [, N, r, p, salt, key] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]{43})$/.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return null;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

function keyOf(password: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> {
  // Keyboards write the same letter in several ways; the compatible form is one.
  const text = password.normalize('NFKC');
  const options: ScryptOptions = { N, r, p, maxmem: 2 * 128 * N * r };
  return inTurn(
    whoAsks(),
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, salt, KEY_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
      }),
  );
}

function whoAsks() {
  return known.getStore() ? 'known' : 'stranger';
}
