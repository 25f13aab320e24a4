import { describe, expect, test } from 'vitest';
import { type Fraction, fraction } from '#contract/ingredients/fractions.ts';
import { LANGUAGE_NAMES } from '#contract/ingredients/recipe-language.ts';
import { showPart, unitName } from '#contract/ingredients/showing.ts';
import { UNITS } from '#contract/ingredients/units.ts';
import { pageLanguage } from './page-language.ts';

const CODES = Object.keys(LANGUAGE_NAMES);
const OTHERS = CODES.filter((code) => code !== 'en');
const part = (from: Fraction, unit: string | null, over = {}) => ({
  ...{ from, to: null, unit, each: null, isAbout: false, measures: 'us' as const, ...over },
});

describe.each(OTHERS)('in %s', (code) => {
  const { words } = pageLanguage(code);
  const english = pageLanguage('en').words;

  test('no sentence and no aisle is left in English', () => {
    const said = (all: typeof words) => Object.entries(all).filter(([, one]) => typeof one === 'string');
    const same = said(words).filter(([name, one]) => one === english[name as 'print']);
    // A word that both have.
    expect(same.filter(([name]) => !['optional', 'servings'].includes(name))).toEqual([]);
    const aisles = Object.entries(words.aisles).filter(([aisle, name]) => name === english.aisles[aisle as 'meat']);
    expect(aisles.filter(([aisle]) => aisle !== 'pasta')).toEqual([]);
  });

  test('every measure that is no sign has its names', () => {
    const isSign = (unit: string) => unitName(unit, true).length <= 2 || unit === 'fluid-ounce';
    expect(UNITS.filter((unit) => !isSign(unit) && words.units[unit] === undefined)).toEqual([]);
    expect(Object.keys(words.units).filter((unit) => !UNITS.includes(unit))).toEqual([]);
  });
});

test.each<[code: string, shown: string[]]>([
  ['en', ['1 ½ cups', '1.25 l', 'about 2 tbsp', '2 cans of 400 g', '½ cup', '1 schmear']],
  ['de', ['1 ½ Tassen', '1,25 l', 'etwa 2 EL', '2 Dosen à 400 g', '½ Tasse', '1 schmear']],
  ['es', ['1 ½ tazas', '1,25 l', 'aprox. 2 cucharadas', '2 latas de 400 g', '½ taza', '1 schmear']],
  ['fr', ['1 ½ tasse', '1,25 l', 'environ 2 c. à s.', '2 boîtes de 400 g', '½ tasse', '1 schmear']],
  ['it', ['1 ½ tazze', '1,25 l', 'circa 2 cucchiai', '2 lattine da 400 g', '½ tazza', '1 schmear']],
  ['pt', ['1 ½ xícaras', '1,25 l', 'cerca de 2 colheres de sopa', '2 latas de 400 g', '½ xícara', '1 schmear']],
])('amounts in %s', (code, shown) => {
  const { wording } = pageLanguage(code);
  const parts = [
    part(fraction(3, 2), 'cup'),
    part(fraction(5, 4), 'liter'),
    part(fraction(2), 'tablespoon', { isAbout: true }),
    part(fraction(2), 'can', { each: { from: fraction(400), to: null, unit: 'gram' } }),
    part(fraction(1, 2), 'cup'),
    part(fraction(1), 'own:schmear'),
  ];
  expect(parts.map((one) => showPart(one, wording))).toEqual(shown);
});

test.each([
  ['de-AT', 'de-AT'],
  ['pt-BR', 'pt-BR'],
  ['nl', 'en'],
  ['', 'en'],
])('the page of a recipe in %j says that it is in %s', (language, tag) => expect(pageLanguage(language).tag).toBe(tag));
