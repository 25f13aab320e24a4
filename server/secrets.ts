/**
 * Tokens of other services rest encrypted. A sealed text is `keyId.nonce.ciphertext.tag` (base64url), made with
 * AES-256-GCM; the key id is authenticated with it, so that a row can't be passed off as sealed by another key.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';

export type EncryptionKey = { id: string; key: Buffer };

/** The text was sealed with a key that is not in ENCRYPTION_KEYS any more, or was changed. */
export class CannotOpen extends Error {
  override name = 'CannotOpen';
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with the first key. */
export function seal(keys: readonly EncryptionKey[], text: string): string {
  const [first] = keys;
  if (first === undefined) throw new Error('There is no encryption key.');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', first.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(first.id));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [first.id, ...[nonce, encrypted, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

/** Decrypts with whichever key sealed it. @throws CannotOpen */
export function open(keys: readonly EncryptionKey[], sealed: string): string {
  const [id = '', ...parts] = sealed.split('.');
  const [nonce, encrypted, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  const key = keys.find((one) => one.id === id)?.key;
  if (key === undefined) throw new CannotOpen(`No key named "${id}" is among ENCRYPTION_KEYS.`);
  if (nonce?.length !== NONCE_BYTES || tag?.length !== TAG_BYTES || encrypted === undefined) {
    throw new CannotOpen('The sealed text is damaged.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new CannotOpen('The sealed text was changed, or its key is another one of the same name.', { cause });
  }
}

/** `open`, or null when it cannot be opened: for tokens, which a new sign-in replaces. */
export function openOrNull(keys: readonly EncryptionKey[], sealed: string): string | null {
  try {
    return open(keys, sealed);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

/** The same text under the first key; null when it is under it already. For rotating keys. @throws CannotOpen */
export function reseal(keys: readonly EncryptionKey[], sealed: string): string | null {
  return sealed.startsWith(`${keys[0]?.id}.`) ? null : seal(keys, open(keys, sealed));
}

export type Keys = { secretKey: string; encryptionKeys: EncryptionKey[] };

/**
 * The keys of the settings; what is not set is made at the first start and kept in `dataDir/keys.json`, readable by its
 * owner only. Losing that file loses the connections: the creators must sign in at Meta again.
 */
export function loadKeys(config: Pick<Config, 'secretKey' | 'encryptionKeys' | 'dataDir'>): Keys {
  const { secretKey, encryptionKeys } = config;
  if (secretKey !== null && encryptionKeys !== null) return { secretKey, encryptionKeys };
  const made = keptKeys(config.dataDir);
  return { secretKey: secretKey ?? made.secretKey, encryptionKeys: encryptionKeys ?? made.encryptionKeys };
}

/**
 * Makes a new key in `dataDir/keys.json`, before the others: processes that start from now on seal with it.
 * @returns its name
 */
export function addKeptKey(dataDir: string): string {
  const { secretKey, encryptionKeys } = keptKeys(dataDir);
  const numbers = encryptionKeys.map(({ id }) => Number(/^k(\d+)$/.exec(id)?.[1] ?? 0));
  const id = `k${Math.max(...numbers) + 1}`;
  replaceKeys(dataDir, { secretKey, encryptionKeys: [{ id, key: randomBytes(32) }, ...encryptionKeys] });
  return id;
}

/** Leaves only the first key in `dataDir/keys.json`: what the others sealed cannot be opened any more. */
export function dropKeptKeys(dataDir: string): void {
  const { secretKey, encryptionKeys } = keptKeys(dataDir);
  replaceKeys(dataDir, { secretKey, encryptionKeys: encryptionKeys.slice(0, 1) });
}

/** Names and marks of what the keys file holds, to know it again by; nothing of the keys can be read out of a mark. */
export function keyMarks(path: string): string[] {
  const kept = readKeys(path);
  if (kept === null) return [];
  const mark = (id: string, key: Buffer | string) =>
    `${id} ${createHash('sha256').update('creator-hq key').update(key).digest('hex').slice(0, 16)}`;
  return [mark('secretKey', kept.secretKey), ...kept.encryptionKeys.map(({ id, key }) => mark(id, key))];
}

function keptKeys(dataDir: string): Keys {
  const path = join(dataDir, 'keys.json');
  const kept = readKeys(path);
  if (kept !== null) return kept;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeOnce(
    path,
    JSON.stringify({
      secretKey: randomBytes(48).toString('base64'),
      encryptionKeys: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
    }),
  );
  const written = readKeys(path);
  if (written === null) throw new Error(`${path} could not be written.`);
  return written;
}

function readKeys(path: string): Keys | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const { secretKey, encryptionKeys } = JSON.parse(text) as {
    secretKey: string;
    encryptionKeys: { id: string; key: string }[];
  };
  return { secretKey, encryptionKeys: encryptionKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') })) };
}

/** Complete or not at all; whoever could read the file before can read it afterwards, also when root replaces it. */
function replaceKeys(dataDir: string, { secretKey, encryptionKeys }: Keys): void {
  const path = join(dataDir, 'keys.json');
  const keys = encryptionKeys.map(({ id, key }) => ({ id, key: key.toString('base64') }));
  const draft = writeDraft(path, JSON.stringify({ secretKey, encryptionKeys: keys }));
  const { uid, gid } = statSync(path);
  if (process.getuid?.() === 0) chownSync(draft, uid, gid);
  renameSync(draft, path);
}

/** Complete or not at all, and never over another process's file: two first starts at once must agree on one. */
function writeOnce(path: string, text: string): void {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** @returns a new file beside `path`, on disk with the text, readable by its owner only */
function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, 0o600);
  return draft;
}
