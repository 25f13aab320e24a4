import { hashPassword as hashOlder } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { HASH_COST, hashPassword, isOutdated, verifyPassword } from './password-hash.ts';

const CHEAP = { N: 1024, r: 8, p: 1 };

describe('a password at rest', () => {
  test('fits itself only, letter by letter to its end', async () => {
    const hash = await hashPassword('correct horse', CHEAP);
    expect(hash).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct\0horse']) {
      expect(await verifyPassword({ hash, password: wrong }), wrong).toBe(false);
    }
    expect(await verifyPassword({ hash, password: 'correct horse' })).toBe(true);
    const long = 'x'.repeat(128);
    expect(await verifyPassword({ hash: await hashPassword(long, CHEAP), password: long.slice(1) })).toBe(false);
  });

  test('is another text each time', async () => {
    expect(await hashPassword('correct horse', CHEAP)).not.toBe(await hashPassword('correct horse', CHEAP));
  });

  test('fits however the keyboard writes a letter', async () => {
    const hash = await hashPassword('cafe\u0301 au lait', CHEAP);
    expect(await verifyPassword({ hash, password: 'caf\u00e9 au lait' })).toBe(true);
  });

  test('is made with as much work as is asked for', async () => {
    const hash = await hashPassword('correct horse', HASH_COST);
    expect(await verifyPassword({ hash, password: 'correct horse' })).toBe(true);
    expect(isOutdated(hash, HASH_COST)).toBe(false);
  });

  test('of before still fits, and is told to be outdated', async () => {
    const hash = await hashOlder('correct horse');
    expect(await verifyPassword({ hash, password: 'correct horse' })).toBe(true);
    expect(await verifyPassword({ hash, password: 'wrong horse' })).toBe(false);
    expect(isOutdated(hash, HASH_COST)).toBe(true);
    expect(isOutdated(await hashPassword('correct horse', CHEAP), HASH_COST)).toBe(true);
  });
});
