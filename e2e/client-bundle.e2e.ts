/** What browsers load says nothing of the server: read as built, every file of it. */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.dirname(import.meta.dirname);

/** Names of settings that only the server knows, forms of secrets, and where something was built. */
const FORBIDDEN = [
  /SECRET_KEY|ENCRYPTION_KEYS|APP_SECRET|DATABASE_URL|SMTP_URL|INTERCOM_SECRET|NATS_URL|VERIFY_TOKEN/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(EAA[A-Za-z0-9]{20,}|IGAA[A-Za-z0-9]{20,}|chqt_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{16})/,
  /postgres(ql)?:\/\/|smtps?:\/\/\w+:/,
  /node:(crypto|fs|child_process|net)\b/,
  /sourceMappingURL/,
];

test('the bundle has no secret, no setting of the server, and no path of a machine', async () => {
  let read = 0;
  for await (const file of glob('dist/web/**/*.{js,css,html,json,webmanifest,svg,map}', { cwd: ROOT })) {
    const text = await readFile(path.join(ROOT, file), 'utf8');
    for (const pattern of [...FORBIDDEN, new RegExp(escaped(ROOT))])
      expect(pattern.exec(text)?.[0], file).toBeUndefined();
    read++;
  }
  expect(read).toBeGreaterThan(20);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
