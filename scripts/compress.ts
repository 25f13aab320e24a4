import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Smaller ones fit into one packet anyway. */
const WORTH_IT_BYTES = 1024;

/**
 * Lays a `.br` and a `.gz` beside every text file of a built web app, which the server sends where the browser takes
 * them: at the best compression, and at no cost when somebody asks.
 */
export async function compressFolder(folder: string): Promise<void> {
  const files: string[] = [];
  for await (const file of glob('**/*.{html,js,css,svg,json,webmanifest,map}', { cwd: folder })) files.push(file);
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(path.join(folder, file));
      if (content.length < WORTH_IT_BYTES) return;
      const [br, gz] = await Promise.all([
        brotli(content, { params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
        gzip(content, { level: 9 }),
      ]);
      await Promise.all([
        writeFile(path.join(folder, `${file}.br`), br),
        writeFile(path.join(folder, `${file}.gz`), gz),
      ]);
    }),
  );
}
