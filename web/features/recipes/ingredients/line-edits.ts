/** What the editor does to the lines of a recipe; each step can be undone. An edit that is not possible changes nothing. */
import { type ReadingOptions, readLine } from '#contract/ingredients/reading.ts';
import { type IngredientsInput, type LineFixes, MOST_LINES, type RecipeLine } from '#contract/recipe-ingredients.ts';

const LONGEST_LINE = 500;
const LONGEST_GROUP = 100;

export const EMPTY: IngredientsInput = {
  ...{ servings: null, minutes: null, measures: 'us', language: 'en', lines: [], steps: [] },
};

/** What a line asks of the editor around it. */
export type LineEdits = {
  edit: (change: (content: IngredientsInput) => IngredientsInput, what?: string) => void;
  open: (id: string | null) => void;
  move: (id: string, by: -1 | 1) => void;
  announce: (words: string) => void;
};

/** Many lines become a line each; one that is a heading names the group of those after it. */
export function addText(
  content: IngredientsInput,
  text: string,
  afterId: string | null,
  { language, newId }: Reader,
): IngredientsInput {
  const found = content.lines.findIndex(({ id }) => id === afterId);
  const at = found < 0 ? content.lines.length : found + 1;
  const added = linesOf(text, content.lines[at - 1]?.group ?? '', { language, newId });
  const lines = content.lines.toSpliced(at, 0, ...added.slice(0, MOST_LINES - content.lines.length));
  return added.length === 0 || lines.length === content.lines.length ? content : { ...content, lines };
}

/** How many lines a text has, and so how many are too many. */
export function countLines(text: string, language: ReadingOptions): number {
  return linesOf(text, '', { language, newId: () => '' }).length;
}

type Reader = { language: ReadingOptions; newId: () => string };

function linesOf(text: string, begins: string, { language, newId }: Reader): RecipeLine[] {
  const lines: RecipeLine[] = [];
  let group = begins;
  for (const one of text
    .toWellFormed()
    .replaceAll('\0', '')
    .split(/[\r\n]+/)) {
    const written = one.trim().slice(0, LONGEST_LINE).trim();
    if (written === '') continue;
    if (readLine(written, language).kind === 'heading') group = groupNamed(written);
    else lines.push({ ...newLine(newId(), written), group });
  }
  return lines;
}

export function newLine(id: string, text: string): RecipeLine {
  return { id, group: '', text, fixes: {}, checked: false, sourceText: null, sourceUid: null };
}

/** "For the sauce:" */
function groupNamed(text: string): string {
  return text
    .replace(/[:\s]+$/, '')
    .slice(0, LONGEST_GROUP)
    .trim();
}

/** Corrections were of the words before. */
export function setText(content: IngredientsInput, id: string, text: string): IngredientsInput {
  return changeLine(content, id, (line) => (line.text === text ? line : { ...line, text, fixes: {}, checked: false }));
}

export function fix(content: IngredientsInput, id: string, fixes: LineFixes): IngredientsInput {
  return changeLine(content, id, (line) => ({ ...line, fixes: { ...line.fixes, ...fixes } }));
}

/** An emptied name is what we read. @param fixes with the name */
export function fixFood(content: IngredientsInput, id: string, fixes: LineFixes): IngredientsInput {
  return changeLine(content, id, (line) => {
    const { food = '', ...others } = { ...line.fixes, ...fixes };
    return { ...line, fixes: food.trim() === '' ? others : { ...others, food } };
  });
}

/** The creator's word stands, until the page says something else again. */
export function keepMine(content: IngredientsInput, id: string): IngredientsInput {
  // What is gone from the page is the creator's own from now on.
  return changeLine(content, id, ({ pageSays = null, ...line }) => ({ ...line, sourceText: pageSays }));
}

export function takePage(content: IngredientsInput, id: string): IngredientsInput {
  const { pageSays = null } = content.lines.find((line) => line.id === id) ?? {};
  if (pageSays === null) return removeLine(content, id);
  return changeLine(content, id, ({ pageSays: _, ...line }) => ({
    ...{ ...line, text: pageSays, sourceText: pageSays, fixes: {}, checked: false },
  }));
}

/** As it is read without the creator. */
export function unfix(content: IngredientsInput, id: string): IngredientsInput {
  return changeLine(content, id, (line) => ({ ...line, fixes: {}, checked: false }));
}

export function check(content: IngredientsInput, ids: readonly string[]): IngredientsInput {
  const wanted = new Set(ids);
  return ids.length === 0
    ? content
    : { ...content, lines: content.lines.map((line) => (wanted.has(line.id) ? { ...line, checked: true } : line)) };
}

export function removeLine(content: IngredientsInput, id: string): IngredientsInput {
  const lines = content.lines.filter((line) => line.id !== id);
  return lines.length === content.lines.length ? content : { ...content, lines };
}

/** A place up (-1) or down (1). At the edge of a group it joins the next group first. */
export function moveLine(content: IngredientsInput, id: string, by: -1 | 1): IngredientsInput {
  const from = placeOf(content, id);
  const [line, other] = [content.lines[from], content.lines[from + by]];
  if (line === undefined || other === undefined) return content;
  if (line.group !== other.group) return changeLine(content, id, (one) => ({ ...one, group: other.group }));
  return { ...content, lines: content.lines.with(from, other).with(from + by, line) };
}

/** @param at place in the text */
export function splitLine(content: IngredientsInput, id: string, at: number, newId: () => string): IngredientsInput {
  const place = placeOf(content, id);
  const line = content.lines[place];
  if (line === undefined || content.lines.length >= MOST_LINES) return content;
  const [first, second] = [line.text.slice(0, at).trim().toWellFormed(), line.text.slice(at).trim().toWellFormed()];
  if (first === '' || second === '') return content;
  const halves = [
    { ...line, text: first, fixes: {}, checked: false },
    { ...newLine(newId(), second), group: line.group },
  ];
  return { ...content, lines: content.lines.toSpliced(place, 1, ...halves) };
}

/** With the line after it. */
export function joinLine(content: IngredientsInput, id: string): IngredientsInput {
  const place = placeOf(content, id);
  const [line, next] = [content.lines[place], content.lines[place + 1]];
  if (line === undefined || next === undefined) return content;
  const text = `${line.text} ${next.text}`;
  if (text.length > LONGEST_LINE) return content;
  return { ...content, lines: content.lines.toSpliced(place, 2, { ...line, text, fixes: {}, checked: false }) };
}

/** The line's words name the group of the lines after it. */
export function toHeading(content: IngredientsInput, id: string): IngredientsInput {
  const place = placeOf(content, id);
  const line = content.lines[place];
  if (line === undefined || content.lines[place + 1]?.group !== line.group) return content;
  const named = nameFrom(content, place + 1, groupNamed(line.text));
  return { ...named, lines: named.lines.toSpliced(place, 1) };
}

/** From this line on to the end of its group. */
export function nameGroup(content: IngredientsInput, id: string, group: string): IngredientsInput {
  const place = placeOf(content, id);
  return place < 0 ? content : nameFrom(content, place, group.slice(0, LONGEST_GROUP));
}

function nameFrom(content: IngredientsInput, from: number, group: string): IngredientsInput {
  const before = content.lines[from]?.group;
  const length = content.lines.slice(from).findIndex((line) => line.group !== before);
  const end = length < 0 ? content.lines.length : from + length;
  const lines = content.lines.map((line, at) => (at >= from && at < end ? { ...line, group } : line));
  return { ...content, lines };
}

function placeOf({ lines }: IngredientsInput, id: string): number {
  return lines.findIndex((line) => line.id === id);
}

function changeLine(content: IngredientsInput, id: string, change: (line: RecipeLine) => RecipeLine): IngredientsInput {
  const place = placeOf(content, id);
  const line = content.lines[place];
  const changed = line && change(line);
  return changed === undefined || changed === line
    ? content
    : { ...content, lines: content.lines.with(place, changed) };
}
