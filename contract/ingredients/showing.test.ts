import { describe, expect, test } from 'vitest';
import { type Fraction, fraction } from './fractions.ts';
import { showPart } from './showing.ts';

const part = (from: Fraction, unit: string | null, over = {}) => ({
  ...{ from, to: null, unit, each: null, isAbout: false, measures: 'us' as const, ...over },
});

describe('an amount', () => {
  test.each([
    [part(fraction(3), null), '3'],
    [part(fraction(1, 2), null), '½'],
    [part(fraction(3, 2), 'cup'), '1 ½ cups'],
    [part(fraction(1), 'cup'), '1 cup'],
    [part(fraction(1, 3), 'cup'), '⅓ cup'],
    [part(fraction(17, 16), 'cup'), '1 cup + 1 tbsp'],
    [part(fraction(49, 48), 'cup'), '1 cup + 1 tsp'],
    [part(fraction(53, 48), 'cup'), '1 cup + 1 tbsp + 2 tsp'],
    [part(fraction(1, 16), 'cup'), '1 tbsp'],
    [part(fraction(317_725_491, 157_725_491), 'cup'), 'about 2.02 cups'],
    [part(fraction(500), 'gram'), '500 g'],
    [part(fraction(1, 2), 'kilogram'), '0.5 kg'],
    [part(fraction(5, 4), 'liter'), '1.25 l'],
    [part(fraction(45_359_237, 100_000), 'gram'), 'about 454 g'],
    [part(fraction(10, 3), 'gram'), 'about 3.34 g'],
    [part(fraction(10, 7), 'ounce'), 'about 1.43 oz'],
    [part(fraction(2), 'garlic', {}), '2 garlics'],
    [part(fraction(2), 'can', { each: { from: fraction(400), to: null, unit: 'gram' } }), '2 cans of 400 g'],
    [part(fraction(1), 'can', { each: { from: fraction(29, 2), to: null, unit: 'ounce' } }), '1 can of 14 ½ oz'],
    [part(fraction(2), 'clove', { to: fraction(3) }), '2–3 cloves'],
    [part(fraction(1), 'clove', { to: fraction(3, 2) }), '1–1 ½ cloves'],
    [part(fraction(2), 'bunch'), '2 bunches'],
    [part(fraction(3), 'leaf'), '3 leaves'],
    [part(fraction(200), 'gram', { isAbout: true }), 'about 200 g'],
    [part(fraction(1, 4), 'cup', { measures: 'uk' }), '¼ cup'],
  ])('%j is %s', (given, shown) => expect(showPart(given)).toBe(shown));

  test('is never rounded down', () => {
    for (let n = 1; n < 400; n++) {
      const text = showPart(part(fraction(n, 97), 'gram')).replace('about ', '');
      expect(Number.parseFloat(text)).toBeGreaterThanOrEqual(n / 97);
    }
  });
});
