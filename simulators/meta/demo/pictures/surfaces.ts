import { type Drawing, darker, lighter, mix, path, round } from './drawing.ts';
import { between } from './random.ts';

export type Surface =
  | 'oak'
  | 'walnut'
  | 'whitewash'
  | 'marble'
  | 'slate'
  | `linen-${keyof typeof linenColours}`
  | `gingham-${keyof typeof ginghamColours}`
  | `tiles-${keyof typeof tileColours}`
  | `plaster-${keyof typeof plasterColours}`;

const linenColours = {
  natural: '#e6dac4',
  sage: '#aebb9d',
  rose: '#e3b9ab',
  blue: '#8fa7bb',
  ochre: '#e0b769',
} as const;
const ginghamColours = { red: '#c94a3f', green: '#5d8a5a', blue: '#4f78a8' } as const;
const tileColours = { teal: '#2f8583', white: '#ece8df', indigo: '#3c5a8c', green: '#4c7f5f' } as const;
const plasterColours = {
  terracotta: '#cf7d58',
  pink: '#efc6bb',
  sky: '#bcd7de',
  cream: '#f1e6d0',
  olive: '#7d8a5b',
  plum: '#5f4258',
  butter: '#f6d98a',
} as const;

const FULL = 'width="600" height="600"';

/** Covers the whole picture with a table top. */
export function paintSurface(d: Drawing, surface: Surface): void {
  const [kind, colour = ''] = surface.split('-') as [string, string?];
  if (kind === 'oak') paintPlanks(d, '#c99a63', 0.3);
  else if (kind === 'walnut') paintPlanks(d, '#6d4630', 0.34);
  else if (kind === 'whitewash') paintPlanks(d, '#e4dccf', 0.16);
  else if (kind === 'marble') paintMarble(d);
  else if (kind === 'slate') paintSlate(d);
  else if (kind === 'linen') paintLinen(d, linenColours[colour as keyof typeof linenColours]);
  else if (kind === 'gingham') paintGingham(d, ginghamColours[colour as keyof typeof ginghamColours]);
  else if (kind === 'tiles') paintTiles(d, tileColours[colour as keyof typeof tileColours]);
  else paintPlaster(d, plasterColours[colour as keyof typeof plasterColours]);
}

/** Daylight from the top left and a darker far corner, over everything. */
export function paintLight(d: Drawing): void {
  const light = d.radial(
    [
      [0, '#fff8e8', 0.2],
      [0.45, '#fff8e8', 0],
      [1, '#4a2008', 0.24],
    ],
    { x: 0.18, y: 0.12 },
  );
  d.add(`<rect ${FULL} fill="${light}"/>`);
}

function paintPlanks(d: Drawing, colour: string, grain: number): void {
  const seed = Math.floor(d.random() * 90);
  const widths = [between(d.random, 120, 170), between(d.random, 130, 180), between(d.random, 110, 160), 300];
  let left = 0;
  for (const width of widths) {
    const tint = mix(colour, d.random() < 0.5 ? lighter(colour, 0.25) : darker(colour, 0.2), d.random());
    d.add(`<rect x="${round(left)}" width="${round(width)}" height="600" fill="${tint}"/>`);
    left += width;
    d.add(`<rect x="${round(left - 2.5)}" width="2.5" height="600" fill="${darker(colour, 0.75)}" opacity=".55"/>`);
    d.add(`<rect x="${round(left)}" width="1.5" height="600" fill="${lighter(colour, 0.6)}" opacity=".4"/>`);
  }
  const dark = darker(colour, 0.6);
  d.add(
    `<rect ${FULL} fill="${dark}" filter="${noise(d, 'grain', '0.09 0.006', 3, seed, 3.2, -1.35)}" opacity="${grain * 2}"/>`,
  );
  for (let knot = 0; knot < 2; knot += 1) {
    const x = round(between(d.random, 30, 570));
    const y = round(between(d.random, 30, 570));
    d.add(`<ellipse cx="${x}" cy="${y}" rx="5" ry="13" fill="${dark}" opacity="${grain}"/>`);
    d.add(
      `<ellipse cx="${x}" cy="${y}" rx="12" ry="28" fill="none" stroke="${dark}" stroke-width="2" opacity="${grain / 2}"/>`,
    );
  }
}

function paintMarble(d: Drawing): void {
  d.add(`<rect ${FULL} fill="#f1efec"/>`);
  const seed = Math.floor(d.random() * 90);
  d.add(
    `<rect ${FULL} fill="#8f9197" filter="${noise(d, 'cloud', '0.006 0.011', 4, seed, 2.2, -0.95)}" opacity=".45"/>`,
  );
  for (let vein = 0; vein < 5; vein += 1) {
    const y = between(d.random, -120, 600);
    const bends = [1, 2, 3, 4]
      .map(
        (step) =>
          `S${step * 170 - 70} ${round(y + step * 60 + between(d.random, -70, 70))} ${step * 170} ${round(y + step * 62)}`,
      )
      .join('');
    const line = `M-20 ${round(y)}${bends}`;
    d.add(
      path(
        line,
        `fill="none" stroke="#8d9098" stroke-width="${round(between(d.random, 5, 12))}" opacity=".22" filter="${d.blur(5)}"`,
      ),
    );
    d.add(path(line, 'fill="none" stroke="#73767e" stroke-width="1.2" opacity=".4"'));
  }
}

function paintSlate(d: Drawing): void {
  d.add(`<rect ${FULL} fill="#3d4347"/>`);
  const seed = Math.floor(d.random() * 90);
  d.add(`<rect ${FULL} fill="#0d0f10" filter="${noise(d, 'slate', '0.012 0.03', 4, seed, 3, -1.3)}" opacity=".6"/>`);
  d.add(`<rect ${FULL} fill="#aab2b5" filter="${noise(d, 'dust', '0.4', 2, seed + 7, 4, -2.7)}" opacity=".35"/>`);
}

function paintLinen(d: Drawing, colour: string): void {
  d.add(`<rect ${FULL} fill="${colour}"/>`);
  const weave = d.define(
    'weave',
    () =>
      `<pattern id="weave" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(4)">` +
      `<path d="M0 1.2H5M0 3.7H5" stroke="${darker(colour, 0.5)}" stroke-width=".7" opacity=".25"/>` +
      `<path d="M1.2 0V5M3.7 0V5" stroke="${lighter(colour, 0.9)}" stroke-width=".8" opacity=".35"/></pattern>`,
  );
  d.add(`<rect ${FULL} fill="${weave}"/>`);
  for (let fold = 0; fold < 4; fold += 1) {
    const x = between(d.random, -100, 600);
    const bend = between(d.random, -80, 80);
    const line = `M${round(x)} -30Q${round(x + bend)} 300 ${round(x + 150)} 640`;
    d.add(
      path(line, `fill="none" stroke="${darker(colour, 0.6)}" stroke-width="26" opacity=".2" filter="${d.blur(14)}"`),
    );
    d.add(
      `<g transform="translate(-24)">${path(line, `fill="none" stroke="#fff" stroke-width="18" opacity=".35" filter="${d.blur(14)}"`)}</g>`,
    );
  }
}

function paintGingham(d: Drawing, colour: string): void {
  d.add(`<rect ${FULL} fill="#faf5ea"/>`);
  const check = d.define(
    'check',
    () =>
      `<pattern id="check" width="64" height="64" patternUnits="userSpaceOnUse" patternTransform="rotate(${round(between(d.random, -16, 16))})">` +
      `<path d="M0 0H32V64H0z" fill="${colour}" opacity=".55"/><path d="M0 0H64V32H0z" fill="${colour}" opacity=".55"/>` +
      `<path d="M0 0H32V32H0z" fill="${colour}" opacity=".5"/></pattern>`,
  );
  d.add(`<rect ${FULL} fill="${check}"/>`);
  const thread = d.define(
    'thread',
    () =>
      `<pattern id="thread" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 1H4" stroke="#fff" stroke-width=".8" opacity=".3"/><path d="M3 0V4" stroke="#5a2a1a" stroke-width=".6" opacity=".12"/></pattern>`,
  );
  d.add(`<rect ${FULL} fill="${thread}"/>`);
}

function paintTiles(d: Drawing, colour: string): void {
  d.add(`<rect ${FULL} fill="${mix(colour, '#d9d2c4', 0.65)}"/>`);
  const edge = 96;
  for (let row = -1; row < 7; row += 1) {
    for (let column = -1; column < 7; column += 1) {
      const tint = mix(colour, d.random() < 0.5 ? lighter(colour, 0.4) : darker(colour, 0.4), d.random() * 0.6);
      const gloss = d.linear([
        [0, '#ffffff', 0.35],
        [0.45, '#ffffff', 0],
        [1, '#1a0f08', 0.22],
      ]);
      const x = column * edge + (row % 2 === 0 ? 30 : 0);
      const box = `x="${x}" y="${row * edge + 40}" width="91" height="91" rx="5"`;
      d.add(`<rect ${box} fill="${tint}"/>`);
      if (d.random() < 0.6) d.add(`<rect ${box} fill="${gloss}"/>`);
    }
  }
}

function paintPlaster(d: Drawing, colour: string): void {
  d.add(`<rect ${FULL} fill="${colour}"/>`);
  const seed = Math.floor(d.random() * 90);
  d.add(
    `<rect ${FULL} fill="${darker(colour, 0.5)}" filter="${noise(d, 'stain', '0.008', 3, seed, 2, -0.9)}" opacity=".22"/>`,
  );
  d.add(`<rect ${FULL} fill="#fff" filter="${noise(d, 'sand', '0.6', 1, seed, 3, -1.8)}" opacity=".22"/>`);
}

/** A filter that keeps of a filled shape only what a noise lets through: `gain` and `cut` say how hard its edges are. */
function noise(
  d: Drawing,
  id: string,
  frequency: string,
  octaves: number,
  seed: number,
  gain: number,
  cut: number,
): string {
  return d.define(
    id,
    () =>
      `<filter id="${id}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="${octaves}" seed="${seed}"/>` +
      `<feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${gain} 0 0 0 ${cut}"/><feComposite in="SourceGraphic" operator="in"/></filter>`,
  );
}
