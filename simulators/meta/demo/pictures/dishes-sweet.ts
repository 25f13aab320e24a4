import { blob, circle, type Drawing, darker, ellipse, lighter, path, polar, round, smooth, spread } from './drawing.ts';
import { drop, gleam } from './finish.ts';
import { type Ingredient, put, strew } from './ingredients.ts';
import { between, oneOf } from './random.ts';
import { BOWL_INSIDE, board, bowl, glass, pan, plate, tray } from './tableware.ts';

/** Baking, breakfast and drinks from above, each around 0,0 within about 200; `variant` picks flavour or topping. */
const MIDDLE = { x: 0, y: 0 };

/** A round with a wavy edge: `waves` bumps around a circle. */
function scallop(radius: number, waves: number, depth: number): string {
  return smooth(
    Array.from({ length: waves * 2 }, (_, index) =>
      polar((index / (waves * 2)) * 2 * Math.PI, radius + (index % 2 === 0 ? depth : -depth)),
    ),
  );
}

function cake(d: Drawing, variant: string): void {
  const kinds: Record<string, { cream: string; sponge: string; top: Ingredient[]; china: string }> = {
    berry: {
      cream: '#fff3e6',
      sponge: '#e9b866',
      top: ['strawberry', 'blueberry', 'raspberry', 'mint'],
      china: '#d7e3e4',
    },
    chocolate: { cream: '#5a321e', sponge: '#3a1c0f', top: ['cherry', 'raspberry', 'chocolate'], china: '#f2e6d8' },
    carrot: { cream: '#fdf0d8', sponge: '#b9752f', top: ['walnut', 'carrotCoin', 'pistachio'], china: '#8ea295' },
    lemon: { cream: '#fff0a8', sponge: '#f3cf62', top: ['lemon', 'daisy', 'mint'], china: '#f6f1e6' },
  };
  const { cream, sponge, top, china } = kinds[variant]!;
  plate(d, china, 'banded');
  const wedge = 'M0 0L150-62A162 162 0 1 1 62-150Z';
  drop(d, () => d.add(path(wedge, `fill="${darker(cream, 0.22)}" transform="scale(1.03) translate(2 4)"`)));
  d.add(
    path(
      wedge,
      `fill="${d.radial([
        [0, lighter(cream, 0.4)],
        [0.7, cream],
        [1, darker(cream, 0.14)],
      ])}"`,
    ),
  );
  // The cut faces show the layers.
  for (const [face, shade] of [
    ['M0 0L150-62L154-44L4 20Z', 0],
    ['M0 0L62-150L72-142L10 12Z', 0.15],
  ] as const) {
    d.add(path(face, `fill="${darker(sponge, shade)}"`));
  }
  d.add(path('M2 8L152-54', `fill="none" stroke="${lighter(cream, 0.5)}" stroke-width="4"`));
  for (const ring of [140, 118, 96])
    d.add(
      circle(
        MIDDLE,
        ring,
        `fill="none" stroke="${lighter(cream, 0.6)}" stroke-width="3" opacity=".35" stroke-dasharray="${Math.round(ring * 5.05)} 999"`,
      ),
    );
  const edge: { x: number; y: number }[] = [];
  for (let turn = 0.1; turn < 5.2; turn += 0.37) edge.push(polar(turn - 0.2, 136));
  drop(d, () => {
    for (const [index, at] of edge.entries()) {
      if (variant === 'chocolate')
        d.add(
          `<g transform="translate(${round(at.x)} ${round(at.y)})">${[22, 16, 9].map((radius, ring) => path(scallop(radius, 7, 1.6), `fill="${lighter(cream, ring * 0.14)}" transform="rotate(${ring * 24})"`)).join('')}</g>`,
        );
      else put(d, 'dollop', at, index * 21, 1.05);
      if (index % 2 === 0) put(d, top[0]!, { x: at.x - 1, y: at.y - 2 }, between(d.random, -20, 20), 0.85);
    }
  });
  drop(d, () => strew(d, top, 18, { radius: 66, at: { x: -30, y: 26 }, size: 1.15 }));
  for (const at of spread(d.random, 9, 34))
    d.add(circle({ x: 110 + at.x, y: -106 + at.y }, between(d.random, 1.5, 4.5), `fill="${sponge}"`));
}

function cookies(d: Drawing, variant: string): void {
  tray(d);
  const kinds: Record<string, { dough: string; chips: Ingredient[] }> = {
    chocolate: { dough: '#cf9350', chips: ['chocolate', 'chocolate', 'walnut'] },
    double: { dough: '#5b331d', chips: ['chocolate', 'raspberry'] },
    oat: { dough: '#d8a962', chips: ['blueberry', 'flakedAlmond', 'granola'] },
  };
  const { dough, chips } = kinds[variant]!;
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const at = { x: column * 108 - 168 + (row % 2) * 14, y: row * 112 - 112 + between(d.random, -5, 5) };
      if (variant !== 'double' && row === 0 && column === 3) {
        for (const fallen of spread(d.random, 12, 34))
          d.add(circle({ x: at.x + fallen.x, y: at.y + fallen.y }, between(d.random, 1.5, 4), `fill="${dough}"`));
        continue;
      }
      d.group(`transform="translate(${round(at.x)} ${round(at.y)})"`, () => {
        drop(d, () =>
          d.add(
            path(
              blob(d.random, 54, 0.05, 12),
              `fill="${d.radial([
                [0, lighter(dough, 0.35)],
                [0.55, dough],
                [0.85, darker(dough, 0.25)],
                [1, darker(dough, 0.45)],
              ])}"`,
            ),
          ),
        );
        for (const crack of spread(d.random, 4, 36))
          d.add(
            `<path d="M${round(crack.x)} ${round(crack.y)}q8-7 15-2t12 3" fill="none" stroke="${darker(dough, 0.55)}" stroke-width="2.2" opacity=".5" stroke-linecap="round"/>`,
          );
        strew(d, chips, 8, { radius: 42, size: 0.78 });
        strew(d, ['saltFlake'], 4, { radius: 44, size: 0.85 });
      });
    }
  }
}

function pancakes(d: Drawing, variant: string): void {
  plate(d, variant === 'banana' ? '#2f4858' : '#f3ece0', variant === 'banana' ? 'speckled' : 'banded');
  for (const [x, y, radius] of [
    [16, 18, 140],
    [-8, 6, 138],
    [8, -6, 136],
    [-2, -4, 134],
  ] as const) {
    drop(d, () =>
      d.add(
        `<g transform="translate(${x} ${y})">${path(
          blob(d.random, radius, 0.018, 18),
          `fill="${d.ring([
            [0, '#c9812f'],
            [0.72, '#d08a35'],
            [0.88, '#eebd6c'],
            [1, '#f8dc9c'],
          ])}"`,
        )}</g>`,
      ),
    );
  }
  for (const at of spread(d.random, 30, 108))
    d.add(circle(at, between(d.random, 2, 7), 'fill="#8a4a12" opacity=".28"'));
  drop(d, () =>
    d.add(
      path(
        smooth([
          polar(0, 96),
          polar(0.6, 70),
          polar(1.1, 128),
          polar(1.6, 84),
          polar(2.2, 132),
          polar(2.9, 70),
          polar(3.6, 112),
          polar(4.3, 74),
          polar(5, 120),
          polar(5.7, 82),
        ]),
        `fill="${d.radial([
          [0, '#f2ab3c'],
          [0.5, '#c46a12'],
          [1, '#7d3806'],
        ])}" opacity=".84"`,
      ),
    ),
  );
  gleam(d, 84, 12);
  const berries: Ingredient[] =
    variant === 'banana'
      ? ['banana', 'banana', 'walnut', 'blueberry']
      : ['raspberry', 'blueberry', 'strawberry', 'mint'];
  drop(d, () => strew(d, berries, 15, { radius: 112, from: 46, size: 1.15 }));
  drop(d, () => put(d, 'butter', { x: -4, y: -4 }, 18, 1.25));
  drop(d, () => strew(d, berries, 7, { radius: 182, from: 164, size: 0.9 }));
}

function smoothieBowl(d: Drawing, variant: string): void {
  const kinds: Record<string, { base: string; rows: Ingredient[][]; china: string }> = {
    acai: { base: '#7a3d80', rows: [['banana'], ['strawberry'], ['granola'], ['blueberry']], china: '#5b3a22' },
    mango: { base: '#f9b233', rows: [['kiwi'], ['raspberry'], ['coconut'], ['pomegranate', 'mint']], china: '#f6f0e4' },
    green: {
      base: '#9cc25e',
      rows: [['kiwi'], ['banana'], ['pumpkinSeed', 'granola'], ['blackberry']],
      china: '#cfb79a',
    },
    oats: {
      base: '#f0e2c8',
      rows: [['fig'], ['blueberry'], ['flakedAlmond', 'granola'], ['raspberry']],
      china: '#4c5f6e',
    },
  };
  const { base, rows, china } = kinds[variant]!;
  bowl(d, china, () => {
    d.add(
      circle(
        MIDDLE,
        BOWL_INSIDE,
        `fill="${d.radial([
          [0, lighter(base, 0.4)],
          [0.55, base],
          [1, darker(base, 0.2)],
        ])}"`,
      ),
    );
    for (const swirl of [44, 80, 116])
      d.add(
        path(
          `M${-swirl} 70A${swirl} ${swirl} 0 0 0 ${swirl} 60`,
          `fill="none" stroke="${lighter(base, 0.5)}" stroke-width="9" opacity=".45" stroke-linecap="round"`,
        ),
      );
    drop(d, () => {
      for (const [row, items] of rows.entries()) {
        const y = row * 44 - 122;
        const half = Math.sqrt(156 ** 2 - y ** 2);
        const small = ['granola', 'blueberry', 'coconut', 'pumpkinSeed', 'flakedAlmond', 'pomegranate'].includes(
          items[0]!,
        );
        const step = small ? 15 : 33;
        for (let x = -half; x <= half; x += step) {
          const wave = 16 * Math.sin(((x + 160) / 320) * Math.PI);
          for (let layer = 0; layer < (small ? 2 : 1); layer += 1) {
            put(
              d,
              oneOf(d.random, items),
              { x, y: y + wave + layer * 17 - (small ? 8 : 0) + between(d.random, -4, 4) },
              between(d.random, -30, 30),
              small ? 0.92 : 1.12,
            );
          }
        }
      }
    });
    drop(d, () => {
      put(d, 'mint', { x: 60, y: 92 }, 40, 1.1);
      put(d, 'mint', { x: 86, y: 84 }, -30, 0.9);
      put(d, 'flower', { x: -70, y: 96 }, 10, 1.1);
    });
    strew(d, ['coconut', 'pumpkinSeed', 'saltFlake'], 16, { radius: 60, at: { x: 6, y: 96 }, size: 0.5 });
  });
}

function bread(d: Drawing, variant: string): void {
  board(d, '#9a6a3d', 'round');
  const crust = d.radial([
    [0, '#e6b060'],
    [0.5, '#b8702a'],
    [1, '#5f2d0c'],
  ]);
  drop(d, () => d.add(path(blob(d.random, 172, 0.018, 14, variant === 'oval' ? 1 : 1.02), `fill="${crust}"`)));
  for (const at of spread(d.random, 40, 160))
    d.add(circle(at, between(d.random, 1.5, 5), 'fill="#5a2a0a" opacity=".22"'));
  d.add(
    circle(
      MIDDLE,
      158,
      `fill="${d.ring([
        [0, '#fffaf0', 0.1],
        [0.6, '#fffaf0', 0.62],
        [0.85, '#fffaf0', 0.4],
        [1, '#fffaf0', 0],
      ])}"`,
    ),
  );
  for (const ring of [150, 126])
    d.add(circle(MIDDLE, ring, `fill="none" stroke="#fffaf0" stroke-width="9" opacity=".3" stroke-dasharray="60 9"`));
  const slash = 'M-6-128C22-60 26 60 4 128C-22 60-26-60-6-128Z';
  d.add(
    `<g fill="${d.linear(
      [
        [0, '#8a4a14'],
        [0.4, '#edc17e'],
        [1, '#b26f2a'],
      ],
      [0, 0, 1, 0],
    )}">${path(slash, 'transform="rotate(14) scale(1.15 1)"')}</g>`,
  );
  for (const side of [-1, 1]) {
    for (let cut = 0; cut < 5; cut += 1) {
      const y = cut * 42 - 84;
      const leaf = `M${side * 44} ${y + 20}Q${side * 74} ${y - 6} ${side * 116} ${y - 18}Q${side * 92} ${y + 14} ${side * 44} ${y + 20}Z`;
      d.add(
        path(leaf, 'fill="#8d4c16" transform="rotate(14) translate(1 2)"'),
        path(leaf, 'fill="#eabd78" transform="rotate(14) scale(.97)" opacity=".9"'),
      );
    }
  }
  for (const at of spread(d.random, 70, 260, 170))
    d.add(circle(at, between(d.random, 0.8, 2.6), 'fill="#fff7e4" opacity=".75"'));
}

function focaccia(d: Drawing): void {
  tray(d);
  drop(d, () =>
    d.add(
      `<rect x="-204" y="-160" width="408" height="320" rx="34" fill="${d.radial([
        [0, '#fbdc92'],
        [0.6, '#e3ad4f'],
        [1, '#99591a'],
      ])}"/>`,
    ),
  );
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 7; column += 1) {
      const at = {
        x: column * 58 - 174 + (row % 2) * 16 + between(d.random, -7, 7),
        y: row * 60 - 120 + between(d.random, -7, 7),
      };
      d.add(
        ellipse(at, 17, 14, 'fill="#8a4d12" opacity=".34"'),
        ellipse({ x: at.x + 3, y: at.y + 4 }, 13, 9, 'fill="#ffe9a8" opacity=".8"'),
        ellipse({ x: at.x - 2, y: at.y + 1 }, 6, 3, 'fill="#fff" opacity=".65"'),
      );
    }
  }
  for (const at of spread(d.random, 30, 180))
    d.add(
      ellipse(
        { x: at.x, y: at.y * 0.75 },
        between(d.random, 5, 13),
        between(d.random, 4, 8),
        'fill="#a25f1c" opacity=".25"',
      ),
    );
  drop(d, () => {
    for (const at of spread(d.random, 26, 172))
      put(
        d,
        oneOf(d.random, ['cherryTomato', 'cherryTomato', 'olive', 'redOnion'] as const),
        { x: at.x * 1.02, y: at.y * 0.76 },
        between(d.random, 0, 90),
        1.05,
      );
    for (const at of spread(d.random, 11, 160))
      put(d, 'rosemary', { x: at.x, y: at.y * 0.8 }, between(d.random, 0, 360), 0.85);
  });
  strew(d, ['saltFlake'], 60, { radius: 168, size: 0.9 });
}

function tart(d: Drawing, variant: string): void {
  plate(d, variant === 'lemon' ? '#6f8aa0' : '#f1ebe0', 'plain');
  const kinds: Record<string, { filling: string; rings: Ingredient[] }> = {
    berry: { filling: '#fbe6b0', rings: ['strawberry', 'blueberry', 'raspberry', 'blackberry'] },
    lemon: { filling: '#ffd83a', rings: ['lemon', 'dollop', 'raspberry', 'mint'] },
    peach: { filling: '#f6cf86', rings: ['peach', 'peach', 'peach', 'raspberry'] },
  };
  const { filling, rings } = kinds[variant]!;
  drop(d, () =>
    d.add(
      path(
        scallop(162, 30, 4),
        `fill="${d.radial([
          [0, '#f7d99b'],
          [0.7, '#dca253'],
          [1, '#945517'],
        ])}"`,
      ),
    ),
  );
  d.add(path(scallop(152, 30, 3), 'fill="none" stroke="#8a4d14" stroke-width="3" opacity=".4"'));
  d.add(
    circle(
      MIDDLE,
      141,
      `fill="${d.radial([
        [0, lighter(filling, 0.45)],
        [0.6, filling],
        [1, darker(filling, 0.25)],
      ])}"`,
    ),
  );
  const layout = [
    [118, variant === 'peach' ? 17 : 18, 1],
    [82, variant === 'peach' ? 12 : 16, 1.05],
    [48, variant === 'peach' ? 8 : 9, 1.05],
  ] as const;
  for (const [index, [radius, count, size]] of layout.entries()) {
    drop(d, () => {
      for (let step = 0; step < count; step += 1) {
        const angle = (step / count) * 2 * Math.PI;
        const fruit = rings[index]!;
        put(
          d,
          fruit,
          polar(angle, radius),
          (angle * 180) / Math.PI + (fruit === 'peach' ? 58 : -90),
          (fruit === 'peach' ? 0.95 : fruit === 'lemon' ? 0.92 : size) * (fruit === 'dollop' ? 0.72 : 1),
        );
      }
    });
  }
  drop(d, () => {
    strew(d, [rings[3]!], 4, { radius: 16, size: 1.05 });
    put(d, 'mint', { x: 10, y: -10 }, 40, 0.8);
    put(d, 'mint', { x: -10, y: 6 }, 210, 0.75);
  });
  gleam(d, 120, 14);
  for (const at of spread(d.random, 60, 160, 110))
    d.add(circle(at, between(d.random, 0.7, 2), 'fill="#fff" opacity=".75"'));
}

function donuts(d: Drawing): void {
  board(d, '#e9dcc6', 'oblong');
  const glazes: [string, string[]][] = [
    ['#f28aa6', ['#fff', '#ffe15a', '#7ad0d8']],
    ['#5a2f1a', ['#ffb3c7', '#fff', '#f4c744']],
    ['#fff4e2', ['#e8505b', '#56a86b', '#4d7fc4']],
    ['#b9d98a', ['#fff', '#f07f4f', '#7a4a2c']],
    ['#c9a5e0', ['#fff', '#ffd75e', '#f06a8a']],
    ['#e9a23c', ['#fff', '#7a4a2c', '#fbe7b6']],
  ];
  for (const [index, [glaze, sprinkles]] of glazes.entries()) {
    d.group(`transform="translate(${(index % 3) * 148 - 148} ${Math.floor(index / 3) * 150 - 75})"`, () => {
      const ring = (outer: string, hole: number) =>
        `${outer}M${hole} 0A${hole} ${hole} 0 1 0 ${-hole} 0A${hole} ${hole} 0 1 0 ${hole} 0Z`;
      drop(d, () =>
        d.add(
          path(
            ring(blob(d.random, 70, 0.015, 16), 19),
            `fill-rule="evenodd" fill="${d.radial([
              [0, '#f3c981'],
              [0.7, '#d5953f'],
              [1, '#99591a'],
            ])}"`,
          ),
        ),
      );
      d.add(
        path(
          ring(blob(d.random, 62, 0.05, 16), 25),
          `fill-rule="evenodd" fill="${d.radial([
            [0, lighter(glaze, 0.45)],
            [0.6, glaze],
            [1, darker(glaze, 0.2)],
          ])}"`,
        ),
      );
      for (const at of spread(d.random, 22, 54, 30)) {
        const [dx, dy] = [between(d.random, -5, 5), between(d.random, -5, 5)];
        d.add(
          `<path d="M${round(at.x)} ${round(at.y)}l${round(dx)} ${round(dy)}" stroke="${oneOf(d.random, sprinkles)}" stroke-width="4" stroke-linecap="round"/>`,
        );
      }
      d.add(
        path(
          'M-44-22A49 49 0 0 1-12-47',
          'fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round" opacity=".6"',
        ),
      );
    });
  }
}

function pie(d: Drawing, variant: string): void {
  const filling = variant === 'cherry' ? '#a4112b' : '#d99a3b';
  drop(d, () =>
    d.add(
      circle(
        MIDDLE,
        204,
        `fill="${d.linear([
          [0, '#f2f0ec'],
          [1, '#a9a5a0'],
        ])}"`,
      ),
    ),
  );
  drop(d, () =>
    d.add(
      path(
        scallop(188, 34, 5),
        `fill="${d.radial([
          [0, '#f7d491'],
          [0.6, '#dd9f4a'],
          [1, '#92520f'],
        ])}"`,
      ),
    ),
  );
  d.add(
    circle(
      MIDDLE,
      162,
      `fill="${d.radial([
        [0, lighter(filling, 0.2)],
        [0.6, filling],
        [1, darker(filling, 0.5)],
      ])}"`,
    ),
  );
  strew(d, [variant === 'cherry' ? 'cherry' : 'apple'], 34, { radius: 150, size: variant === 'cherry' ? 1.05 : 1.2 });
  gleam(d, 140, 10);
  const strip = d.linear([
    [0, '#fbe0a6'],
    [0.5, '#e6b05c'],
    [1, '#b06d22'],
  ]);
  d.define('pieface', () => '<clipPath id="pieface"><circle r="166"/></clipPath>');
  d.group('clip-path="url(#pieface)"', () => {
    for (const turn of [38, -52]) {
      d.group(`transform="rotate(${turn})"`, () =>
        drop(d, () => {
          for (let x = -140; x <= 140; x += 56)
            d.add(
              `<rect x="${x - 13}" y="-180" width="26" height="360" rx="4" fill="${strip}"/><path d="M${x - 7}-170V170" stroke="#fff3d4" stroke-width="3" opacity=".5"/>`,
            );
        }),
      );
    }
  });
  for (let step = 0; step < 34; step += 1) {
    const [from, to] = [polar((step / 34) * 6.283, 168), polar((step / 34) * 6.283 + 0.06, 188)];
    d.add(
      `<path d="M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}" stroke="#8a4a12" stroke-width="4" opacity=".4" stroke-linecap="round"/>`,
    );
  }
  for (const at of spread(d.random, 60, 178))
    d.add(circle(at, between(d.random, 0.8, 2.2), 'fill="#fff" opacity=".8"'));
}

function cinnamonRolls(d: Drawing): void {
  pan(d, () => {
    d.add(circle(MIDDLE, 178, 'fill="#7c4419"'));
    const places = [MIDDLE, ...Array.from({ length: 6 }, (_, index) => polar((index / 6) * 6.283 + 0.3, 112))];
    for (const [index, at] of places.entries()) {
      d.group(`transform="translate(${round(at.x)} ${round(at.y)}) rotate(${index * 52})"`, () => {
        drop(d, () =>
          d.add(
            path(
              blob(d.random, 60, 0.03, 14),
              `fill="${d.radial([
                [0, '#fbdc9f'],
                [0.6, '#e2a850'],
                [1, '#a0601f'],
              ])}"`,
            ),
          ),
        );
        let spiral = 'M2 2';
        for (let turn = 0.5; turn < 15; turn += 0.35) {
          const point = polar(turn, 4 + turn * 3.2);
          spiral += `L${round(point.x)} ${round(point.y)}`;
        }
        d.add(path(spiral, 'fill="none" stroke="#6b3410" stroke-width="6.500" stroke-linejoin="round" opacity=".85"'));
        d.add(
          path(
            spiral,
            'fill="none" stroke="#ffe8b8" stroke-width="2.2" stroke-linejoin="round" transform="translate(4 4)" opacity=".8"',
          ),
        );
      });
    }
    drop(d, () => {
      let icing = 'M-150-70';
      for (let pass = 0; pass < 13; pass += 1) {
        const x = pass * 25 - 150;
        const reach = Math.sqrt(168 ** 2 - Math.min(160, Math.abs(x)) ** 2) + between(d.random, -12, 6);
        icing += `Q${round(x + 8)} ${round(pass % 2 === 0 ? reach : -reach)} ${round(x + 12)} ${round(pass % 2 === 0 ? reach - 16 : 16 - reach)}`;
      }
      d.add(
        path(icing, 'fill="none" stroke="#fffaf0" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"'),
      );
    });
    gleam(d, 150, 16);
    strew(d, ['walnut', 'walnut', 'herb'], 7, { radius: 150, size: 0.55 });
  });
}

function brownies(d: Drawing): void {
  board(d, '#c79a66', 'oblong');
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      if (row === 2 && column === 3) continue;
      d.group(
        `transform="translate(${column * 106 - 160 + between(d.random, -3, 3)} ${row * 100 - 100 + between(d.random, -3, 3)}) rotate(${round(between(d.random, -4, 4))})"`,
        () => {
          drop(d, () =>
            d.add(
              `<rect x="-47" y="-44" width="94" height="88" rx="8" fill="${d.linear([
                [0, '#7d4a2c'],
                [0.5, '#4b2614'],
                [1, '#271007'],
              ])}"/>`,
            ),
          );
          for (const crack of spread(d.random, 5, 34))
            d.add(
              `<path d="M${round(crack.x)} ${round(crack.y)}q6-8 13-3t12-2" fill="none" stroke="#b98a63" stroke-width="1.8" opacity=".55"/>`,
            );
          strew(d, row % 2 === 0 ? ['raspberry', 'chocolate'] : ['walnut', 'chocolate'], 4, { radius: 30, size: 0.8 });
          strew(d, ['saltFlake'], 7, { radius: 38, size: 0.8 });
        },
      );
    }
  }
  for (const at of spread(d.random, 16, 42))
    d.add(circle({ x: 160 + at.x, y: 100 + at.y }, between(d.random, 1.5, 4), 'fill="#3a1c0f"'));
}

function drinks(d: Drawing, variant: string): void {
  const kinds: Record<string, { liquid: string; top: Ingredient[] }> = {
    lemonade: { liquid: '#f7de6a', top: ['lemon', 'mint', 'ice'] },
    hibiscus: { liquid: '#c02a52', top: ['orange', 'raspberry', 'ice', 'mint'] },
    coffee: { liquid: '#b5824f', top: ['ice', 'ice'] },
  };
  const { liquid, top } = kinds[variant]!;
  for (const [index, [x, y, size]] of [
    [-104, -92, 1.1],
    [112, -30, 1.16],
    [-58, 128, 1.05],
  ].entries()) {
    d.group(`transform="translate(${x} ${y}) scale(${size})"`, () =>
      glass(d, index === 1 ? lighter(liquid, 0.12) : liquid, () => {
        if (variant === 'coffee')
          d.add(
            path(blob(d.random, 58, 0.22, 9), 'fill="#f6e3c3" opacity=".75"'),
            path(blob(d.random, 36, 0.3, 8), 'fill="#8a5526" opacity=".55"'),
          );
        for (const [step, at] of spread(d.random, 6, 52).entries())
          put(d, top[step % top.length]!, at, between(d.random, -40, 40), step % top.length === 0 ? 1.45 : 1.1);
        for (const at of spread(d.random, 16, 76))
          d.add(circle(at, between(d.random, 1, 3), 'fill="#fff" opacity=".6"'));
      }),
    );
  }
}

function iceCream(d: Drawing): void {
  plate(d, '#f6e9df', 'speckled');
  const scoops: [number, number, string][] = [
    [-72, -58, '#f6b7c0'],
    [68, -66, '#f7e7b4'],
    [0, 48, '#8a5433'],
    [-104, 62, '#b9dcb0'],
    [106, 54, '#cfb0dd'],
  ];
  for (const [x, y, colour] of scoops) {
    d.group(`transform="translate(${x} ${y})"`, () => {
      drop(d, () =>
        d.add(
          path(
            blob(d.random, 62, 0.06, 16),
            `fill="${d.radial([
              [0, lighter(colour, 0.6)],
              [0.5, colour],
              [1, darker(colour, 0.3)],
            ])}"`,
          ),
        ),
      );
      for (let line = -2; line < 3; line += 1)
        d.add(
          path(
            `M-44 ${line * 17}q22-12 44-2t42-3`,
            `fill="none" stroke="${darker(colour, 0.25)}" stroke-width="4" opacity=".3" stroke-linecap="round"`,
          ),
        );
      gleam(d, 38, 3);
    });
  }
  drop(d, () =>
    strew(d, ['raspberry', 'pistachio', 'chocolate', 'mint', 'blueberry'], 14, { radius: 130, size: 0.85 }),
  );
}

export const sweet = {
  cake,
  cookies,
  pancakes,
  smoothieBowl,
  bread,
  focaccia,
  tart,
  donuts,
  pie,
  cinnamonRolls,
  brownies,
  drinks,
  iceCream,
} satisfies Record<string, (d: Drawing, variant: string) => void>;
