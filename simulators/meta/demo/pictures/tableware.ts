import { blob, circle, type Drawing, darker, ellipse, lighter, path, round, spread } from './drawing.ts';
import { between } from './random.ts';

const MIDDLE = { x: 0, y: 0 };

/** Every vessel is drawn around 0,0 with an outer radius of 200; the number says how far its food may reach. */
export const BOWL_INSIDE = 172;
export const PAN_INSIDE = 178;

function castShadow(d: Drawing, shape: string): void {
  d.add(`<g transform="translate(14 20)" fill="#1c0d04" opacity=".5" filter="${d.blur(14)}">${shape}</g>`);
  d.add(`<g transform="translate(3 5)" fill="#1c0d04" opacity=".4" filter="${d.blur(4)}">${shape}</g>`);
}

export function plate(d: Drawing, colour: string, style: 'plain' | 'speckled' | 'banded' = 'plain'): void {
  castShadow(d, '<circle r="198"/>');
  const glaze = d.linear([
    [0, lighter(colour, 0.55)],
    [0.5, colour],
    [1, darker(colour, 0.16)],
  ]);
  const well = d.linear([
    [0, darker(colour, 0.14)],
    [0.4, colour],
    [1, lighter(colour, 0.5)],
  ]);
  d.add(circle(MIDDLE, 200, `fill="${glaze}"`));
  if (style === 'banded')
    d.add(
      circle(MIDDLE, 190, `fill="none" stroke="${darker(colour, 0.05)}" stroke-width="9"`),
      circle(MIDDLE, 190, 'fill="none" stroke="#2f5f95" stroke-width="6" opacity=".8"'),
    );
  d.add(
    circle(MIDDLE, 158, `fill="${well}"`),
    circle(MIDDLE, 158, `fill="none" stroke="${lighter(colour, 0.8)}" stroke-width="2" opacity=".6"`),
  );
  if (style === 'speckled')
    for (const at of spread(d.random, 46, 196))
      d.add(circle(at, between(d.random, 0.8, 2.4), `fill="${darker(colour, 0.65)}" opacity=".5"`));
  d.add(
    path(
      'M-178-70A191 191 0 0 1-60-181',
      'fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round" opacity=".7"',
    ),
  );
}

/** A bowl filled to the brim with what `fill` paints (up to BOWL_INSIDE), then shaded by its wall. */
export function bowl(d: Drawing, colour: string, contents: () => void): void {
  castShadow(d, '<circle r="198"/>');
  d.add(
    circle(
      MIDDLE,
      200,
      `fill="${d.linear([
        [0, lighter(colour, 0.6)],
        [0.5, colour],
        [1, darker(colour, 0.3)],
      ])}"`,
    ),
  );
  d.add(
    circle(
      MIDDLE,
      188,
      `fill="${d.linear([
        [0, darker(colour, 0.5)],
        [0.5, darker(colour, 0.12)],
        [1, lighter(colour, 0.4)],
      ])}"`,
    ),
  );
  contents();
  const shade = d.define(
    'inside',
    () =>
      '<radialGradient id="inside" cx=".55" cy=".57" r=".53"><stop offset=".74" stop-color="#1c0d04" stop-opacity="0"/><stop offset="1" stop-color="#1c0d04" stop-opacity=".55"/></radialGradient>',
  );
  d.add(circle(MIDDLE, 178, `fill="${shade}"`));
  d.add(
    path(
      'M-184-64A195 195 0 0 1-62-185',
      'fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".75"',
    ),
  );
}

/** A black iron pan whose handle points down right. */
export function pan(d: Drawing, contents: () => void): void {
  const handle = '<path d="M132 112L304 282Q322 306 300 320Q280 330 262 308L104 150Z"/>';
  castShadow(d, `<circle r="200"/>${handle}`);
  const iron = d.linear([
    [0, '#5a5c60'],
    [0.5, '#2c2d30'],
    [1, '#141517'],
  ]);
  d.add(
    `<g fill="${iron}">${handle}<circle r="202"/></g>`,
    ellipse({ x: 283, y: 292 }, 13, 13, 'fill="#1c0d04" opacity=".55"'),
  );
  d.add(
    circle(
      MIDDLE,
      188,
      `fill="${d.linear([
        [0, '#0f1011'],
        [1, '#46484c'],
      ])}"`,
    ),
  );
  contents();
  d.add(
    path(
      'M-182-72A196 196 0 0 1-72-182',
      'fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" opacity=".35"',
    ),
  );
}

/** A round or oblong wooden board. */
export function board(d: Drawing, colour: string, shape: 'round' | 'oblong'): void {
  const outline =
    shape === 'round'
      ? '<circle r="216"/><rect x="-34" y="-292" width="68" height="110" rx="24"/>'
      : '<rect x="-236" y="-172" width="472" height="344" rx="34"/>';
  castShadow(d, outline);
  const wood = d.linear([
    [0, lighter(colour, 0.3)],
    [0.6, colour],
    [1, darker(colour, 0.22)],
  ]);
  d.add(`<g fill="${wood}">${outline}</g>`);
  if (shape === 'round') d.add('<circle cy="-262" r="11" fill="#1c0d04" opacity=".6"/>');
  const reach = shape === 'round' ? 205 : 162;
  for (let line = 0; line < 13; line += 1) {
    const y = between(d.random, -reach, reach);
    const half = shape === 'round' ? Math.sqrt(210 ** 2 - y ** 2) - 6 : 228;
    d.add(
      path(
        `M${round(-half)} ${round(y)}Q0 ${round(y + between(d.random, -14, 14))} ${round(half)} ${round(y)}`,
        `fill="none" stroke="${darker(colour, 0.55)}" stroke-width="${round(between(d.random, 1, 3))}" opacity=".28"`,
      ),
    );
  }
}

/** A baking tray lined with paper. */
export function tray(d: Drawing): void {
  castShadow(d, '<rect x="-250" y="-205" width="500" height="410" rx="26"/>');
  d.add(
    `<rect x="-250" y="-205" width="500" height="410" rx="26" fill="${d.linear([
      [0, '#d5d3d0'],
      [0.5, '#9b9996'],
      [1, '#6f6c69'],
    ])}"/>`,
  );
  d.add(
    `<rect x="-236" y="-191" width="472" height="382" rx="17" fill="${d.linear([
      [0, '#6a6764'],
      [1, '#b9b6b2'],
    ])}"/>`,
  );
  d.add(
    `<rect x="-226" y="-181" width="452" height="362" rx="6" fill="${d.linear([
      [0, '#f4ead6'],
      [0.6, '#e8d9bd'],
      [1, '#d3bf9d'],
    ])}"/>`,
  );
  d.add(
    path(
      'M-226-60Q0-80 226-40M-100-181Q-90 0-120 181M120-181Q100 20 140 181',
      'fill="none" stroke="#b89f76" stroke-width="2" opacity=".35"',
    ),
  );
}

/** A bamboo steamer. */
export function steamer(d: Drawing): void {
  castShadow(d, '<circle r="204"/>');
  d.add(
    circle(
      MIDDLE,
      206,
      `fill="${d.linear([
        [0, '#ecc98d'],
        [0.5, '#c8954f'],
        [1, '#8a5a26'],
      ])}"`,
    ),
  );
  for (const [radius, colour] of [
    [198, '#7d5122'],
    [192, '#dcae68'],
    [184, '#8f602b'],
  ] as const)
    d.add(circle(MIDDLE, radius, `fill="${colour}"`));
  d.add(
    circle(
      MIDDLE,
      180,
      `fill="${d.linear([
        [0, '#b98748'],
        [1, '#e9cb92'],
      ])}"`,
    ),
  );
  for (let slat = -160; slat <= 160; slat += 26) {
    const half = Math.sqrt(178 ** 2 - slat ** 2);
    d.add(`<path d="M${-round1(half)} ${slat}H${round1(half)}" stroke="#7d5122" stroke-width="3" opacity=".5"/>`);
  }
  d.add(path(blob(d.random, 164, 0.03, 16), 'fill="#f7eedb" opacity=".93"'));
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

// --- Beside the plate -------------------------------------------------------------------------------------------------------------------

const STEEL: readonly [number, string][] = [
  [0, '#8f9296'],
  [0.3, '#f5f6f7'],
  [0.6, '#b3b6ba'],
  [1, '#7b7e82'],
];

/** 300 long, upright. */
export function fork(d: Drawing, gold = false): void {
  const metal = d.linear(
    gold
      ? [
          [0, '#8d6a26'],
          [0.35, '#f8e3a1'],
          [0.65, '#cfa447'],
          [1, '#7d5a1b'],
        ]
      : STEEL,
    [0, 0, 1, 0],
  );
  const shape =
    '<path d="M-22-150V-88Q-22-62-6-56L-7 132Q-7 150 0 150Q7 150 7 132L6-56Q22-62 22-88V-150H15V-92H10.500V-150H4V-92H-4V-150H-10.500V-92H-15V-150Z"/>';
  castShadow(d, shape);
  d.add(`<g fill="${metal}">${shape}</g>`);
}

export function spoon(d: Drawing, gold = false): void {
  const metal = d.linear(
    gold
      ? [
          [0, '#8d6a26'],
          [0.35, '#f8e3a1'],
          [0.65, '#cfa447'],
          [1, '#7d5a1b'],
        ]
      : STEEL,
    [0, 0, 1, 0],
  );
  const shape =
    '<path d="M0-152C24-152 33-122 30-98C27-74 14-66 6-60L7 132Q7 150 0 150Q-7 150-7 132L-6-60C-14-66-27-74-30-98C-33-122-24-152 0-152Z"/>';
  castShadow(d, shape);
  d.add(
    `<g fill="${metal}">${shape}</g>`,
    ellipse(
      { x: 0, y: -106 },
      21,
      34,
      `fill="${d.linear([
        [0, '#1c0d04', 0.35],
        [0.5, '#ffffff', 0.1],
        [1, '#ffffff', 0.65],
      ])}"`,
    ),
  );
}

export function napkin(d: Drawing, colour: string): void {
  const cloth = '<path d="M-110-120Q0-132 112-112Q120 0 106 124Q0 112-116 122Q-104 0-110-120Z"/>';
  castShadow(d, cloth);
  d.add(
    `<g fill="${d.linear([
      [0, lighter(colour, 0.35)],
      [0.5, colour],
      [1, darker(colour, 0.2)],
    ])}">${cloth}</g>`,
  );
  d.add(
    path(
      'M-90-104Q0-114 94-98Q102 0 90 106Q0 96-98 104Q-86 0-90-104Z',
      `fill="none" stroke="${lighter(colour, 0.85)}" stroke-width="5" opacity=".75"`,
    ),
  );
  d.add(
    path(
      'M-100-60Q0 20 100-20M-60 120Q20 40 40-110',
      `fill="none" stroke="${darker(colour, 0.5)}" stroke-width="10" opacity=".18" filter="${d.blur(4)}"`,
    ),
  );
}

/** A little bowl, 62 in radius, of sauce, salt or seeds. */
export function smallBowl(d: Drawing, colour: string, filling: string, grains?: string): void {
  castShadow(d, '<circle r="62"/>');
  d.add(
    circle(
      MIDDLE,
      62,
      `fill="${d.linear([
        [0, lighter(colour, 0.5)],
        [1, darker(colour, 0.25)],
      ])}"`,
    ),
  );
  d.add(circle(MIDDLE, 54, `fill="${darker(colour, 0.35)}"`));
  d.add(
    circle(
      MIDDLE,
      51,
      `fill="${d.radial([
        [0, lighter(filling, 0.3)],
        [0.6, filling],
        [1, darker(filling, 0.4)],
      ])}"`,
    ),
  );
  if (grains)
    for (const at of spread(d.random, 40, 46))
      d.add(circle(at, between(d.random, 1.6, 3.4), `fill="${grains}" opacity=".85"`));
  else
    d.add(
      path(
        'M-30-16A34 34 0 0 1-4-34',
        'fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".5"',
      ),
    );
  d.add(
    path('M-55-18A58 58 0 0 1-20-54', 'fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" opacity=".7"'),
  );
}

/** A glass from above, 92 in radius. */
export function glass(d: Drawing, liquid: string, contents: () => void): void {
  castShadow(d, '<circle r="92"/>');
  d.add(
    `<g transform="translate(30 38)">${ellipse(MIDDLE, 70, 52, `fill="${lighter(liquid, 0.3)}" opacity=".4" filter="${d.blur(10)}"`)}</g>`,
  );
  d.add(
    circle(MIDDLE, 94, 'fill="#fff" opacity=".35"'),
    circle(MIDDLE, 94, 'fill="none" stroke="#fff" stroke-width="3.5" opacity=".9"'),
  );
  d.add(
    circle(
      MIDDLE,
      84,
      `fill="${d.radial([
        [0, lighter(liquid, 0.5)],
        [0.55, liquid],
        [1, darker(liquid, 0.35)],
      ])}"`,
    ),
  );
  contents();
  d.add(
    path(
      'M-70-34A78 78 0 0 1-24-74',
      'fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" opacity=".75"',
    ),
    path('M62 48A78 78 0 0 1 38 68', 'fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" opacity=".6"'),
  );
}

export function knife(d: Drawing): void {
  const blade = '<path d="M-10-160Q26-120 22 20H-10Z"/>';
  const grip = '<path d="M-12 20H22L18 150Q6 162-10 150Z"/>';
  castShadow(d, blade + grip);
  d.add(
    `<g fill="${d.linear(
      STEEL.map(([offset, colour]) => [offset, lighter(colour, 0.2)] as const),
      [0, 0, 1, 0.1],
    )}">${blade}</g>`,
  );
  d.add(
    `<g fill="${d.linear(
      [
        [0, '#7a4f2d'],
        [0.5, '#4d2d15'],
        [1, '#2c1708'],
      ],
      [0, 0, 1, 0],
    )}">${grip}</g>`,
    '<path d="M4 50h.1M3 84h.1M3 118h.1" stroke="#d9b26b" stroke-width="8" stroke-linecap="round"/>',
  );
}
