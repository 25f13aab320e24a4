/**
 * Backup codes at rest: scrypt, as passwords, with one salt for the ten of a person, so that a try costs one hash. Less work
 * than for a password is enough: each has 59 random bits.
 */
import { randomBytes } from 'node:crypto';
import { type HashCost, hashLike, hashPassword, SALT_BYTES } from './password-hash.ts';

/** @param json the codes as better-auth hands them over: new ones, or those that are left, which are hashed already */
export async function hashBackupCodes(json: string, cost: HashCost): Promise<string> {
  const codes = JSON.parse(json) as string[];
  if (codes.every((code) => code.startsWith('scrypt$'))) return json;
  const salt = randomBytes(SALT_BYTES);
  const hashed: string[] = [];
  // One after the other: together they would fill the line.
  for (const code of codes) hashed.push(await hashPassword(code, { ...cost, p: 1 }, salt));
  return JSON.stringify(hashed);
}

/** @returns the code in the form in which these codes are kept, for comparing; as it is when none is left */
export async function asKept(kept: string, code: string): Promise<string> {
  const [any] = JSON.parse(kept) as string[];
  return any === undefined ? code : hashLike(any, code);
}
