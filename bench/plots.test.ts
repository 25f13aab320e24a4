import { expect, test } from 'vitest';
import { dotRows, linePanels, niceTop, shown } from './plots.ts';

test('scales end at a round number that nothing passes', () => {
  expect([0, 0.07, 1, 1.2, 2.2, 37, 100, 101].map(niceTop)).toEqual([1, 0.1, 1, 2, 2.5, 50, 100, 200]);
});

test('figures have three digits that matter', () => {
  expect([0, 0.2345, 1.5, 12.34, 1234.5].map(shown)).toEqual(['0', '0.235', '1.5', '12.3', '1,235']);
});

test('words of a plot cannot become markup', () => {
  const rows = [{ name: '<b>"&', values: [1] }];
  const svg = dotRows({ title: 'a & b', unit: 'ms', sizes: ['<i>'], rows });
  expect(svg).toContain('&lt;b>&quot;&amp;');
  expect(svg).not.toMatch(/<[bi]>/);
});

test('a size that was not measured leaves a gap, not a zero', () => {
  const panel = { title: 'Cost', unit: 'ms', series: [{ name: 'program', values: [1, null, 2] }] };
  const svg = linePanels({ title: 'Growth', sizes: ['1', '2', '3'], sizesAre: 'connections', panels: [panel] });
  const points = /points="([^"]*)"/.exec(svg)![1]!.split(' ');
  expect(points).toHaveLength(2);
  expect(svg).not.toContain('NaN');
});
