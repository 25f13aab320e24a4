import {
  blob,
  circle,
  type Drawing,
  darker,
  ellipse,
  lighter,
  type Point,
  path,
  polar,
  round,
  smooth,
  spread,
} from './drawing.ts';
import { between, oneOf } from './random.ts';

/** What lies on plates and beside them, each drawn around 0,0 about 20 in radius, so that one basil leaf is right everywhere. */
export type Ingredient = keyof typeof shapes;

/** Puts one ingredient down; round things should not be turned far, or their light comes from the wrong side. */
export function put(d: Drawing, ingredient: Ingredient, at: Point, turn = 0, size = 1): void {
  d.place(ingredient, () => shapes[ingredient](d), at, turn, size);
}

/** Scatters some ingredients over a disc, each turned and sized a little differently. */
export function strew(
  d: Drawing,
  ingredients: readonly Ingredient[],
  count: number,
  over: { radius: number; from?: number; size?: number; at?: Point },
): void {
  for (const point of spread(d.random, count, over.radius, over.from)) {
    const at = { x: point.x + (over.at?.x ?? 0), y: point.y + (over.at?.y ?? 0) };
    const size = (over.size ?? 1) * between(d.random, 0.85, 1.15);
    put(d, oneOf(d.random, ingredients), at, between(d.random, 0, 360), size);
  }
}

/** A soft dark halo that lifts a thing from what it lies on. */
function lift(d: Drawing, rx: number, ry = rx): string {
  const shade = d.ring([
    [0.62, '#1c0d04', 0.5],
    [1, '#1c0d04', 0],
  ]);
  return ellipse({ x: 0, y: 0 }, rx * 1.22, ry * 1.22, `fill="${shade}"`);
}

function leaf(d: Drawing, light: string, dark: string, width: number): string {
  const fill = d.linear(
    [
      [0, lighter(light, 0.15)],
      [0.5, light],
      [1, dark],
    ],
    [0, 0.2, 1, 0.8],
  );
  const outline = `M0-27C${width}-20 ${width} 6 0 27C-${width} 6-${width}-20 0-27Z`;
  const veins = `M0-24Q2 0 0 30M0-12L${width * 0.45}-17M0-12L-${width * 0.45}-17M0-2L${width * 0.5}-7M0-2L-${width * 0.5}-7M0 9L${width * 0.35} 5M0 9L-${width * 0.35} 5`;
  return (
    lift(d, width * 0.8, 25) +
    path(outline, `fill="${fill}"`) +
    path(`M0-27C${width}-20 ${width} 6 0 27Q5 0 0-27Z`, `fill="${dark}" opacity=".35"`) +
    path(veins, `fill="none" stroke="${lighter(light, 0.5)}" stroke-width="1" opacity=".6"`)
  );
}

function citrus(d: Drawing, rind: string, flesh: string): string {
  const segments = Array.from({ length: 9 }, (_, index) => {
    const angle = (index / 9) * 2 * Math.PI;
    const [left, right] = [polar(angle + 0.06, 15.5), polar(angle + 0.64, 15.5)];
    return `M${round(polar(angle + 0.35, 2).x)} ${round(polar(angle + 0.35, 2).y)}L${round(left.x)} ${round(left.y)}A15.5 15.5 0 0 1 ${round(right.x)} ${round(right.y)}Z`;
  }).join('');
  const pulp = d.ring([
    [0, lighter(flesh, 0.45)],
    [0.7, flesh],
    [1, darker(flesh, 0.06)],
  ]);
  return (
    lift(d, 20) +
    circle({ x: 0, y: 0 }, 20, `fill="${rind}"`) +
    circle({ x: 0, y: 0 }, 17.8, 'fill="#fff8e2"') +
    path(segments, `fill="${pulp}" stroke="${pulp}" stroke-width="1.6" stroke-linejoin="round"`) +
    path(
      'M-11-11A15 15 0 0 1 4-15',
      'fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" opacity=".55"',
    )
  );
}

function ball(d: Drawing, radius: number, colour: string, shine = 0.5): string {
  const fill = d.radial([
    [0, lighter(colour, 0.45)],
    [0.45, colour],
    [1, darker(colour, 0.5)],
  ]);
  return (
    lift(d, radius) +
    circle({ x: 0, y: 0 }, radius, `fill="${fill}"`) +
    ellipse({ x: -radius * 0.35, y: -radius * 0.42 }, radius * 0.24, radius * 0.15, `fill="#fff" opacity="${shine}"`)
  );
}

function crumb(d: Drawing, colour: string, radius = 14): string {
  const fill = d.radial([
    [0, lighter(colour, 0.4)],
    [0.55, colour],
    [1, darker(colour, 0.35)],
  ]);
  return lift(d, radius) + path(blob(d.random, radius, 0.22, 6), `fill="${fill}"`);
}

function ruffled(d: Drawing, light: string, dark: string): string {
  const fill = d.ring([
    [0, lighter(light, 0.55)],
    [0.55, light],
    [1, dark],
  ]);
  const outline = smooth(
    Array.from({ length: 22 }, (_, index) => {
      const at = polar((index / 22) * 2 * Math.PI, (index % 2 === 0 ? 30 : 22) * between(d.random, 0.9, 1.1));
      return { x: at.x * 0.82, y: at.y };
    }),
  );
  return (
    lift(d, 24, 28) +
    path(outline, `fill="${fill}"`) +
    path(
      'M0 27Q3 0-1-22M0 14L12 2M0 14L-12 3M0 2L11-10M0 2L-11-9',
      `fill="none" stroke="${lighter(light, 0.75)}" stroke-width="1.6" opacity=".65" stroke-linecap="round"`,
    )
  );
}

function rings(colour: string, inner: string, width: number): string {
  return (
    circle({ x: 1, y: 1.5 }, 12, `fill="none" stroke="#1c0d04" stroke-width="${width}" opacity=".25"`) +
    circle({ x: 0, y: 0 }, 12, `fill="none" stroke="${colour}" stroke-width="${width}"`) +
    circle({ x: 0, y: 0 }, 11, `fill="none" stroke="${inner}" stroke-width="${width * 0.45}"`)
  );
}

function halfEgg(d: Drawing): string {
  const white = d.radial([
    [0, '#ffffff'],
    [0.7, '#fbf6ea'],
    [1, '#dccfb8'],
  ]);
  const yolk = d.radial([
    [0, '#ffd257'],
    [0.6, '#f79a1c'],
    [1, '#d2700d'],
  ]);
  return (
    lift(d, 24, 30) +
    path('M0-31C17-31 25-8 24 6C23 22 12 30 0 30C-12 30-23 22-24 6C-25-8-17-31 0-31Z', `fill="${white}"`) +
    circle({ x: 0, y: 5 }, 14.5, `fill="${yolk}"`) +
    ellipse({ x: -5, y: -1 }, 4.5, 3, 'fill="#fff" opacity=".75"')
  );
}

function seeds(d: Drawing, count: number, radius: number, colour: string, length: number): string {
  return spread(d.random, count, radius)
    .map((at) => ellipse(at, length * 0.5, length * 0.28, `fill="${colour}"`))
    .join('');
}

const shapes = {
  basil: (d: Drawing) => leaf(d, '#6fae3d', '#256b2a', 20),
  mint: (d: Drawing) => leaf(d, '#7cc576', '#2d8048', 16),
  spinach: (d: Drawing) => leaf(d, '#4f9240', '#1f5527', 23),
  sage: (d: Drawing) => leaf(d, '#a9bd94', '#6d8561', 12),
  bay: (d: Drawing) => leaf(d, '#91a35a', '#4f6130', 11),
  lettuce: (d: Drawing) => ruffled(d, '#8fc74a', '#4c9130'),
  radicchio: (d: Drawing) => ruffled(d, '#b34a74', '#6f1f48'),
  kale: (d: Drawing) => ruffled(d, '#4f8a48', '#1f5130'),
  arugula: (d: Drawing) =>
    lift(d, 8, 26) +
    path(
      'M0 32C-2 20-4 18-9 17C-6 13-4 10-3 7C-8 7-12 4-15 0C-9 0-5-2-4-5C-9-7-12-11-12-15C-6-14-4-18 0-28C4-18 6-14 12-15C12-11 9-7 4-5C5-2 9 0 15 0C12 4 8 7 3 7C4 10 6 13 9 17C4 18 2 20 0 32Z',
      `fill="${d.linear([
        [0, '#77b846'],
        [1, '#2f7433'],
      ])}"`,
    ) +
    path('M0 32L0-22', 'stroke="#bfe08c" stroke-width="1.3" opacity=".7"'),
  parsley: (d: Drawing) =>
    path('M0 22Q2 8 0-2M0 10L-10 2M0 8L10 0', 'fill="none" stroke="#4f8f35" stroke-width="2"') +
    [
      [0, -10],
      [-12, -1],
      [11, -3],
      [-6, -14],
      [7, -15],
    ]
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})">${path(
            blob(d.random, 8, 0.35, 9),
            `fill="${d.radial([
              [0, '#8cc54f'],
              [1, '#2f7a2f'],
            ])}"`,
          )}</g>`,
      )
      .join(''),
  rosemary: () => {
    const needles = Array.from({ length: 13 }, (_, index) => {
      const y = 28 - index * 4.6;
      const reach = 13 - Math.abs(index - 5) * 0.7;
      return `M0 ${round(y)}L${round(reach)} ${round(y - 9)}M0 ${round(y)}L${round(-reach)} ${round(y - 9)}`;
    }).join('');
    return (
      path(
        needles,
        'transform="translate(1.5 2)" stroke="#1c0d04" stroke-width="3" opacity=".3" stroke-linecap="round"',
      ) +
      path('M0 34L0-30', 'stroke="#7a6a3c" stroke-width="2.4"') +
      path(needles, 'stroke="#3f6b45" stroke-width="3" stroke-linecap="round"') +
      path(needles, 'stroke="#86ad77" stroke-width="1" stroke-linecap="round"')
    );
  },
  dill: () => {
    const fronds = Array.from({ length: 8 }, (_, index) => {
      const y = 20 - index * 6;
      return `M0 ${y}q7-3 13-13m-8 9q1-5 0-9M0 ${y}q-7-3-13-13m8 9q-1-5 0-9`;
    }).join('');
    return path(`M0 32L0-26${fronds}`, 'fill="none" stroke="#5d9a45" stroke-width="1.6" stroke-linecap="round"');
  },
  scallion: () => rings('#3f9a3f', '#c9ec9c', 5),
  redOnion: () => rings('#9a2d63', '#f4d3e4', 4),
  olive: () => rings('#2f2733', '#5d4d62', 11),
  greenOlive: () => rings('#7d8a2e', '#b2bb5d', 10),
  chili: () => rings('#c2190f', '#ffb09c', 6),
  cherryTomato: (d: Drawing) =>
    lift(d, 18) +
    circle(
      { x: 0, y: 0 },
      18,
      `fill="${d.radial([
        [0, '#f4603f'],
        [0.7, '#d42b1b'],
        [1, '#99140d'],
      ])}"`,
    ) +
    circle({ x: 0, y: 0 }, 14.5, 'fill="#ee6a4b"') +
    [0, 1, 2]
      .map((third) => {
        const at = polar((third / 3) * 2 * Math.PI + 0.5, 7.4);
        return `<g transform="translate(${round(at.x)} ${round(at.y)}) rotate(${third * 120 + 28})"><ellipse rx="4.4" ry="6.4" fill="#c92c1c"/><ellipse cx="1" cy="-2" rx="1.2" ry="1.8" fill="#ffdf8f"/><ellipse cx="1" cy="2.4" rx="1.2" ry="1.8" fill="#ffdf8f"/></g>`;
      })
      .join('') +
    path('M-12-7A14 14 0 0 1-3-13', 'fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" opacity=".7"'),
  wholeTomato: (d: Drawing) =>
    ball(d, 20, '#d8321f', 0.8) +
    path(
      'M0-5L3-13L4-4L13-3L6 2L9 10L0 5L-8 10L-5 2L-13-3L-4-4L-3-12Z',
      'fill="#4c7d2e" stroke="#2c5a1c" stroke-width="1"',
    ),
  tomatoSlice: (d: Drawing) =>
    lift(d, 22) +
    circle(
      { x: 0, y: 0 },
      22,
      `fill="${d.radial([
        [0, '#ee5a3c'],
        [1, '#b51f12'],
      ])}"`,
    ) +
    circle({ x: 0, y: 0 }, 19, 'fill="#e9694b"') +
    [0, 1, 2, 3, 4]
      .map((fifth) => {
        const at = polar((fifth / 5) * 2 * Math.PI, 11.5);
        return `<g transform="translate(${round(at.x)} ${round(at.y)}) rotate(${fifth * 72 + 90})"><ellipse rx="5" ry="5.8" fill="#c42a19"/><circle cx="-1.6" cy="-1" r="1.3" fill="#ffe19a"/><circle cx="1.7" cy="1.4" r="1.3" fill="#ffe19a"/></g>`;
      })
      .join(''),
  cucumber: (d: Drawing) =>
    lift(d, 18) +
    circle({ x: 0, y: 0 }, 18, 'fill="#2f6b34"') +
    circle(
      { x: 0, y: 0 },
      16,
      `fill="${d.ring([
        [0, '#e3f0b8'],
        [0.5, '#d3e9a5'],
        [1, '#b4d67c'],
      ])}"`,
    ) +
    Array.from({ length: 9 }, (_, i) => {
      const at = polar((i / 9) * 6.283, 8);
      return `<ellipse cx="${round(at.x)}" cy="${round(at.y)}" rx="2.4" ry="1.2" transform="rotate(${i * 40} ${round(at.x)} ${round(at.y)})" fill="#f6f9dc" stroke="#a8c274" stroke-width=".6"/>`;
    }).join(''),
  radish: (d: Drawing) =>
    lift(d, 14) +
    circle({ x: 0, y: 0 }, 14, 'fill="#d3265f"') +
    circle(
      { x: 0, y: 0 },
      12,
      `fill="${d.ring([
        [0, '#ffffff'],
        [0.8, '#fdf3f4'],
        [1, '#f6cdd9'],
      ])}"`,
    ),
  feta: (d: Drawing) =>
    lift(d, 13) +
    path(
      'M-13-8L2-14L14-5L11 10L-4 14L-14 6Z',
      `fill="${d.linear([
        [0, '#ffffff'],
        [1, '#dcd3bd'],
      ])}" stroke="#fff" stroke-width="2" stroke-linejoin="round"`,
    ) +
    path('M-8-2L-3-5M4 4L8 2M-2 8L1 9', 'stroke="#cfc4a8" stroke-width="1.5"'),
  parmesan: (d: Drawing) =>
    lift(d, 15, 8) +
    path(
      'M-18-3Q-6-12 6-8Q16-6 18 0Q6 2 0 7Q-8 8-18-3Z',
      `fill="${d.linear([
        [0, '#fff6d6'],
        [1, '#e2c57c'],
      ])}"`,
    ),
  mozzarella: (d: Drawing) =>
    lift(d, 22) +
    path(
      blob(d.random, 22, 0.1, 8),
      `fill="${d.radial([
        [0, '#ffffff'],
        [0.7, '#faf4e6'],
        [1, '#d6c8ac'],
      ])}"`,
    ) +
    ellipse({ x: -7, y: -8 }, 6, 3, 'fill="#fff"'),
  crouton: (d: Drawing) =>
    lift(d, 14) +
    `<rect x="-13" y="-13" width="26" height="26" rx="5" fill="${d.linear([
      [0, '#f3cf8c'],
      [0.6, '#d6983f'],
      [1, '#935518'],
    ])}"/>` +
    path(
      'M-7-5h.1M3-7h.1M-2 3h.1M7 5h.1M-7 8h.1',
      'stroke="#8a5218" stroke-width="3" stroke-linecap="round" opacity=".6"',
    ),
  chickpea: (d: Drawing) =>
    ball(d, 11, '#e3bd78', 0.6) + path('M2-9Q6 0 1 9', 'fill="none" stroke="#a97c38" stroke-width="1.3"'),
  pea: (d: Drawing) => ball(d, 8, '#71b53a', 0.6),
  corn: (d: Drawing) =>
    lift(d, 8) +
    path(
      'M-7-6Q0-10 7-6L5 7Q0 10-5 7Z',
      `fill="${d.radial([
        [0, '#fff09a'],
        [0.5, '#f8c72c'],
        [1, '#c98a12'],
      ])}"`,
    ),
  blackBean: (d: Drawing) =>
    lift(d, 11, 7) +
    ellipse(
      { x: 0, y: 0 },
      11,
      7,
      `fill="${d.radial([
        [0, '#6b5560'],
        [1, '#1d1218'],
      ])}"`,
    ) +
    ellipse({ x: -3, y: -3 }, 3, 1.2, 'fill="#fff" opacity=".5"'),
  halfEgg,
  shrimp: (d: Drawing) => {
    const body =
      'M-6 22C-24 16-28-8-12-20C2-30 22-20 22-4C22 2 16 5 12 2C13-6 6-11-2-8C-12-4-12 6-4 11C0 14 0 21-6 22Z';
    return (
      lift(d, 24) +
      path(
        body,
        `fill="${d.linear([
          [0, '#ffc9a6'],
          [0.5, '#f58d62'],
          [1, '#d65f3c'],
        ])}"`,
      ) +
      path(
        'M-22-6Q-14-6-10-3M-16-16Q-10-12-7-8M-2-24Q0-16 0-9M12-20Q9-14 6-9M20-10Q14-8 10-5M-19 8Q-14 5-10 4',
        'fill="none" stroke="#fff0e0" stroke-width="2" opacity=".75"',
      ) +
      path('M-6 22L-16 30L-5 27L0 33L1 22Z', 'fill="#d8512f"')
    );
  },
  mussel: (d: Drawing) =>
    lift(d, 15, 26) +
    path(
      'M0-28C14-20 18 8 0 28C-18 8-14-20 0-28Z',
      `fill="${d.linear([
        [0, '#4a4f63'],
        [1, '#14151d'],
      ])}"`,
    ) +
    path(
      'M0-20C9-14 11 6 0 20C-11 6-9-14 0-20Z',
      `fill="${d.radial([
        [0, '#ffd28a'],
        [0.6, '#f0913a'],
        [1, '#b85f1d'],
      ])}"`,
    ),
  pepperoni: (d: Drawing) =>
    lift(d, 22) +
    circle(
      { x: 0, y: 0 },
      22,
      `fill="${d.radial([
        [0, '#d9523a'],
        [0.75, '#b5301f'],
        [1, '#7f170e'],
      ])}"`,
    ) +
    spread(d.random, 12, 17)
      .map((at) => circle(at, between(d.random, 1.2, 2.8), 'fill="#f0a184" opacity=".55"'))
      .join('') +
    path('M-15-9A18 18 0 0 1-4-17', 'fill="none" stroke="#fff" stroke-width="2.5" opacity=".4" stroke-linecap="round"'),
  mushroom: (d: Drawing) =>
    lift(d, 22, 20) +
    path(
      'M-24 0C-24-22 24-22 24 0C24 6 14 6 8 3L7 20Q0 24-7 20L-8 3C-14 6-24 6-24 0Z',
      `fill="${d.linear([
        [0, '#fbf1df'],
        [0.6, '#e6cfae'],
        [1, '#b08b62'],
      ])}" stroke="#8a6642" stroke-width="2"`,
    ) +
    path('M-15 0Q0-12 15 0', 'fill="none" stroke="#9c7650" stroke-width="3" opacity=".55"'),
  meat: (d: Drawing) =>
    crumb(d, '#8a4a26', 20) +
    path('M-8-7Q0-12 8-6', 'fill="none" stroke="#ffd9a8" stroke-width="3" opacity=".5" stroke-linecap="round"'),
  bacon: (d: Drawing) =>
    lift(d, 16, 8) +
    path(
      'M-17-5Q-8-10 0-5Q9 0 17-6L16 6Q8 11 0 6Q-8 1-17 7Z',
      `fill="${d.linear([
        [0, '#e08a6a'],
        [0.5, '#b5472e'],
        [1, '#7d2616'],
      ])}"`,
    ) +
    path('M-15 0Q-8-4 0 0Q8 5 15 0', 'fill="none" stroke="#f6d3b4" stroke-width="3" opacity=".85"'),
  chicken: (d: Drawing) =>
    crumb(d, '#d98d3d', 21) +
    path(
      'M-9-8Q0-14 9-6M-8 3L6 8',
      'fill="none" stroke="#7a3d12" stroke-width="3.4" opacity=".55" stroke-linecap="round"',
    ) +
    path('M-10-10Q-4-14 2-12', 'stroke="#fff" stroke-width="2.5" fill="none" opacity=".5" stroke-linecap="round"'),
  paneer: (d: Drawing) =>
    lift(d, 18) +
    `<rect x="-16" y="-15" width="32" height="30" rx="6" fill="${d.linear([
      [0, '#fff6dd'],
      [0.6, '#f2dba6'],
      [1, '#cf9d55'],
    ])}"/>` +
    path('M-9-6h12M-4 5h12', 'stroke="#b97a33" stroke-width="3" opacity=".5" stroke-linecap="round"'),
  tofu: (d: Drawing) =>
    lift(d, 15) +
    `<rect x="-13" y="-13" width="26" height="26" rx="4" fill="${d.linear([
      [0, '#fffaf0'],
      [1, '#dccba6'],
    ])}"/>`,
  falafel: (d: Drawing) => crumb(d, '#8c5d2b', 21) + seeds(d, 12, 15, '#c99a55', 4),
  potato: (d: Drawing) =>
    lift(d, 22, 18) +
    path(
      'M-22 2Q-18-17 4-17Q22-15 22 2Q16 17-4 16Q-20 16-22 2Z',
      `fill="${d.linear([
        [0, '#ffe9a4'],
        [0.55, '#eebd55'],
        [1, '#a96a1d'],
      ])}"`,
    ) +
    path(
      'M-12-6Q0-12 12-4M-8 8L8 6',
      'fill="none" stroke="#9b5c18" stroke-width="2.6" opacity=".5" stroke-linecap="round"',
    ),
  carrot: (d: Drawing) =>
    lift(d, 11, 34) +
    path(
      'M-10-30Q0-36 10-30Q9 4 2 36Q0 39-2 36Q-9 4-10-30Z',
      `fill="${d.linear(
        [
          [0, '#ffb04f'],
          [0.5, '#ee7c1d'],
          [1, '#a94a0c'],
        ],
        [0, 0, 1, 0.2],
      )}"`,
    ) +
    path('M-7-18h8M-1-4h7M-4 10h6M-1 20h3', 'stroke="#8f3d08" stroke-width="1.6" opacity=".55" stroke-linecap="round"'),
  carrotCoin: (d: Drawing) =>
    lift(d, 13) +
    circle(
      { x: 0, y: 0 },
      13,
      `fill="${d.ring([
        [0, '#ffc872'],
        [0.35, '#fbab48'],
        [0.5, '#f08c2a'],
        [1, '#d66a12'],
      ])}"`,
    ),
  beet: (d: Drawing) =>
    lift(d, 20) +
    path(
      blob(d.random, 20, 0.06, 8),
      `fill="${d.ring([
        [0, '#a02255'],
        [0.4, '#7b1241'],
        [0.5, '#98245a'],
        [0.75, '#6f0f3a'],
        [1, '#4a0626'],
      ])}"`,
    ) +
    path(
      'M-12-7A14 14 0 0 1-2-13',
      'fill="none" stroke="#fff" stroke-width="2.5" opacity=".45" stroke-linecap="round"',
    ),
  pumpkin: (d: Drawing) =>
    lift(d, 28, 14) +
    path(
      'M-30-2Q0-26 30-2Q26 8 18 8Q0-6-18 8Q-26 8-30-2Z',
      `fill="${d.linear(
        [
          [0, '#ffbf5c'],
          [0.6, '#ec8522'],
          [1, '#a64f0d'],
        ],
        [0.3, 0, 0.5, 1],
      )}"`,
    ) +
    path('M-30-2Q0-26 30-2', 'fill="none" stroke="#5c6b2b" stroke-width="3"'),
  broccoli: (d: Drawing) =>
    lift(d, 24) +
    path('M-6 4L-8 26Q0 30 8 26L6 4Z', 'fill="#a9c66c"') +
    [
      [-12, -2],
      [12, -2],
      [0, -14],
      [-8, -12],
      [9, -12],
      [0, 0],
    ]
      .map(
        ([x, y]) =>
          `<g transform="translate(${x} ${y})">${path(
            blob(d.random, 11, 0.16, 9),
            `fill="${d.radial([
              [0, '#83bd55'],
              [0.5, '#4a8b39'],
              [1, '#234f22'],
            ])}"`,
          )}</g>`,
      )
      .join('') +
    spread(d.random, 14, 16)
      .map((at) => circle({ x: at.x, y: at.y - 6 }, 1.3, 'fill="#b5dd86" opacity=".7"'))
      .join(''),
  sprout: (d: Drawing) =>
    ball(d, 17, '#84a84a', 0.3) +
    path(
      'M-15 4Q-4-10 14-6M-10 12Q4 0 16 4M-6-15Q2-4-2 16',
      'fill="none" stroke="#d9e9a6" stroke-width="1.8" opacity=".8"',
    ),
  redPepper: (d: Drawing) =>
    lift(d, 26, 12) +
    path(
      'M-26 4Q0-22 26 2',
      `fill="none" stroke="${d.linear([
        [0, '#f4573a'],
        [1, '#b01a10'],
      ])}" stroke-width="13" stroke-linecap="round"`,
    ) +
    path('M-22-1Q0-20 20-4', 'fill="none" stroke="#fff" stroke-width="2" opacity=".5" stroke-linecap="round"'),
  yellowPepper: (d: Drawing) =>
    lift(d, 26, 12) +
    path(
      'M-26 4Q0-22 26 2',
      `fill="none" stroke="${d.linear([
        [0, '#ffe05a'],
        [1, '#e09a12'],
      ])}" stroke-width="13" stroke-linecap="round"`,
    ) +
    path('M-22-1Q0-20 20-4', 'fill="none" stroke="#fff" stroke-width="2" opacity=".6" stroke-linecap="round"'),
  onionWedge: (d: Drawing) =>
    lift(d, 26, 12) +
    [0, 1, 2]
      .map((layer) =>
        path(
          `M-${26 - layer * 6} 8Q0-${24 - layer * 11} ${26 - layer * 6} 8`,
          `fill="none" stroke="${['#8b2a5c', '#c56c97', '#efc3d8'][layer]}" stroke-width="7" stroke-linecap="round"`,
        ),
      )
      .join(''),
  garlic: (d: Drawing) =>
    lift(d, 12, 17) +
    path(
      'M0-20C4-10 14-4 13 7C12 16 5 18 0 18C-6 18-13 15-13 6C-13-4-4-10 0-20Z',
      `fill="${d.radial([
        [0, '#fffaf2'],
        [0.6, '#f1e2ce'],
        [1, '#c7a98d'],
      ])}"`,
    ) +
    path('M0-14Q-5 4-3 16M1-12Q8 2 6 14', 'fill="none" stroke="#c9a9b0" stroke-width="1.2"'),
  avocado: (d: Drawing) =>
    lift(d, 12, 30) +
    path(
      'M-6-32Q16-22 15 4Q13 28-4 32Q6 4-6-32Z',
      `fill="${d.linear(
        [
          [0, '#f2ec9f'],
          [0.5, '#c9d86a'],
          [1, '#7fa834'],
        ],
        [0, 0.3, 1, 0.5],
      )}"`,
    ) +
    path('M-6-32Q16-22 15 4Q13 28-4 32', 'fill="none" stroke="#476b22" stroke-width="2.6"'),
  halfAvocado: (d: Drawing) =>
    lift(d, 26, 34) +
    path('M0-40C14-40 18-16 26 0C34 22 16 38 0 38C-16 38-34 22-26 0C-18-16-14-40 0-40Z', 'fill="#2f3d1c"') +
    path(
      'M0-36C11-36 15-14 22 1C29 20 14 34 0 34C-14 34-29 20-22 1C-15-14-11-36 0-36Z',
      `fill="${d.ring([
        [0, '#f5efab'],
        [0.65, '#e0e283'],
        [1, '#8fb140'],
      ])}"`,
    ) +
    `<g transform="translate(0 11)">${ball(d, 13, '#8a5529', 0.5)}</g>`,
  lemon: (d: Drawing) => citrus(d, '#f4c71c', '#fbdf5e'),
  lime: (d: Drawing) => citrus(d, '#5f9b2c', '#bfdc6c'),
  orange: (d: Drawing) => citrus(d, '#ec8318', '#faa63a'),
  bloodOrange: (d: Drawing) => citrus(d, '#dd6a1d', '#b3263a'),
  strawberry: (d: Drawing) =>
    lift(d, 17, 20) +
    path(
      'M0 22C-10 16-20 0-17-9C-14-18-4-17 0-14C4-17 14-18 17-9C20 0 10 16 0 22Z',
      `fill="${d.radial([
        [0, '#ff7a66'],
        [0.5, '#e22f35'],
        [1, '#9c1022'],
      ])}"`,
    ) +
    path('M0 14C-5 10-9 2-8-4C-6-9-2-9 0-6C2-9 6-9 8-4C9 2 5 10 0 14Z', 'fill="#ffd2c2" opacity=".85"') +
    path(
      'M-12-6h.1M-12 2h.1M-8 10h.1M12-6h.1M12 2h.1M8 10h.1M-5-13h.1M5-13h.1M0 18h.1',
      'stroke="#ffe29a" stroke-width="2.2" stroke-linecap="round"',
    ),
  wholeStrawberry: (d: Drawing) =>
    lift(d, 19, 22) +
    path(
      'M0 26C-12 20-22 0-19-9C-16-18 16-18 19-9C22 0 12 20 0 26Z',
      `fill="${d.radial([
        [0, '#ff7d62'],
        [0.45, '#e02a30'],
        [1, '#900c1e'],
      ])}"`,
    ) +
    path(
      'M-11-4h.1M-3-6h.1M6-4h.1M13-3h.1M-8 4h.1M1 3h.1M9 5h.1M-4 11h.1M4 12h.1M0 19h.1',
      'stroke="#ffe29a" stroke-width="2.3" stroke-linecap="round"',
    ) +
    path('M0-14L-15-9L-10-17L-14-23L-4-19L0-28L4-19L14-23L10-17L15-9Z', 'fill="#4e9a34"'),
  blueberry: (d: Drawing) => ball(d, 12, '#4a5a9c', 0.35) + path('M-4-1L-2-4L0-1L3-4L4 0L1 3L-3 3Z', 'fill="#1d2448"'),
  raspberry: (d: Drawing) =>
    lift(d, 14) +
    [
      [0, 0],
      [-8, 0],
      [8, 0],
      [-4, -8],
      [4, -8],
      [-4, 8],
      [4, 8],
      [0, -2],
    ]
      .map(([x, y]) =>
        circle(
          { x: x!, y: y! },
          5.6,
          `fill="${d.radial([
            [0, '#ff8d9c'],
            [0.5, '#dd3357'],
            [1, '#8f1033'],
          ])}"`,
        ),
      )
      .join(''),
  blackberry: (d: Drawing) =>
    lift(d, 14) +
    [
      [0, 0],
      [-8, 0],
      [8, 0],
      [-4, -8],
      [4, -8],
      [-4, 8],
      [4, 8],
      [0, -2],
    ]
      .map(([x, y]) =>
        circle(
          { x: x!, y: y! },
          5.6,
          `fill="${d.radial([
            [0, '#8d6fae'],
            [0.5, '#3d2657'],
            [1, '#170b26'],
          ])}"`,
        ),
      )
      .join(''),
  cherry: (d: Drawing) =>
    ball(d, 15, '#a3112c', 0.8) + path('M0-8Q10-26 24-30', 'fill="none" stroke="#5f7a2c" stroke-width="2.4"'),
  pomegranate: (d: Drawing) =>
    lift(d, 7) +
    path(
      'M0-8L7-2L5 7L-5 7L-7-1Z',
      `fill="${d.radial([
        [0, '#ff8d95'],
        [0.5, '#cf1f3d'],
        [1, '#800a24'],
      ])}" stroke="#a3122f" stroke-width="1.5" stroke-linejoin="round"`,
    ),
  banana: (d: Drawing) =>
    lift(d, 18) +
    circle(
      { x: 0, y: 0 },
      18,
      `fill="${d.ring([
        [0, '#f6e09d'],
        [0.35, '#fbeebd'],
        [0.85, '#fdf2c9'],
        [1, '#e5c978'],
      ])}"`,
    ) +
    path('M0-4L0-8M3 2L7 4M-3 2L-7 4', 'stroke="#6b4a22" stroke-width="2" stroke-linecap="round" opacity=".8"'),
  kiwi: (d: Drawing) =>
    lift(d, 20) +
    circle({ x: 0, y: 0 }, 20, 'fill="#7d6236"') +
    circle(
      { x: 0, y: 0 },
      18.5,
      `fill="${d.ring([
        [0, '#f7f5d0'],
        [0.25, '#eff0b4'],
        [0.36, '#a6cb45'],
        [1, '#6ea32a'],
      ])}"`,
    ) +
    Array.from({ length: 14 }, (_, i) => {
      const at = polar((i / 14) * 6.283, 8.6);
      return ellipse(at, 1.2, 1.2, 'fill="#23230f"');
    }).join(''),
  fig: (d: Drawing) =>
    lift(d, 20) +
    path('M0-24C8-18 21-6 20 6C19 18 8 22 0 22C-8 22-19 18-20 6C-21-6-8-18 0-24Z', 'fill="#54305c"') +
    path('M0-19C7-14 18-4 17 6C16 15 7 19 0 19C-7 19-16 15-17 6C-18-4-7-14 0-19Z', 'fill="#f1dfb9"') +
    ellipse(
      { x: 0, y: 4 },
      12.5,
      11.5,
      `fill="${d.ring([
        [0, '#f5a77d'],
        [0.5, '#cf4a58'],
        [1, '#932546'],
      ])}"`,
    ) +
    `<g transform="translate(0 4)">${seeds(d, 16, 10, '#ffe6a6', 2.6)}</g>`,
  peach: (d: Drawing) =>
    lift(d, 26, 12) +
    path(
      'M-28 6Q0-26 28 6Q0-2-28 6Z',
      `fill="${d.linear([
        [0, '#ffe08c'],
        [0.6, '#fbb04a'],
        [1, '#e3703a'],
      ])}"`,
    ) +
    path('M-28 6Q0-26 28 6', 'fill="none" stroke="#c94a3a" stroke-width="2.6"'),
  apple: (d: Drawing) =>
    lift(d, 26, 12) +
    path(
      'M-28 6Q0-26 28 6Q0-2-28 6Z',
      `fill="${d.linear([
        [0, '#fff4cf'],
        [0.7, '#f2d592'],
        [1, '#d39a4a'],
      ])}"`,
    ) +
    path('M-28 6Q0-26 28 6', 'fill="none" stroke="#b3382c" stroke-width="3"'),
  walnut: (d: Drawing) =>
    crumb(d, '#b07a43', 15) +
    path('M0-12Q3 0 0 12M-8-6Q-4 0-9 5M8-6Q4 0 9 5', 'fill="none" stroke="#6b421b" stroke-width="1.8"'),
  almond: (d: Drawing) =>
    lift(d, 9, 17) +
    path(
      'M0-18C10-10 13 6 0 16C-13 6-10-10 0-18Z',
      `fill="${d.linear([
        [0, '#dca063'],
        [1, '#84491c'],
      ])}"`,
    ) +
    path('M-3-8Q-5 2-1 10M3-8Q4 2 2 9', 'fill="none" stroke="#6d3a14" stroke-width="1"'),
  flakedAlmond: (d: Drawing) =>
    lift(d, 8, 13) +
    path(
      'M0-14C8-8 10 5 0 13C-10 5-8-8 0-14Z',
      `fill="${d.linear([
        [0, '#fff6e0'],
        [1, '#e8cd9c'],
      ])}" stroke="#b98048" stroke-width="1.6"`,
    ),
  pistachio: (d: Drawing) => crumb(d, '#9fb54c', 8),
  granola: (d: Drawing) => crumb(d, '#c58b46', 11) + seeds(d, 5, 7, '#f2d49a', 5),
  chocolate: (d: Drawing) =>
    lift(d, 13) +
    path(
      'M-12-9L2-13L13-5L10 9L-5 13L-13 4Z',
      `fill="${d.linear([
        [0, '#7a4a2c'],
        [0.5, '#4a2815'],
        [1, '#241008'],
      ])}"`,
    ) +
    path('M-10-8L2-11L4-6L-7-2Z', 'fill="#a06a44" opacity=".7"'),
  coconut: () =>
    path('M-14 4Q0-12 15-2', 'fill="none" stroke="#1c0d04" stroke-width="6" opacity=".2" stroke-linecap="round"') +
    path('M-14 2Q0-14 15-4', 'fill="none" stroke="#fffdf6" stroke-width="5" stroke-linecap="round"'),
  sesame: () =>
    ellipse({ x: 0.6, y: 1 }, 3, 5, 'fill="#1c0d04" opacity=".3"') + path('M0-5Q4 0 0 5Q-4 0 0-5Z', 'fill="#fbeecb"'),
  blackSesame: () => path('M0-5Q4 0 0 5Q-4 0 0-5Z', 'fill="#221a1c"'),
  pumpkinSeed: (d: Drawing) =>
    lift(d, 6, 11) +
    path(
      'M0-12C7-5 7 6 0 11C-7 6-7-5 0-12Z',
      `fill="${d.linear([
        [0, '#a9c47e'],
        [1, '#5c7b3e'],
      ])}"`,
    ),
  saltFlake: () => path('M-4-3L3-4L4 3L-3 4Z', 'fill="#fff" opacity=".92"'),
  pepper: () => circle({ x: 0, y: 0 }, 1.8, 'fill="#2b2019"'),
  herb: () => path('M-4-2Q0-6 4-1Q2 5-3 3Z', 'fill="#4f8f35"'),
  flower: (d: Drawing) =>
    [0, 1, 2, 3, 4]
      .map(
        (fifth) =>
          `<g transform="rotate(${fifth * 72})">${ellipse(
            { x: 0, y: -10 },
            8,
            10,
            `fill="${d.radial([
              [0, '#f3d6ff'],
              [0.6, '#b78be0'],
              [1, '#6d4aa8'],
            ])}"`,
          )}</g>`,
      )
      .join('') + circle({ x: 0, y: 0 }, 5, 'fill="#f6c52f"'),
  daisy: (d: Drawing) =>
    lift(d, 18) +
    Array.from(
      { length: 11 },
      (_, i) => `<ellipse cy="-12" rx="4" ry="8" fill="#fffef8" transform="rotate(${round((i * 360) / 11)})"/>`,
    ).join('') +
    circle(
      { x: 0, y: 0 },
      6,
      `fill="${d.radial([
        [0, '#ffe06b'],
        [1, '#d89a12'],
      ])}"`,
    ),
  dollop: (d: Drawing) =>
    lift(d, 22) +
    [
      [22, '#f3e7d3'],
      [17, '#fbf3e5'],
      [11, '#fffaf0'],
      [5, '#ffffff'],
    ]
      .map(
        ([r, colour], i) =>
          `<g transform="rotate(${i * 25}) translate(${-i} ${-i})">${path(smooth(Array.from({ length: 16 }, (_, k) => polar((k / 16) * 6.283, Number(r) * (k % 2 ? 0.84 : 1.05)))), `fill="${colour}" stroke="#d9c4a4" stroke-width=".8"`)}</g>`,
      )
      .join(''),
  butter: (d: Drawing) =>
    lift(d, 26) +
    `<rect x="-24" y="-21" width="48" height="42" rx="9" fill="${d.linear([
      [0, '#fffbd4'],
      [0.5, '#ffe98c'],
      [1, '#e7bd45'],
    ])}"/>` +
    path('M-17-14H10', 'stroke="#fff" stroke-width="4" stroke-linecap="round" opacity=".8"'),
  ice: () =>
    `<rect x="-17" y="-17" width="34" height="34" rx="8" fill="#fff" opacity=".38" stroke="#fff" stroke-opacity=".75" stroke-width="2"/>` +
    path('M-10-9L6-11M-10 6L-9-4', 'stroke="#fff" stroke-width="3" stroke-linecap="round" opacity=".8"'),
  cinnamon: (d: Drawing) =>
    lift(d, 9, 36) +
    `<rect x="-9" y="-38" width="18" height="76" rx="6" fill="${d.linear(
      [
        [0, '#6b3515'],
        [0.3, '#b5713a'],
        [0.5, '#7a4119'],
        [0.75, '#c48449'],
        [1, '#5d2d10'],
      ],
      [0, 0, 1, 0],
    )}"/>` +
    path('M0-38V38', 'stroke="#3f1c08" stroke-width="2.2" opacity=".8"'),
  anise: (d: Drawing) =>
    Array.from(
      { length: 8 },
      (_, i) =>
        `<g transform="rotate(${i * 45})">${path(
          'M0-3C6-8 5-17 0-24C-5-17-6-8 0-3Z',
          `fill="${d.linear([
            [0, '#9a5c2c'],
            [1, '#4d260c'],
          ])}"`,
        )}</g>`,
    ).join('') + circle({ x: 0, y: 0 }, 4, 'fill="#3a1b08"'),
  rice: (d: Drawing) =>
    ellipse({ x: 0, y: 1 }, 9, 4, 'fill="#6b5836" opacity=".35"') +
    ellipse(
      { x: 0, y: 0 },
      8.5,
      3.4,
      `fill="${d.linear([
        [0, '#ffffff'],
        [1, '#ebe0c8'],
      ])}"`,
    ),
  saffronRice: (d: Drawing) =>
    ellipse({ x: 0, y: 1 }, 9, 4, 'fill="#7a4708" opacity=".4"') +
    ellipse(
      { x: 0, y: 0 },
      8.5,
      3.4,
      `fill="${d.linear([
        [0, '#ffe27a'],
        [1, '#e0a021'],
      ])}"`,
    ),
};
