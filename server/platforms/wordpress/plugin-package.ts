/** The WordPress plugin as blogs get it, for `/wp-admin/plugin-install.php?tab=upload` and for updates. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { moOf, readPo, scriptTranslationsOf } from './translations.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const plugin = path.join(root, 'wordpress-plugin');
/** Not for blogs. */
const LEFT_OUT = ['tests'];
const FOLDER = 'creator-hq';
/** Of the editor, each with a script whose texts are translated. */
const BLOCKS = ['form', 'gate', 'shop'];
/** `scripts/build.ts` makes it. */
export const FORM_SCRIPT = path.join(root, 'dist/form/form.js');

export type PluginPackage = {
  version: string;
  /** Versions of WordPress and PHP. */
  tested: string;
  requires: string;
  requiresPhp: string;
  /** Markdown of readme.txt. */
  changelog: string;
  zip: Uint8Array;
  /** Of `zip`, in hex. */
  sha256: string;
};

/** As its header says; null where the plugin was left out. */
export function pluginVersion(): string | null {
  try {
    return headerOf(readFileSync(path.join(plugin, 'creator-hq.php'), 'utf8'), 'Version');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The same sources and the same hub give the same bytes.
 *
 * @param hub its address, which the plugin asks for updates and offers to connect to; null for one that asks nobody
 * @throws ENOENT where the plugin or its script was left out
 */
export async function packPlugin(hub: string | null): Promise<PluginPackage> {
  const files = await pluginFiles(hub);
  const text = (file: string) => Buffer.from(files.get(file)!).toString('utf8');
  const [main, readme] = [text('creator-hq.php'), text('readme.txt')];
  const zip = zipOf(files);
  return {
    version: headerOf(main, 'Version'),
    tested: /^Tested up to: (.+)$/m.exec(readme)![1]!,
    requires: headerOf(main, 'Requires at least'),
    requiresPhp: headerOf(main, 'Requires PHP'),
    changelog: readme.split('== Changelog ==')[1]!.trim(),
    zip,
    sha256: createHash('sha256').update(zip).digest('hex'),
  };
}

/** Every file of the plugin by its path in it, the built script of the forms and the built translations among them. */
export async function pluginFiles(hub: string | null): Promise<Map<string, Uint8Array>> {
  const files = await pluginSources();
  for (const [name, bytes] of [...files].filter(([file]) => file.endsWith('.po'))) {
    const messages = readPo(Buffer.from(bytes).toString('utf8'));
    files.set(name.replace('.po', '.mo'), moOf(messages));
    // Their names end with the script's as `wp_set_script_translations` knows it.
    for (const block of BLOCKS) {
      const script = scriptTranslationsOf(messages, `blocks/${block}/editor.js`);
      files.set(name.replace('.po', `-creator-hq-block-${block}.json`), Buffer.from(script));
    }
  }
  files.set('assets/form.js', await readFile(FORM_SCRIPT));
  if (hub !== null) {
    const main = Buffer.from(files.get('creator-hq.php')!).toString('utf8');
    files.set('creator-hq.php', Buffer.from(stamped(main, hub)));
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

export async function pluginSources(): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(plugin, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(plugin, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((name) => !LEFT_OUT.includes(name.split('/')[0]!));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(plugin, name))] as const)),
  );
}

function headerOf(source: string, name: string): string {
  return new RegExp(`^ \\* ${name}:\\s+(.+)$`, 'm').exec(source)![1]!.trim();
}

/** WordPress reads the header by itself; our own code the constant. */
function stamped(source: string, hub: string): string {
  // It stands in a comment and in single quotes.
  const address = hub.replaceAll('*', '%2A').replaceAll("'", '%27').replaceAll('\\', '%5C');
  return source
    .replace(/^( \* Update URI:\s+)false$/m, (_, start: string) => `${start}${address}/api/v1/plugin/creator-hq`)
    .replace("define( 'CREATOR_HQ_HUB', '' );", () => `define( 'CREATOR_HQ_HUB', '${address}' );`);
}

/** See APPNOTE.TXT of PKWARE, 4.3. All of it fits into the first version of the format. */
function zipOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
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
