/**
 * Brings the texts of the WordPress plugin and their translations together: `node scripts/plugin-languages.ts` after a text
 * changed, then translate what it names in `wordpress-plugin/languages/*.po`. With --check it changes nothing and fails when
 * something is missing.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pluginSources } from '#server/platforms/wordpress/plugin-package.ts';
import { keyOf, type Message, readPo } from '#server/platforms/wordpress/translations.ts';
import { translationCalls } from './check-plugin.ts';

const folder = path.join(import.meta.dirname, '../wordpress-plugin/languages');
const TEMPLATE = 'creator-hq.pot';
const HEAD =
  'Project-Id-Version: Creator HQ\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n';

/** Every text of the plugin, in the order of its files; without translations. */
export async function pluginTexts(): Promise<Message[]> {
  const messages = new Map<string, Message>();
  const add = (file: string, text: string, more: { context?: string; plural?: string | null; note?: string } = {}) => {
    const { context = null, plural = null, note } = more;
    const made: Message = { context, text, plural, translations: [], files: [], notes: [] };
    const message = messages.get(keyOf(made)) ?? made;
    messages.set(keyOf(made), message);
    message.plural ??= plural;
    if (!message.files.includes(file)) message.files.push(file);
    if (note && !message.notes.includes(note)) message.notes.push(note);
  };
  const sources = [...(await pluginSources())].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [file, bytes] of sources) {
    const source = Buffer.from(bytes).toString('utf8');
    if (file === 'creator-hq.php') add(file, /^ \* Description:\s+(.+)$/m.exec(source)![1]!);
    // WordPress translates these two of a block with these contexts.
    if (file.endsWith('block.json')) {
      const { title, description } = JSON.parse(source);
      add(file, title, { context: 'block title' });
      add(file, description, { context: 'block description' });
    }
    if (!/\.(?:php|js)$/.test(file)) continue;
    for (const { index, texts } of translationCalls(source)) {
      const [text, plural = null] = texts.map((quoted) => quoted.slice(1, -1).replaceAll(/\\(['\\])/g, '$1'));
      const note = /translators: (.+?) \*\/[^;]*$/.exec(source.slice(Math.max(0, index - 250), index))?.[1];
      add(file, text!, { plural, note: text!.includes('%') && note ? `translators: ${note}` : undefined });
    }
  }
  return [...messages.values()];
}

/** The texts of now with the translations that were there; '' where there is none. */
export function merged(texts: readonly Message[], po: readonly Message[]): Message[] {
  const known = new Map(po.map((message) => [keyOf(message), message]));
  const [head] = po;
  const forms = Number(/nplurals=(\d)/.exec(head?.translations[0] ?? '')?.[1] ?? 2);
  return texts.map((message) => {
    const translations = known.get(keyOf(message))?.translations ?? [];
    const wanted = message.plural === null ? 1 : forms;
    return { ...message, translations: Array.from({ length: wanted }, (_, form) => translations[form] ?? '') };
  });
}

/** What is wrong with a translation, in words: nothing there, or other placeholders. */
export function faultsOf({ text, plural, translations }: Message): string[] {
  const placeholders = (of: string) => (of.match(/%(?:\d\$)?[sd]/g) ?? []).sort().join(' ');
  return translations.flatMap((translation) => {
    if (translation.trim() === '') return [`"${text}" has no translation`];
    const isRight = placeholders(translation) === placeholders(plural ?? text);
    return isRight ? [] : [`"${text}" has other placeholders in "${translation}"`];
  });
}

function printed(head: string, messages: readonly Message[]): string {
  const field = (name: string, value: string | null) => (value === null ? [] : [`${name} ${JSON.stringify(value)}`]);
  const blocks = [
    { context: null, text: '', plural: null, translations: [head], files: [], notes: [] },
    ...messages,
  ].map(({ context, text, plural, translations, files, notes }) => [
    ...notes.map((note) => `#. ${note}`),
    ...files.map((file) => `#: ${file}`),
    ...field('msgctxt', context),
    ...field('msgid', text),
    ...field('msgid_plural', plural),
    ...translations.flatMap((translation, form) => field(plural === null ? 'msgstr' : `msgstr[${form}]`, translation)),
  ]);
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** @returns what has to be done by hand, or with `isCheck` at all */
export async function renewLanguages(isCheck: boolean): Promise<string[]> {
  const texts = await pluginTexts();
  const files = (await readdir(folder)).filter((name) => name.endsWith('.po'));
  const faults: string[] = [];
  for (const name of [TEMPLATE, ...files]) {
    const file = path.join(folder, name);
    const source = await readFile(file, 'utf8').catch(() => '');
    const po = name === TEMPLATE ? [] : readPo(source);
    const messages = merged(texts, po);
    const now = printed(po[0]?.translations[0] ?? HEAD, messages);
    if (name !== TEMPLATE) faults.push(...messages.flatMap(faultsOf).map((fault) => `${name}: ${fault}`));
    if (now === source) continue;
    if (isCheck) faults.push(`${name} is not what the sources say. Run: node scripts/plugin-languages.ts`);
    else await writeFile(file, now);
  }
  return faults;
}

if (import.meta.main) {
  const faults = await renewLanguages(process.argv.includes('--check'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
