/**
 * The WordPress plugin as a zip, for `/wp-admin/plugin-install.php?tab=upload`: `node scripts/plugin-zip.ts [file]`. The same
 * sources give the same bytes: names in order, one fixed time.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { build } from 'vite';

const root = path.dirname(import.meta.dirname);
const plugin = path.join(root, 'wordpress-plugin');
/** Not for blogs. */
const LEFT_OUT = ['tests'];
const FOLDER = 'creator-hq';

if (import.meta.main) {
  const file = process.argv[2] ?? path.join(root, 'dist/creator-hq.zip');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, zipOf(await pluginFiles()));
  console.log(`The plugin is in ${file}`);
}

/** Every file of the plugin by its path in it, the built script of the forms among them. */
export async function pluginFiles(): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(plugin, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(plugin, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !LEFT_OUT.includes(name.split('/')[0]!));
  const files = new Map<string, Uint8Array>();
  for (const name of names) files.set(name, await readFile(path.join(plugin, name)));
  files.set('assets/form.js', await formScript());
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** One file, nothing in it from elsewhere, for browsers of the last years. */
export async function formScript(): Promise<Uint8Array> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      write: false,
      target: ['chrome100', 'safari15', 'firefox100'],
      lib: { entry: path.join(root, 'widgets/form/form.ts'), formats: ['iife'], name: 'creatorHqForm' },
    },
  });
  const [output] = (Array.isArray(built) ? built : [built]) as { output: { code: string }[] }[];
  return Buffer.from(output!.output[0]!.code);
}

/** See APPNOTE.TXT of PKWARE, 4.3. All of it fits into the first version of the format. */
export function zipOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [file, bytes] of files) {
    const name = Buffer.from(`${FOLDER}/${file}`);
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed
    common.writeUInt16LE(0x0800, 2); // names in UTF-8
    common.writeUInt16LE(8, 4); // deflated
    common.writeUInt16LE(0, 6); // midnight …
    common.writeUInt16LE(0x0021, 8); // … of 1 January 1980
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed]);
    const after = Buffer.alloc(14);
    after.writeUInt32LE((0o100644 << 16) >>> 0, 6); // an ordinary file that all may read
    after.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, after, name]));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, entries, end]);
}
