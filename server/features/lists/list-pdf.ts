/** A list as a file to keep and to print; of a meal plan the days come first, on a sheet of their own. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onlyFor } from '#server/features/recipes/locks.ts';
import type { Shown } from './list-page.ts';
import { sectionsOf } from './list-sections.ts';
import type { List } from './lists.ts';
import { readDays } from './plan-days.ts';
import { pageLanguage } from './words/page-language.ts';

/** What both A4 and US Letter hold, in points. */
const SHEET = [595, 792] as [number, number];
const MARGIN = 42;
const COLUMNS = 2;
const BETWEEN_COLUMNS = 24;
/** In points; days are printed as large as one sheet allows. */
const SIZES = [12, 11, 10, 9, 8, 7, 6, 5];
const LIST_SIZE = 11;
/** In sizes of the text. */
const ABOVE_HEADING = 0.7;
const BELOW = 0.2;

type Line = { text: string; is: 'heading' | 'row' | 'small'; link?: string };
type Document = PDFKit.PDFDocument;

const PLAIN = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const BOLD = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));

/** @param now for the file's own facts */
export async function listPdf(shown: Shown, now: Date): Promise<Buffer> {
  // Few ask for a file, and it is much code.
  const { default: PdfDocument } = await import('pdfkit');
  const { list, url } = shown;
  const doc = new PdfDocument({
    ...{ size: SHEET, margin: MARGIN, lang: pageLanguage(list.language).tag, bufferPages: true },
    info: { Title: list.name, Author: list.creatorName, CreationDate: now },
  });
  const file = buffer(doc);
  doc.registerFont('plain', await readFile(PLAIN));
  doc.registerFont('bold', await readFile(BOLD));
  const { words } = pageLanguage(list.language);
  if (list.kind === 'plan') {
    head(doc, list.name, `${list.creatorName} · ${words.mealPlan}`);
    if (list.plan.note !== '') doc.font('plain').fontSize(10).text(printable(list.plan.note), { width: WIDTH });
    const days = readDays(list.plan, list.language).flatMap(({ name, meals }): Line[] => [
      { text: name, is: 'heading' },
      ...meals.map(
        ({ name: meal, more, recipe }): Line => ({
          text: [meal, ...more].join(' · '),
          is: 'row',
          ...(recipe !== null && { link: recipe.url }),
        }),
      ),
    ]);
    flow(doc, days, SIZES.find((size) => fits(doc, days, size)) ?? SIZES.at(-1)!);
    doc.addPage();
  }
  head(doc, list.name, `${list.creatorName} · ${words.shoppingList}`);
  flow(doc, listLines(shown), LIST_SIZE);
  foot(doc, url);
  doc.end();
  return file;
}

function nothingOf({ lockedFor, pageUrl, language }: List): Pick<Line, 'text' | 'link'> {
  const { words } = pageLanguage(language);
  if (lockedFor === null) return { text: words.nothingYet };
  return { text: `${onlyFor(lockedFor, words)} ${words.readItOnTheBlog}`, ...(pageUrl !== null && { link: pageUrl }) };
}

function listLines(shown: Shown): Line[] {
  const { list } = shown;
  const { words } = pageLanguage(list.language);
  const rows = sectionsOf(shown).flatMap(({ title, note, rows: all }): Line[] => {
    const ticked = all.filter(({ isTicked }) => isTicked);
    if (ticked.length === 0) return [];
    return [
      { text: title, is: 'heading' },
      ...(note === null ? [] : [{ text: note, is: 'small' } as const]),
      ...ticked.map(({ text }): Line => ({ text: `☐ ${text}`, is: 'row' })),
    ];
  });
  const steps = list.steps.map((step, place): Line => ({ text: `${place + 1}. ${step}`, is: 'row' }));
  return [
    ...(rows.length === 0 ? [{ ...nothingOf(list), is: 'row' } as const] : rows),
    ...(steps.length === 0 ? [] : [{ text: words.howToMake, is: 'heading' } as const, ...steps]),
  ];
}

const WIDTH = SHEET[0] - 2 * MARGIN;
const COLUMN_WIDTH = (WIDTH - (COLUMNS - 1) * BETWEEN_COLUMNS) / COLUMNS;
const BOTTOM = SHEET[1] - MARGIN - 14;

function head(doc: Document, title: string, says: string): void {
  doc.font('bold').fontSize(18).text(printable(title), MARGIN, MARGIN, { width: WIDTH });
  doc.font('plain').fontSize(10).text(printable(says), { width: WIDTH }).moveDown(0.5);
}

/** The address, at the end of every sheet. */
function foot(doc: Document, url: string): void {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    doc
      .font('plain')
      .fontSize(8)
      .text(url, MARGIN, SHEET[1] - MARGIN - 10, { width: WIDTH, lineBreak: false, link: url });
  }
}

function fits(doc: Document, lines: Line[], size: number): boolean {
  return place(doc, lines, size).every(({ sheet }) => sheet === 0);
}

function flow(doc: Document, lines: Line[], size: number): void {
  let sheet = 0;
  for (const { line, at, ...placed } of place(doc, lines, size)) {
    if (placed.sheet > sheet) doc.addPage();
    sheet = placed.sheet;
    set(doc, line, size).text(printable(line.text), at.x, at.y, {
      width: COLUMN_WIDTH,
      ...(line.link !== undefined && { link: line.link }),
    });
  }
}

/** From where the document is: down one column, then the next, then on the next sheet. A heading is never the last of a column. */
function place(doc: Document, lines: Line[], size: number) {
  let [sheet, column, top] = [0, 0, doc.y];
  let y = top;
  const heights = lines.map(
    (line) => set(doc, line, size).heightOfString(printable(line.text), { width: COLUMN_WIDTH }) + size * BELOW,
  );
  return lines.map((line, index) => {
    const isHeading = line.is === 'heading';
    const above = isHeading && y > top ? size * ABOVE_HEADING : 0;
    const needed = above + heights[index]! + (isHeading ? (heights[index + 1] ?? 0) : 0);
    const isFull = y + needed > BOTTOM && y > top;
    if (isFull) {
      column = (column + 1) % COLUMNS;
      if (column === 0) [sheet, top] = [sheet + 1, MARGIN];
      y = top;
    } else y += above;
    const at = { x: MARGIN + column * (COLUMN_WIDTH + BETWEEN_COLUMNS), y };
    y += heights[index]!;
    return { line, sheet, at };
  });
}

function set(doc: Document, { is }: Line, size: number): Document {
  return doc.font(is === 'heading' ? 'bold' : 'plain').fontSize(is === 'small' ? size * 0.85 : size);
}

/** Without what the font has no pictures of. */
function printable(text: string): string {
  return text
    .replaceAll(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Variation_Selector}|\p{Join_Control}/gu, '')
    .trim();
}
