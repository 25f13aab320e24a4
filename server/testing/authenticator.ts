/** An authenticator app, as tests have it. */
import { createHmac } from 'node:crypto';

/**
 * The code that it shows: RFC 6238 with SHA-1, six digits, 30 seconds.
 * @param step 0 now; 1 half a minute later, for when the code of now was used up at setting up
 */
export function codeOf(totpUri: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const mac = createHmac('sha1', secretOf(totpUri)).update(counter).digest();
  const value = mac.readUInt32BE(mac.at(-1)! & 0x0f) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}

/** The secret in the address, in base32. */
export function secretOf(totpUri: string): Buffer {
  const bits = [...new URL(totpUri).searchParams.get('secret')!.replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
