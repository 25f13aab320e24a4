/** Translations of the plugin: files of gettext, and what WordPress reads of them. */

/** @see https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html */
export type Message = {
  context: string | null;
  text: string;
  plural: string | null;
  /** One for each plural form of the language, or one; '' where it is missing. */
  translations: string[];
  /** Files in which it stands, and notes for translators. */
  files: string[];
  notes: string[];
};

export function keyOf({ context, text }: Pick<Message, 'context' | 'text'>): string {
  return context === null ? text : `${context}\u0004${text}`;
}

/** The first message is the head, with '' as its text. */
export function readPo(source: string): Message[] {
  return source
    .split(/\n\n+/)
    .filter((block) => block.includes('msgid '))
    .map((block) => {
      const fields: Record<string, string> = {};
      const files: string[] = [];
      const notes: string[] = [];
      let last = '';
      for (const line of block.split('\n')) {
        const [word, ...rest] = line.split(' ');
        if (word === '#:') files.push(rest.join(' '));
        else if (word === '#.') notes.push(rest.join(' '));
        else if (word!.startsWith('msg')) {
          last = word!;
          fields[last] = JSON.parse(rest.join(' '));
        } else if (line.startsWith('"')) fields[last] += JSON.parse(line);
      }
      const translations = Object.keys(fields).filter((name) => name.startsWith('msgstr'));
      return {
        context: fields.msgctxt ?? null,
        text: fields.msgid ?? '',
        plural: fields.msgid_plural ?? null,
        translations: translations.map((name) => fields[name]!),
        files,
        notes,
      };
    });
}

/** @see https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html */
export function moOf(messages: readonly Message[]): Uint8Array {
  const entries = messages
    .map(({ plural, translations, ...message }) => ({
      original: Buffer.from(plural === null ? keyOf(message) : `${keyOf(message)}\0${plural}`),
      translation: Buffer.from(translations.join('\0')),
    }))
    .sort((one, other) => Buffer.compare(one.original, other.original));
  const tableBytes = entries.length * 8;
  const head = Buffer.alloc(28 + 2 * tableBytes);
  [0x950412de, 0, entries.length, 28, 28 + tableBytes, 0, head.length].forEach((word, at) => {
    head.writeUInt32LE(word, at * 4);
  });
  const texts: Buffer[] = [];
  let offset = head.length;
  for (const [table, name] of [
    [28, 'original'],
    [28 + tableBytes, 'translation'],
  ] as const) {
    entries.forEach((entry, index) => {
      head.writeUInt32LE(entry[name].length, table + index * 8);
      head.writeUInt32LE(offset, table + index * 8 + 4);
      texts.push(entry[name], Buffer.from([0]));
      offset += entry[name].length + 1;
    });
  }
  return Buffer.concat([head, ...texts]);
}

/** For `wp_set_script_translations`: what `@wordpress/i18n` takes, of the messages that stand in this file. */
export function scriptTranslationsOf(messages: readonly Message[], file: string): string {
  const texts = messages
    .filter(({ files }) => files.includes(file))
    .map((message) => [keyOf(message), message.translations]);
  const [head] = messages;
  const plural = /^Plural-Forms: (.+)$/m.exec(head!.translations[0]!)![1]!;
  return JSON.stringify({
    domain: 'messages',
    locale_data: { messages: { '': { domain: 'messages', 'plural-forms': plural }, ...Object.fromEntries(texts) } },
  });
}
