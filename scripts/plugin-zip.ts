/**
 * Writes the WordPress plugin as a zip: `node scripts/plugin-zip.ts [file]`. It belongs to no Creator HQ; the one that a Creator HQ
 * hands out knows where it came from.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packPlugin } from '#server/platforms/wordpress/plugin-package.ts';
import { buildFormScript } from './build.ts';

const file = process.argv[2] ?? path.join(path.dirname(import.meta.dirname), 'dist/creator-hq.zip');
await buildFormScript();
await mkdir(path.dirname(file), { recursive: true });
await writeFile(file, (await packPlugin(null)).zip);
console.log(`The plugin is in ${file}`);
