import { expect, test } from 'vitest';
import type { Message } from '#server/platforms/wordpress/translations.ts';
import { faultsOf, merged, renewLanguages } from './plugin-languages.ts';

test('every text of the plugin is in German, Spanish and French, with the same placeholders', async () => {
  expect(await renewLanguages(true)).toEqual([]);
});

const message = (more: Partial<Message>): Message => ({
  ...{ context: null, text: '%1$s of %2$s', plural: null, translations: [], files: [], notes: [] },
  ...more,
});

test.each<[Partial<Message>, string[]]>([
  [{ translations: ['%2$s: %1$s'] }, []],
  [{ translations: [''] }, ['"%1$s of %2$s" has no translation']],
  [{ translations: ['%1$s von %1$s'] }, ['"%1$s of %2$s" has other placeholders in "%1$s von %1$s"']],
  [{ text: '%d form', plural: '%d forms', translations: ['%d Formular', ''] }, ['"%d form" has no translation']],
])('what is wrong with a translation is found: %j', (more, faults) => {
  expect(faultsOf(message(more))).toEqual(faults);
});

test('a new text asks for a translation, and one that is gone takes its own with it', () => {
  const po = [message({ text: '', translations: ['nplurals=2;'] }), message({ translations: ['%1$s von %2$s'] })];
  const gone = message({ text: 'Gone', translations: ['Weg'] });
  const texts = [message({}), message({ text: '%d form', plural: '%d forms' })];
  expect(merged(texts, [...po, gone]).map(({ translations }) => translations)).toEqual([['%1$s von %2$s'], ['', '']]);
});
