/** A reading as a plain line: for an editor whose fields were changed, and to prove that nothing of a reading is lost. */
import { type Fraction, writeFraction } from './fractions.ts';
import type { Lexicon } from './lexicon.ts';
import type { Amount, Size } from './line.ts';
import { plainAmount, type Reading, type ReadingOptions, readLine } from './reading.ts';

/** @returns a line that is read as the reading says; its own text where no plain one is */
export function writeReading(reading: Reading, options: ReadingOptions): string {
  const { kind, text } = reading;
  if (kind !== 'ingredient') return text;
  const plain = plainLine(reading, options.lexicon);
  return fieldsOf(readLine(plain, options)) === fieldsOf(reading) ? plain : text;
}

/** The same for two readings that say the same, whatever words of no meaning are around it. */
export function fieldsOf({ text: _, spans, sure, sureness, doubts, ...fields }: Reading): string {
  const { amounts, food, alternatives } = fields;
  return JSON.stringify({
    ...fields,
    amounts: amounts.map(plainAmount),
    food: food?.key,
    alternatives: alternatives.map(({ key }) => key),
  });
}

function plainLine(reading: Reading, lexicon: Lexicon): string {
  const { amounts, food, alternatives, size, preparation, notes, purpose, optional, toTaste, divided, more } = reading;
  const [first, ...others] = amounts.map((amount) => writeAmount(amount, lexicon));
  const isSaid = (word: string) => [...notes, ...preparation, purpose ?? ''].some((one) => one.includes(word));
  const name = [first, size, food?.name].filter((part) => part != null).join(' ');
  const foods = [name, ...alternatives.map((one) => one.name)].join(' or ');
  const said = [
    ...[...preparation, ...notes, ...(more && purpose !== null ? [`plus more ${purpose}`] : [purpose ?? ''])],
    ...[optional && !isSaid('optional') ? 'optional' : '', toTaste && !isSaid('to taste') ? 'to taste' : ''],
    divided && !isSaid('divided') ? 'divided' : '',
  ].filter((part) => part !== '');
  return [others.length === 0 ? foods : `${foods} (${others.join('; ')})`, ...said].join(', ');
}

function writeAmount({ isAbout, fill, each, ...size }: Amount, lexicon: Lexicon): string {
  const number = writeRange(size);
  const unit = size.unit === null ? null : (lexicon.unitNames.get(size.unit) ?? size.unit);
  return [isAbout ? 'about' : null, number, each === null ? null : `(${writeSize(each, lexicon)})`, fill, unit]
    .filter((part) => part !== null)
    .join(' ');
}

function writeSize(size: Size, lexicon: Lexicon): string {
  return size.unit === null ? writeRange(size) : `${writeRange(size)} ${lexicon.unitNames.get(size.unit) ?? size.unit}`;
}

function writeRange({ from, to }: Size): string {
  return to === null ? writeMixed(from) : `${writeMixed(from)}-${writeMixed(to)}`;
}

/** "1 1/2" */
function writeMixed({ n, d }: Fraction): string {
  const whole = Math.floor(n / d);
  return whole === 0 || d === 1 ? writeFraction({ n, d }) : `${whole} ${n - whole * d}/${d}`;
}
