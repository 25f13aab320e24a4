/** Files that browsers load say nothing of the server: read as built, every file of it. */
import { glob, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.dirname(import.meta.dirname);
const ASSETS = path.join(ROOT, 'dist/web/assets');

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

/** Of another file that is loaded with this one. */
const STATIC_IMPORT = /(?:\bfrom|\bimport) ?["'`]\.\/([^"'`]+)["'`]/g;

/**
 * Bytes as they travel: script, style sheet and typeface, without the page itself. Raise one only for what its first screen needs.
 * The hashes in names of files, which any change of a screen changes, are a hundred bytes more or less.
 */
const FIRST_LOADS = [
  { screen: 'the login page', roots: ['public'], files: 9, bytes: 161_800 },
  { screen: 'HQ home', roots: ['frame', 'home-content', 'openfeature'], files: 10, bytes: 187_000 },
];

test.each(FIRST_LOADS)('$screen loads no more than before', async ({ roots, files, bytes }) => {
  const all = await readdir(ASSETS);
  const page = await readFile(path.join(ROOT, 'dist/web/index.html'), 'utf8');
  const inHead = [...page.matchAll(/"\/assets\/([^"]+)"/g)].map(([, file]) => file!);
  const ofScreen = roots.map((root) => all.filter((file) => new RegExp(`^${root}-[\\w-]{8}\\.js$`).test(file)));
  expect(ofScreen.map((found) => found.length)).toEqual(roots.map(() => 1));
  const loaded = new Set([...inHead, ...ofScreen.flat()]);
  for (const file of loaded) {
    if (!file.endsWith('.js')) continue;
    const code = await readFile(path.join(ASSETS, file), 'utf8');
    for (const [, needed] of code.matchAll(STATIC_IMPORT)) loaded.add(needed!);
  }
  let sum = 0;
  for (const file of loaded) {
    const sent = all.includes(`${file}.br`) ? `${file}.br` : file;
    sum += (await stat(path.join(ASSETS, sent))).size;
  }
  expect([...loaded].length, [...loaded].join(' ')).toBeLessThanOrEqual(files);
  expect(sum).toBeLessThanOrEqual(bytes);
});

/** A food that no other text of ours names. */
const A_FOOD = 'kohlrabi';
/** As it travels, with the English foods. */
const MOST_OF_READER = 60_000;

test('the reader of ingredient lines comes with their editor, and with no other screen', async () => {
  const codeOf = new Map<string, string>();
  for (const file of await readdir(ASSETS)) {
    if (file.endsWith('.js')) codeOf.set(file, await readFile(path.join(ASSETS, file), 'utf8'));
  }
  const withFoods = [...codeOf].filter(([, code]) => code.includes(A_FOOD)).map(([file]) => file);
  expect(withFoods).toHaveLength(1);
  const needing = new Set(withFoods);
  for (const wanted of needing) {
    for (const [file, code] of codeOf) {
      const needed = [...code.matchAll(STATIC_IMPORT)].map(([, one]) => one);
      if (needed.includes(wanted)) needing.add(file);
    }
  }
  // Other languages are fetched by the editor of a recipe in one.
  expect([...needing].filter((file) => !/^(?:IngredientsEditors|lexicon\.[a-z]{2})-/.test(file))).toEqual([]);
  const { size } = await stat(path.join(ASSETS, `${withFoods[0]}.gz`));
  expect(size).toBeLessThanOrEqual(MOST_OF_READER);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
