import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { expect, test } from 'vitest';

const FOLDER = path.join(import.meta.dirname, '../contract/ingredients');
/** The reader is loaded by the editor alone, as it is typed in: it must not be felt on a phone. */
const MOST_BYTES = 60_000;

test('the reader with English foods is at most 60 kB, as it travels', { timeout: 60_000 }, async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      lib: { entry: ['reading.ts', 'lexicon.en.ts'].map((file) => path.join(FOLDER, file)), formats: ['es'] },
      minify: true,
      write: false,
    },
  });
  const files = (built as Rollup.RollupOutput[]).flatMap(({ output }) => output);
  const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  const bytes = gzipSync(code).length;
  expect(code).toContain('granny smith apple');
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
