import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePage as merge } from '#contract/ingredients/from-page.ts';
import { languageOf } from '#contract/ingredients/languages.ts';
import { IngredientsInput, MOST_LINES, type RecipeLine } from '#contract/recipe-ingredients.ts';
import * as lines from './line-edits.ts';

let next = 0;
const language = languageOf({ language: 'en', measures: 'us' });
const newId = () => `00000000-0000-4000-8000-${String(next++).padStart(12, '0')}`;
const mergePage = (content: IngredientsInput, page: RecipeLine[]) => merge(content, page, newId);
const contentOf = (text: string) => lines.addText(lines.EMPTY, text, null, { language, newId });
const shown = ({ lines: all }: IngredientsInput) =>
  all.map(({ group, text }) => (group === '' ? text : `${group}: ${text}`));
const idOf = ({ lines: all }: IngredientsInput, at: number) => all[at]!.id;

describe('adding text', () => {
  test('makes a line of each, and groups of headings', () => {
    const content = contentOf('2 cups flour\r\n\r\n  1 tsp salt \nFor the sauce:\n1 cup milk\n');
    expect(shown(content)).toEqual(['2 cups flour', '1 tsp salt', 'For the sauce: 1 cup milk']);
  });

  test('puts lines behind another, in its group', () => {
    const content = contentOf('Sauce:\n1 cup milk\n2 eggs');
    expect(shown(lines.addText(content, '1 tbsp oil', idOf(content, 0), { language, newId }))).toEqual([
      'Sauce: 1 cup milk',
      'Sauce: 1 tbsp oil',
      'Sauce: 2 eggs',
    ]);
  });

  test('keeps to what a recipe can have, and to what a line can', () => {
    const content = contentOf(`${'1 egg\n'.repeat(MOST_LINES + 10)}`);
    expect(content.lines).toHaveLength(MOST_LINES);
    expect(lines.addText(content, 'more', null, { language, newId })).toBe(content);
    expect(contentOf('x'.repeat(10_000)).lines[0]!.text).toHaveLength(500);
  });

  test.each(['', ' \n\n ', '\0'])('changes nothing for %j', (text) => expect(contentOf(text)).toBe(lines.EMPTY));
});

describe('a line', () => {
  const content = contentOf('2 cups flour\n1 tsp salt\nSauce:\n1 cup milk');

  test('moves, and joins the next group before it passes its lines', () => {
    const once = lines.moveLine(content, idOf(content, 1), 1);
    expect(shown(once)).toEqual(['2 cups flour', 'Sauce: 1 tsp salt', 'Sauce: 1 cup milk']);
    expect(shown(lines.moveLine(once, idOf(once, 1), 1))).toEqual([
      '2 cups flour',
      'Sauce: 1 cup milk',
      'Sauce: 1 tsp salt',
    ]);
    expect(lines.moveLine(content, idOf(content, 0), -1)).toBe(content);
    expect(lines.moveLine(content, 'nobody', 1)).toBe(content);
  });

  test('is split where the cursor is, and joined again', () => {
    const halves = lines.splitLine(content, idOf(content, 0), 6, newId);
    expect(shown(halves).slice(0, 2)).toEqual(['2 cups', 'flour']);
    expect(shown(lines.joinLine(halves, idOf(halves, 0)))[0]).toBe('2 cups flour');
    expect(lines.splitLine(content, idOf(content, 0), 0, newId)).toBe(content);
    expect(lines.joinLine(content, idOf(content, 2))).toBe(content);
  });

  test('names the group of the lines below', () => {
    const named = lines.toHeading(content, idOf(content, 0));
    expect(shown(named)).toEqual(['2 cups flour: 1 tsp salt', 'Sauce: 1 cup milk']);
    expect(lines.toHeading(content, idOf(content, 2))).toBe(content);
  });

  test('loses its corrections when its words change, and only then', () => {
    const id = idOf(content, 0);
    const fixed = lines.check(lines.fix(content, id, { food: 'rye flour', amounts: [] }), [id]);
    expect(lines.setText(fixed, id, '2 cups flour')).toBe(fixed);
    expect(lines.setText(fixed, id, '3 cups flour').lines[0]).toMatchObject({ fixes: {}, checked: false });
    expect(lines.fixFood(fixed, id, { food: ' ' }).lines[0]!.fixes).toEqual({ amounts: [] });
  });
});

test('whatever is done, the server takes it', { timeout: 60_000 }, () => {
  const step = fc.tuple(
    fc.constantFrom('add', 'up', 'down', 'split', 'join', 'heading', 'group', 'remove'),
    fc.nat(9),
    fc.string({ maxLength: 40, unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let content = contentOf('2 cups flour\n1 tsp salt\nSauce:\n1 cup milk');
      for (const [what, at, text] of steps) {
        const id = content.lines[at]?.id ?? 'nobody';
        if (what === 'add') content = lines.addText(content, text, id, { language, newId });
        if (what === 'up') content = lines.moveLine(content, id, -1);
        if (what === 'down') content = lines.moveLine(content, id, 1);
        if (what === 'split') content = lines.splitLine(content, id, text.length, newId);
        if (what === 'join') content = lines.joinLine(content, id);
        if (what === 'heading') content = lines.toHeading(content, id);
        if (what === 'group') content = lines.nameGroup(content, id, text);
        if (what === 'remove') content = lines.removeLine(content, id);
      }
      expect(IngredientsInput.safeParse(content).error?.issues).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});

describe('the page read again', () => {
  const fromPage = (...texts: string[]) =>
    texts.map((text) => ({ ...lines.newLine(newId(), text), sourceText: text, sourceUid: null }));
  const recipe = { ...lines.EMPTY, lines: fromPage('2 cups flour', '1 tsp salt', '3 eggs') };

  test('changes what nobody corrected, and keeps what somebody did until they choose', () => {
    const mine = lines.fix(recipe, idOf(recipe, 0), { food: 'spelt flour' });
    const { content, became } = mergePage(mine, fromPage('2 1/2 cups flour', '1/2 tsp salt', '3 eggs', '1 cup milk'));
    expect(became).toEqual({ changed: 1, added: 1, removed: 0, waiting: 1 });
    expect(shown(content)).toEqual(['2 cups flour', '1/2 tsp salt', '3 eggs', '1 cup milk']);
    expect(content.lines[0]).toMatchObject({ fixes: { food: 'spelt flour' }, pageSays: '2 1/2 cups flour' });
    const kept = lines.keepMine(content, idOf(content, 0));
    expect(kept.lines[0]).toMatchObject({ text: '2 cups flour', fixes: { food: 'spelt flour' } });
    expect(kept.lines[0]).not.toHaveProperty('pageSays');
    const page = fromPage('2 1/2 cups flour', '1/2 tsp salt', '3 eggs', '1 cup milk');
    expect(mergePage(kept, page).became).toEqual({ changed: 0, added: 0, removed: 0, waiting: 0 });
    const taken = lines.takePage(content, idOf(content, 0)).lines[0];
    expect(taken).toMatchObject({ text: '2 1/2 cups flour', fixes: {}, checked: false });
    expect(taken).not.toHaveProperty('pageSays');
  });

  test('asks of a corrected line that is gone; others go, and own lines and groups stay', () => {
    const named = lines.nameGroup(lines.fix(recipe, idOf(recipe, 1), { optional: true }), idOf(recipe, 0), 'Dough');
    const mine = lines.addText(named, '1 pinch of love', null, { language, newId });
    const { content, became } = mergePage(mine, fromPage('2 cups flour'));
    expect(became).toEqual({ changed: 0, added: 0, removed: 1, waiting: 1 });
    expect(shown(content)).toEqual(['Dough: 2 cups flour', 'Dough: 1 tsp salt', 'Dough: 1 pinch of love']);
    expect(content.lines[1]).toMatchObject({ pageSays: null });
    expect(shown(lines.takePage(content, idOf(content, 1)))).toHaveLength(2);
    const kept = lines.keepMine(content, idOf(content, 1));
    expect(mergePage(kept, fromPage('2 cups flour')).became.waiting).toBe(0);
  });

  test('never loses a correction, whatever the page says, and gives what the contract takes', () => {
    const text = fc.constantFrom('2 cups flour', '3 cups flour', '1 tsp salt', '3 eggs', '4 eggs', '1 cup milk', 'x');
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        fc.nat(5),
        (pages, at) => {
          const id = recipe.lines[at % 3]!.id;
          let content = lines.fix(recipe, id, { food: 'mine' });
          for (const page of pages) {
            content = mergePage(content, fromPage(...page)).content;
            expect(content.lines.find((line) => line.id === id)?.fixes).toEqual({ food: 'mine' });
            expect(IngredientsInput.safeParse(content).success).toBe(true);
          }
        },
      ),
    );
  });
});
