import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CannotOpen, loadKeys, open, openOrNull, reseal, seal } from '#server/secrets.ts';

const old = { id: 'k1', key: Buffer.alloc(32, 1) };
const fresh = { id: 'k2', key: Buffer.alloc(32, 2) };

describe('a sealed text', () => {
  it('opens with the key that sealed it, wherever that key stands', () => {
    const sealed = seal([old], 'IGAA… ünïcode');
    expect(sealed).not.toContain('IGAA');
    expect(open([fresh, old], sealed)).toBe('IGAA… ünïcode');
  });
  it('is different every time', () => {
    expect(seal([old], 'x')).not.toBe(seal([old], 'x'));
  });
  it('does not open without its key, changed, cut or under another name', () => {
    const sealed = seal([old], 'token');
    const [id, nonce, text, tag] = sealed.split('.') as [string, string, string, string];
    const flipped = Buffer.from(text, 'base64url');
    flipped[0]! ^= 1;
    for (const broken of [
      '',
      'k1',
      `${id}.${nonce}.${text}`,
      `${id}.${nonce}.${text}.${tag.slice(0, 8)}`,
      `${id}.${nonce}.${flipped.toString('base64url')}.${tag}`,
    ]) {
      expect(() => open([old], broken)).toThrow(CannotOpen);
    }
    expect(() => open([fresh], sealed)).toThrow(CannotOpen);
    expect(openOrNull([fresh], sealed)).toBeNull();
    expect(() => open([{ id: 'k9', key: old.key }], `k9.${nonce}.${text}.${tag}`)).toThrow(CannotOpen);
  });
  it('is sealed again only when it is not under the first key', () => {
    const sealed = seal([old], 'token');
    expect(reseal([old, fresh], sealed)).toBeNull();
    const rotated = reseal([fresh, old], sealed);
    expect(open([fresh], rotated!)).toBe('token');
  });
});

describe('the keys', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'creator-hq-keys-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('of the settings are used and nothing is written', () => {
    const keys = { secretKey: 's'.repeat(32), encryptionKeys: [old] };
    expect(loadKeys({ ...keys, dataDir })).toEqual(keys);
    expect(readdirSync(dataDir)).toEqual([]);
  });
  it('are made once, for their owner only, and found again', () => {
    const first = loadKeys({ secretKey: null, encryptionKeys: null, dataDir });
    expect(first.encryptionKeys[0]?.key).toHaveLength(32);
    expect(loadKeys({ secretKey: null, encryptionKeys: null, dataDir })).toEqual(first);
    expect(readdirSync(dataDir)).toEqual(['keys.json']);
    expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
  });
  it('that are set win over those that are kept', () => {
    const kept = loadKeys({ secretKey: null, encryptionKeys: null, dataDir });
    expect(loadKeys({ secretKey: null, encryptionKeys: [old], dataDir })).toEqual({
      secretKey: kept.secretKey,
      encryptionKeys: [old],
    });
  });
});
