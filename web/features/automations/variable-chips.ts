/**
 * Variables as people see them: the word “Name” where the stored text has `{{username|there}}`. Within the text of a field a
 * variable is its label between two characters without a shape, so that it is copied, moved and undone like any other text.
 */
import { VARIABLES, type Variable } from '#contract/message-text.ts';

/** Spaces do not break. */
const LABELS: Record<Variable, string> = {
  username: 'Name',
  first_name: 'First\u00a0name',
  word: 'Their\u00a0word',
  link: 'Link',
};
/** Those that Instagram may not tell. */
const MAY_BE_UNKNOWN: readonly Variable[] = ['username', 'first_name'];

/** As many of these as the place of the stored form among `forms`: two names may say something different when unknown. */
const START = '\u2063';
const END = '\u2060';
const CHIP = new RegExp(`(${START}+)(${Object.values(LABELS).join('|')})${END}`, 'g');
const STRAY = new RegExp(`[${START}${END}]`, 'g');
const STORED = /\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}/gi;
/** Two braces, or one on each side. */
const TYPED = /\{\{\s*([a-z_ ]+?)\s*(?:\|([^{}]*))?\}\}|(?<!\{)\{\s*([a-z_ ]+?)\s*\}(?!\})/gi;
const TYPED_NAMES: Record<string, Variable> = {
  name: 'username',
  username: 'username',
  handle: 'username',
  'first name': 'first_name',
  first_name: 'first_name',
  word: 'word',
  'their word': 'word',
  keyword: 'word',
};

/** The stored forms that a field has met, in that order; it only grows, so that undoing finds them again. */
export type Forms = string[];

/** The text inserted for a variable. */
export const INSERTS = [
  { stored: '{{username|there}}', label: 'Name' },
  { stored: '{{word}}', label: 'Their word' },
] as const;

/** The text of the field. @param forms gets the forms that are new */
export function toShown(stored: string, forms: Forms): string {
  return stored.replace(STORED, (form: string, name: string) => {
    const variable = variableOf(name);
    if (variable === null) return form;
    if (!forms.includes(form)) forms.push(form);
    return `${START.repeat(forms.indexOf(form) + 1)}${LABELS[variable]}${END}`;
  });
}

/** The text to store. Typed variables (`{name}`) become variables. */
export function toStored(shown: string, forms: Forms): string {
  return shown
    .replace(CHIP, (_, start: string, label: string) => {
      const form = forms[start.length - 1];
      return form !== undefined && labelOf(form) === label ? form : formOf(variableWithLabel(label), undefined);
    })
    .replace(STRAY, '')
    .replace(TYPED, (written: string, name?: string, otherwise?: string, inSingle?: string) => {
      const known = (name ?? inSingle)!.toLowerCase();
      if (name !== undefined && variableOf(name) !== null) return written;
      return Object.hasOwn(TYPED_NAMES, known) ? formOf(TYPED_NAMES[known]!, otherwise) : written;
    });
}

/** For reading only: labels in the place of variables. */
export function inWords(stored: string): string {
  return stored.replace(STORED, (form: string, name: string) => {
    const variable = variableOf(name);
    return variable === null ? form : LABELS[variable];
  });
}

/**
 * The result of an edit: deleting a part of a variable deletes all of it, and nothing is written into one.
 *
 * @param caret where the caret is after the edit, in `after`
 */
export function afterEdit(
  before: string,
  after: string,
  caret: number,
  forms: Forms,
): { stored: string; shown: string; caret: number } {
  const rest = after.slice(caret);
  const end = before.endsWith(rest) ? before.length - rest.length : before.length;
  const until = before.endsWith(rest) ? caret : after.length;
  let from = 0;
  while (from < Math.min(end, until) && before[from] === after[from]) from++;
  const inserted = after.slice(from, until);
  let [first, last] = [from, end];
  for (const chip of before.matchAll(CHIP)) {
    const [chipStart, chipEnd] = [chip.index, chip.index + chip[0].length];
    if (from >= chipEnd || end <= chipStart) continue;
    [first, last] = from === end ? [chipEnd, chipEnd] : [Math.min(first, chipStart), Math.max(last, chipEnd)];
  }
  const stored = toStored(before.slice(0, first) + inserted + before.slice(last), forms);
  const ahead = toShown(toStored(before.slice(0, first) + inserted, forms), forms);
  return { stored, shown: toShown(stored, forms), caret: ahead.length };
}

/** A field's text cut into plain pieces and variables. */
export function piecesOf(shown: string): { text: string; isVariable: boolean }[] {
  const pieces: { text: string; isVariable: boolean }[] = [];
  let at = 0;
  for (const chip of shown.matchAll(CHIP)) {
    if (chip.index > at) pieces.push({ text: shown.slice(at, chip.index), isVariable: false });
    pieces.push({ text: chip[0], isVariable: true });
    at = chip.index + chip[0].length;
  }
  if (at < shown.length) pieces.push({ text: shown.slice(at), isVariable: false });
  return pieces;
}

export type Fallback = { variable: Variable; label: string; says: string };

/** The fallbacks where Instagram gives no name: one for each variable of the text, in its first form. */
export function fallbacksOf(stored: string): Fallback[] {
  const found = new Map<Variable, Fallback>();
  for (const [, name, otherwise] of stored.matchAll(STORED)) {
    const variable = variableOf(name!);
    if (variable === null || found.has(variable) || !MAY_BE_UNKNOWN.includes(variable)) continue;
    const label = LABELS[variable].replace('\u00a0', ' ');
    found.set(variable, { variable, label, says: otherwise ?? VARIABLES[variable].unknown });
  }
  return [...found.values()];
}

/** Says this wherever the variable is unknown. */
export function withFallback(stored: string, variable: Variable, says: string): string {
  return stored.replace(STORED, (form: string, name: string) =>
    variableOf(name) === variable ? formOf(variable, says.replace(/[{}|\n]/g, '')) : form,
  );
}

function formOf(variable: Variable, otherwise: string | undefined): string {
  const says = otherwise ?? VARIABLES[variable].unknown;
  return MAY_BE_UNKNOWN.includes(variable) || otherwise !== undefined ? `{{${variable}|${says}}}` : `{{${variable}}}`;
}

function labelOf(form: string): string | null {
  const variable = variableOf(form.replace(STORED, '$1'));
  return variable === null ? null : LABELS[variable];
}

function variableWithLabel(label: string): Variable {
  return (Object.keys(LABELS) as Variable[]).find((variable) => LABELS[variable] === label)!;
}

function variableOf(name: string): Variable | null {
  const lower = name.toLowerCase();
  return Object.hasOwn(LABELS, lower) ? (lower as Variable) : null;
}
