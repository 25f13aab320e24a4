/**
 * Plots as SVG text, readable in light and dark (`prefers-color-scheme`), with every figure written beside its mark: a plot
 * that cannot be read off is decoration.
 */

/** One line through the sizes measured; null where nothing was measured. */
export type Series = { name: string; values: (number | null)[] };
export type Panel = { title: string; unit: string; series: Series[] };

const PANEL_WIDTH = 300;
const PLOT = { left: 54, right: 50, top: 52, height: 150 };
const ROW_HEIGHT = 22;

/**
 * Panels side by side, each with lines over the same sizes. The sizes stand at equal distances: they are powers of ten, and
 * nothing lies between them that was measured.
 */
export function linePanels(plot: { title: string; sizes: string[]; sizesAre: string; panels: Panel[] }): string {
  const width = plot.panels.length * PANEL_WIDTH + 20;
  const parts = plot.panels.map((panel, place) =>
    group(10 + place * PANEL_WIDTH, 40, linePanel(panel, plot.sizes, plot.sizesAre)),
  );
  const height = 40 + PLOT.top + PLOT.height + 78;
  return frame(width, height, plot.title, parts.join('\n'));
}

function linePanel(panel: Panel, sizes: string[], sizesAre: string): string {
  const top = niceTop(Math.max(0, ...panel.series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const inner = PANEL_WIDTH - PLOT.left - PLOT.right;
  const x = (place: number) => PLOT.left + (sizes.length === 1 ? inner / 2 : (inner * place) / (sizes.length - 1));
  const y = (value: number) => PLOT.top + PLOT.height * (1 - value / top);
  const parts = [text(0, 14, panel.title, 'heading'), text(0, 30, panel.unit, 'quiet')];
  for (const share of [0, 0.5, 1]) {
    parts.push(line(44, y(top * share), PANEL_WIDTH - PLOT.right + 6, y(top * share), 'grid'));
    parts.push(text(38, y(top * share) + 4, shown(top * share), 'quiet end'));
  }
  for (const [place, size] of sizes.entries())
    parts.push(text(x(place), PLOT.top + PLOT.height + 18, size, 'quiet middle'));
  parts.push(text(PLOT.left + inner / 2, PLOT.top + PLOT.height + 34, sizesAre, 'quiet middle'));
  const ends = apart(panel.series.map(({ values }) => y(values.at(-1) ?? 0)));
  for (const [index, { name, values }] of panel.series.entries()) {
    const points = values.flatMap((value, place) => (value === null ? [] : [{ x: x(place), y: y(value), value }]));
    parts.push(
      `<polyline class="series s${index}" points="${points.map((point) => `${point.x},${round(point.y)}`).join(' ')}"/>`,
    );
    for (const point of points)
      parts.push(dot(point.x, point.y, index, `${name}: ${shown(point.value)} ${panel.unit}`));
    const last = values.at(-1);
    if (last != null) parts.push(text(x(sizes.length - 1) + 8, ends[index]! + 4, shown(last), `value t${index}`));
    parts.push(
      dot(4, PLOT.top + PLOT.height + 50 + index * 14, index),
      text(12, PLOT.top + PLOT.height + 54 + index * 14, name),
    );
  }
  return parts.join('\n');
}

/**
 * Rows with one dot for each of a few sizes, on one scale from zero.
 *
 * @param plot.limit drawn as a line that no dot should pass
 */
export function dotRows(plot: {
  title: string;
  unit: string;
  sizes: string[];
  limit?: { at: number; says: string };
  rows: { name: string; values: (number | null)[] }[];
}): string {
  const labels = 330;
  const inner = 430;
  const highest = Math.max(
    plot.limit?.at ?? 0,
    ...plot.rows.flatMap(({ values }) => values.map((value) => value ?? 0)),
  );
  const top = niceTop(highest);
  const x = (value: number) => labels + (inner * value) / top;
  const firstRow = 92;
  const bottom = firstRow + plot.rows.length * ROW_HEIGHT;
  const parts = [text(labels, 80, `0 ${plot.unit}`, 'quiet'), text(x(top), 80, shown(top), 'quiet middle')];
  for (const [index, size] of plot.sizes.entries())
    parts.push(dot(labels + index * 150 + 4, 52, index), text(labels + index * 150 + 12, 56, size));
  for (const share of [0, 0.5, 1]) parts.push(line(x(top * share), 86, x(top * share), bottom, 'grid'));
  if (plot.limit !== undefined) {
    parts.push(line(x(plot.limit.at), 86, x(plot.limit.at), bottom, 'limit'));
    parts.push(text(x(plot.limit.at), bottom + 16, plot.limit.says, 'quiet middle'));
  }
  for (const [place, { name, values }] of plot.rows.entries()) {
    const y = firstRow + place * ROW_HEIGHT + ROW_HEIGHT / 2;
    parts.push(text(labels - 12, y + 4, name, 'end'));
    for (const [index, value] of values.entries()) {
      if (value !== null)
        parts.push(dot(x(value), y, index, `${name}, ${plot.sizes[index]}: ${shown(value)} ${plot.unit}`));
    }
    const last = values.at(-1);
    if (last != null) {
      const furthest = Math.max(...values.map((value) => value ?? 0));
      parts.push(text(x(furthest) + 9, y + 4, shown(last), `value t${values.length - 1}`));
    }
  }
  return frame(labels + inner + 60, bottom + 28, plot.title, parts.join('\n'));
}

const STYLE = `
  .paper { fill: #ffffff } text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
  .heading { font-weight: 600 } .quiet { fill: #59636e; font-size: 11px } .value { font-weight: 600 }
  .middle { text-anchor: middle } .end { text-anchor: end } .grid { stroke: #d8dee4 } .limit { stroke: #b42318; stroke-dasharray: 4 3 }
  .series { fill: none; stroke-width: 2 } .s0 { stroke: #0b62d6 } .s1 { stroke: #b45309 } .s2 { stroke: #0f7b4f }
  .d0, .t0 { fill: #0b62d6 } .d1, .t1 { fill: #b45309 } .d2, .t2 { fill: #0f7b4f }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #10151c } text { fill: #e6edf3 } .quiet { fill: #9aa5b1 } .grid { stroke: #313a45 } .limit { stroke: #ff8a7a }
    .s0 { stroke: #6cb2ff } .s1 { stroke: #f2a65e } .s2 { stroke: #5ecb95 }
    .d0, .t0 { fill: #6cb2ff } .d1, .t1 { fill: #f2a65e } .d2, .t2 { fill: #5ecb95 }
  }`;

function frame(width: number, height: number, title: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
${text(10, 26, title, 'title')}
${content}
</svg>
`;
}

function group(x: number, y: number, content: string): string {
  return `<g transform="translate(${x} ${y})">\n${content}\n</g>`;
}

function text(x: number, y: number, words: string, names = ''): string {
  return `<text x="${round(x)}" y="${round(y)}"${names && ` class="${names}"`}>${escaped(words)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number, name: string): string {
  return `<line class="${name}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

/** @param says told when the pointer rests on it */
function dot(x: number, y: number, index: number, says?: string): string {
  const title = says === undefined ? '' : `<title>${escaped(says)}</title>`;
  return `<circle class="d${index}" cx="${round(x)}" cy="${round(y)}" r="4">${title}</circle>`;
}

/** Moves figures that would stand on each other apart; in the order given. */
function apart(ys: number[]): number[] {
  const order = ys.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  for (let at = 1; at < order.length; at++) order[at]!.y = Math.max(order[at]!.y, order[at - 1]!.y + 14);
  return order.sort((a, b) => a.index - b.index).map(({ y }) => y);
}

/** The next round number: 1, 2, 2.5 or 5 times a power of ten. */
export function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

/** Three digits that matter. */
export function shown(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en', { maximumFractionDigits: Math.min(3, digits) });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
