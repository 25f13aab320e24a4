/**
 * Passwords that are guessed first are refused wherever one is chosen: those of breaches, with whatever is put around them,
 * and those that are little more than the person's own name or ours (NIST SP 800-63B, 5.1.1.2). Nothing else is asked for
 * but length.
 */
import { AppError } from '#server/errors.ts';

/** The names of our product and of those around it: what somebody tries first here. `docs/security.md` lists them too. */
const OUR_WORDS = ['creatorhq', 'creator', 'hq', 'instagram', 'facebook', 'meta', 'password'];

/** The length a password needs after names are taken out. */
const LEAST_OWN_CHARACTERS = 6;

let common: Promise<ReadonlySet<string>> | null = null;

/** 49,000 passwords of breaches, the most common ones first; read when somebody first chooses a password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((password) => password.toLowerCase())),
  );
  return common;
}

/**
 * @param field where the password stands in the request
 * @throws AppError invalid_input
 */
export async function refuseCommonPassword(password: string, field: string): Promise<void> {
  const known = await commonPasswords();
  const text = password.toLowerCase();
  // `Manchester2024!` is guessed right after `manchester`, and `passwordpassword` right after `password`.
  const core = text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');
  const once = /^(.{1,64}?)\1+$/su.exec(text)?.[1] ?? text;
  if (![text, core, once].some((one) => known.has(one)) && new Set(text).size > 3) return;
  refuse('That password is too common. Choose another. A few words you’ll remember work best.', field);
}

/** @throws AppError invalid_input */
export function refusePersonalPassword(
  password: string,
  { name, email }: { name: string; email: string },
  field: string,
): void {
  let left = lettersOf(password);
  const [local = ''] = email.split('@');
  const words = [email, local, name, ...name.split(/\s+/), ...local.split(/[._+-]/), ...OUR_WORDS].map(lettersOf);
  // The longest first, so that a part of a word leaves no other part of it behind.
  for (const word of words.filter(({ length }) => length >= 2).sort((a, b) => b.length - a.length)) {
    left = left.replaceAll(word, '');
  }
  if (left.length >= LEAST_OWN_CHARACTERS || left.length === lettersOf(password).length) return;
  refuse('That password is too easy to guess. Add some words of your own.', field);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function refuse(message: string, field: string): never {
  throw new AppError('invalid_input', message, { fields: [{ path: field, message }] });
}
