/** What a list has under which heading: the same on the page, on paper and in a file. */
import { byAisle } from '#contract/ingredients/aisles.ts';
import { compare, type Fraction, fraction } from '#contract/ingredients/fractions.ts';
import type { Entry, List, WorkedOut } from './lists.ts';
import { pageLanguage } from './words/page-language.ts';

/** `ticked`: ids; null: as the list begins. */
export type Wanted = { list: List; worked: WorkedOut; wanted: Fraction; ticked: ReadonlySet<string> | null };
/** `entry`: null for a line as its author wrote it. */
export type Row = { id: string; isTicked: boolean; text: string; entry: Entry | null };
export type Section = { title: string; note: string | null; isNeeded: boolean; rows: Row[] };

/** Those that have something. */
export function sectionsOf({ list, worked, wanted, ticked }: Wanted): Section[] {
  const { words } = pageLanguage(list.language);
  const of = (starts: Entry['item']['starts']) => worked.entries.filter(({ item }) => item.starts === starts);
  const isTicked = (id: string, begins: boolean) => ticked?.has(id) ?? begins;
  const rowsOf = (entries: readonly Entry[]): Row[] =>
    entries.map((entry) => ({
      ...{ id: entry.id, isTicked: isTicked(entry.id, entry.item.starts === 'ticked'), entry },
      text: textOf(entry, words.buy),
    }));
  const asWritten = compare(wanted, fraction(list.servings ?? 1)) === 0 ? 'asWritten' : 'asWrittenForOwnServings';
  const sections: Section[] = [
    ...byAisle(of('ticked'), words.aisles).map(({ name, entries }) => ({
      ...{ title: name, note: null, isNeeded: true, rows: rowsOf(entries) },
    })),
    {
      ...{ title: words.pleaseRead, note: words[asWritten], isNeeded: false },
      rows: worked.unread.map(({ id, text }) => ({ id, isTicked: isTicked(id, true), text, entry: null })),
    },
    { title: words.youMayHave, note: null, isNeeded: false, rows: rowsOf(of('pantry')) },
    { title: words.optional, note: null, isNeeded: false, rows: rowsOf(of('optional')) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** In one line. A sponsor's product never stands without its word. */
function textOf({ item, need, buy, pin, note }: Entry, buyWords: (what: string) => string): string {
  const bought = buy === null ? '' : ` · ${buyWords(buy)}`;
  const product = pin === null ? item.words : `${pin.disclosure}: ${pin.product}`;
  const more = [product ?? '', note].filter((part) => part !== '');
  return `${need} ${item.food.name}${bought}${more.length > 0 ? ` (${more.join('; ')})` : ''}`.trim();
}
