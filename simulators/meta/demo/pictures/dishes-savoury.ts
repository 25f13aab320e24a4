import { blob, circle, type Drawing, darker, ellipse, lighter, path, polar, round, spread } from './drawing.ts';
import { drop, gleam } from './finish.ts';
import { type Ingredient, put, strew } from './ingredients.ts';
import { between } from './random.ts';
import { BOWL_INSIDE, board, bowl, PAN_INSIDE, pan, plate, steamer, tray } from './tableware.ts';

/** Dishes from above, each around 0,0 within about 200; `variant` picks sauce, colour or topping. */
const MIDDLE = { x: 0, y: 0 };

function liquid(d: Drawing, radius: number, colour: string): void {
  d.add(
    circle(
      MIDDLE,
      radius,
      `fill="${d.radial([
        [0, lighter(colour, 0.28)],
        [0.5, colour],
        [1, darker(colour, 0.22)],
      ])}"`,
    ),
  );
}

/** A nest of long noodles, laid in layers so that they cross. */
function noodles(d: Drawing, radius: number, colour: string, width: number, layers: number): void {
  for (let layer = 0; layer < layers; layer += 1) {
    let strands = '';
    for (let strand = 0; strand < 8; strand += 1) {
      const start = d.random() * 2 * Math.PI;
      const reach = radius * between(d.random, 0.25, 0.97) * (1 - layer / (layers * 3));
      const from = polar(start, reach);
      const to = polar(start + between(d.random, 1, 2.6), reach * between(d.random, 0.75, 1.05));
      const bow = round(reach * between(d.random, 0.8, 1.25));
      strands += `M${round(from.x)} ${round(from.y)}A${bow} ${bow} 0 0 1 ${round(to.x)} ${round(to.y)}`;
    }
    const id = `strands${layer}`;
    d.define(id, () => `<path id="${id}" d="${strands}"/>`);
    const use = (colours: string, thick: number, shift = 0) =>
      d.add(
        `<use href="#${id}" fill="none" stroke="${colours}" stroke-width="${round(thick)}" stroke-linecap="round"${shift ? ` transform="translate(${-shift} ${-shift})"` : ''}/>`,
      );
    use(darker(colour, 0.55), width + 2.5);
    use(layer % 2 === 0 ? colour : darker(colour, 0.08), width);
    use(lighter(colour, 0.6), width * 0.3, 1);
  }
}

function pasta(d: Drawing, variant: string): void {
  const sauces: Record<string, { strand: string; sauce: string; top: Ingredient[]; china: string }> = {
    pomodoro: { strand: '#f0bf68', sauce: '#c8321a', top: ['cherryTomato', 'basil', 'parmesan'], china: '#f7f3ea' },
    pesto: {
      strand: '#cfc25e',
      sauce: '#5f8f2c',
      top: ['basil', 'cherryTomato', 'parmesan', 'walnut'],
      china: '#ece5d8',
    },
    carbonara: { strand: '#f5d484', sauce: '#f3e0a4', top: ['bacon', 'bacon', 'parmesan'], china: '#3f4a55' },
    lemon: { strand: '#f3d27a', sauce: '#f4e6a6', top: ['shrimp', 'parsley', 'lemon'], china: '#f7f3ea' },
    mushroom: { strand: '#e3ba72', sauce: '#b98f5b', top: ['mushroom', 'mushroom', 'parsley'], china: '#b7c4c4' },
  };
  const { strand, sauce, top, china } = sauces[variant]!;
  plate(d, china, variant === 'lemon' ? 'banded' : variant === 'pesto' ? 'speckled' : 'plain');
  d.group('transform="scale(1.13)"', () => heap(d, strand, sauce, top));
  strew(d, ['herb', 'pepper', 'pepper'], 26, { radius: 140 });
}

function heap(d: Drawing, strand: string, sauce: string, top: Ingredient[]): void {
  drop(d, () => {
    d.add(path(blob(d.random, 132, 0.05, 14), `fill="${darker(strand, 0.16)}"`));
    noodles(d, 138, strand, 8, 9);
  });
  d.group('opacity=".9"', () => {
    for (const at of spread(d.random, 9, 92)) {
      d.add(
        `<g transform="translate(${round(at.x)} ${round(at.y)})">${path(
          blob(d.random, between(d.random, 16, 34), 0.3, 8, 1.2),
          `fill="${d.radial([
            [0, lighter(sauce, 0.25)],
            [0.6, sauce],
            [1, darker(sauce, 0.25)],
          ])}"`,
        )}</g>`,
      );
    }
  });
  looseNoodles(d, strand);
  gleam(d, 90, 9);
  drop(d, () => strew(d, top, 13, { radius: 92, size: 1 }));
}

/** A few strands over the sauce, so that it lies in the pasta and not on it. */
function looseNoodles(d: Drawing, colour: string): void {
  let strands = '';
  for (let strand = 0; strand < 6; strand += 1) {
    const start = d.random() * 2 * Math.PI;
    const [from, to] = [polar(start, between(d.random, 30, 110)), polar(start + 1.6, between(d.random, 40, 110))];
    strands += `M${round(from.x)} ${round(from.y)}A90 90 0 0 1 ${round(to.x)} ${round(to.y)}`;
  }
  d.add(path(strands, `fill="none" stroke="${darker(colour, 0.5)}" stroke-width="10" stroke-linecap="round"`));
  d.add(path(strands, `fill="none" stroke="${colour}" stroke-width="7.5" stroke-linecap="round"`));
  d.add(
    path(
      strands,
      `fill="none" stroke="${lighter(colour, 0.6)}" stroke-width="2.2" stroke-linecap="round" transform="translate(-1 -1)"`,
    ),
  );
}

function soup(d: Drawing, variant: string): void {
  const kinds: Record<string, { broth: string; swirl: string; top: Ingredient[]; china: string }> = {
    tomato: { broth: '#d2491f', swirl: '#fff3dc', top: ['crouton', 'crouton', 'basil'], china: '#f3eee4' },
    pumpkin: { broth: '#ec9a2c', swirl: '#fff6e2', top: ['pumpkinSeed', 'pumpkinSeed', 'sage'], china: '#4a5650' },
    pea: { broth: '#8db545', swirl: '#f6fbe6', top: ['pea', 'mint', 'feta'], china: '#e9dccb' },
    lentil: { broth: '#d39a37', swirl: '#c8401c', top: ['lemon', 'parsley', 'chili'], china: '#2f6f73' },
  };
  const { broth, swirl, top, china } = kinds[variant]!;
  bowl(d, china, () => {
    liquid(d, BOWL_INSIDE, broth);
    let spiral = 'M4 0';
    for (let turn = 0.3; turn < 12.5; turn += 0.16) {
      const at = polar(turn, 6 + turn * 9 + 5 * Math.sin(turn * 3));
      spiral += `L${round(at.x)} ${round(at.y)}`;
    }
    d.add(
      path(
        spiral,
        `fill="none" stroke="${swirl}" stroke-width="15" stroke-linejoin="round" stroke-linecap="round" opacity=".55" filter="${d.blur(2.5)}"`,
      ),
    );
    d.add(
      path(
        spiral,
        `fill="none" stroke="${swirl}" stroke-width="6" stroke-linejoin="round" stroke-linecap="round" opacity=".9"`,
      ),
    );
    for (const at of spread(d.random, 16, 150))
      d.add(
        circle(at, between(d.random, 2, 7), 'fill="#f7c046" opacity=".55"'),
        circle({ x: at.x - 1, y: at.y - 1 }, 1.4, 'fill="#fff" opacity=".8"'),
      );
    drop(d, () => strew(d, top, 13, { radius: 82, size: 1.15 }));
    strew(d, ['pepper', 'herb'], 26, { radius: 140 });
    gleam(d, 140, 6);
  });
}

function ramen(d: Drawing): void {
  bowl(d, '#26323f', () => {
    liquid(d, BOWL_INSIDE, '#c9893c');
    d.group('transform="translate(-10 26)"', () => noodles(d, 122, '#f3d68d', 7, 8));
    for (const at of spread(d.random, 18, 158, 90))
      d.add(circle(at, between(d.random, 3, 8), 'fill="#ffd978" opacity=".55"'));
    drop(d, () => {
      d.add(
        '<g transform="translate(92 -92) rotate(28)"><rect x="-44" y="-62" width="88" height="124" rx="3" fill="#1d2b22"/><path d="M-30-50L30 50M-40 0L20-58M-20 60L40-8" stroke="#3d5a45" stroke-width="3" opacity=".7"/></g>',
      );
      for (const [x, y, turn] of [
        [-86, -64, 12],
        [-36, -112, -14],
      ] as const) {
        d.add(
          `<g transform="translate(${x} ${y}) rotate(${turn})">${path(
            blob(d.random, 46, 0.07, 9, 1.15),
            `fill="${d.ring([
              [0, '#eebb94'],
              [0.6, '#d99467'],
              [0.85, '#a8623a'],
              [1, '#6d3516'],
            ])}"`,
          )}${path('M-30 4Q0-20 30 6M-22 20Q4 6 24 20', 'fill="none" stroke="#fbe6d2" stroke-width="4" opacity=".75" stroke-linecap="round"')}</g>`,
        );
      }
      put(d, 'halfEgg', { x: 78, y: 34 }, 20, 1.25);
      put(d, 'halfEgg', { x: 34, y: 92 }, -30, 1.2);
    });
    drop(d, () => {
      strew(d, ['scallion'], 15, { radius: 56, at: { x: -70, y: 60 }, size: 0.75 });
      strew(d, ['corn'], 16, { radius: 36, at: { x: -112, y: -2 }, size: 0.9 });
      strew(d, ['chili'], 4, { radius: 80, size: 0.7 });
    });
    strew(d, ['sesame'], 22, { radius: 130, size: 0.8 });
    gleam(d, 150, 6);
  });
}

function salad(d: Drawing, variant: string): void {
  const kinds: Record<string, { leaves: Ingredient[]; top: Ingredient[]; china: string }> = {
    greek: {
      leaves: ['lettuce', 'lettuce', 'arugula'],
      top: ['cherryTomato', 'cucumber', 'feta', 'olive', 'redOnion'],
      china: '#f4efe6',
    },
    fig: {
      leaves: ['arugula', 'arugula', 'radicchio', 'spinach'],
      top: ['fig', 'fig', 'walnut', 'feta', 'pomegranate'],
      china: '#5a6470',
    },
    citrus: {
      leaves: ['radicchio', 'arugula', 'lettuce'],
      top: ['bloodOrange', 'orange', 'pistachio', 'feta', 'mint'],
      china: '#efe4d6',
    },
    beet: {
      leaves: ['spinach', 'arugula', 'kale'],
      top: ['beet', 'beet', 'feta', 'walnut', 'orange'],
      china: '#dfe5e2',
    },
  };
  const { leaves, top, china } = kinds[variant]!;
  bowl(d, china, () => {
    d.add(circle(MIDDLE, BOWL_INSIDE, 'fill="#2c4a24"'));
    strew(d, leaves, 32, { radius: 156, size: 1.45 });
    drop(d, () => strew(d, leaves, 14, { radius: 110, size: 1.25 }));
    drop(d, () => strew(d, top, 30, { radius: 138, size: 1.15 }));
    strew(d, ['sesame', 'pepper', 'herb'], 30, { radius: 140 });
    gleam(d, 130, 8);
  });
}

function tacos(d: Drawing, variant: string): void {
  board(d, '#8a5a35', 'oblong');
  const fillings: Record<string, Ingredient[]> = {
    chicken: ['chicken', 'chicken', 'avocado', 'redOnion', 'parsley', 'corn'],
    bean: ['blackBean', 'corn', 'redPepper', 'avocado', 'parsley', 'cherryTomato'],
    shrimp: ['shrimp', 'radicchio', 'avocado', 'lime', 'parsley'],
  };
  const toasted = d.radial([
    [0, '#fff3cf'],
    [0.6, '#f4d695'],
    [1, '#cf9a50'],
  ]);
  for (const [x, y] of [
    [-124, -64],
    [112, -78],
    [-4, 78],
  ] as const) {
    d.group(`transform="translate(${x} ${y})"`, () => {
      drop(d, () => d.add(path(blob(d.random, 108, 0.02, 16), `fill="${toasted}"`)));
      for (const at of spread(d.random, 9, 100, 70)) {
        d.add(ellipse(at, between(d.random, 4, 11), between(d.random, 3, 8), 'fill="#8a4f16" opacity=".4"'));
      }
      drop(d, () => strew(d, [variant === 'shrimp' ? 'radicchio' : 'lettuce'], 7, { radius: 52, size: 1.1 }));
      drop(d, () => strew(d, fillings[variant]!, 16, { radius: 62, size: 1.05 }));
      let drizzle = 'M-66-10';
      for (let along = -55; along <= 66; along += 15)
        drizzle += `Q${along - 8} ${along % 2 === 0 ? -46 : 46} ${along} 0`;
      d.add(path(drizzle, 'fill="none" stroke="#fff8ea" stroke-width="5" stroke-linecap="round" opacity=".92"'));
      strew(d, ['herb', 'sesame'], 8, { radius: 70 });
    });
  }
  put(d, 'lime', { x: 212, y: 142 }, 20, 1.5);
  put(d, 'lime', { x: -214, y: -140 }, 70, 1.4);
}

function pizza(d: Drawing, variant: string): void {
  board(d, '#a8713f', 'round');
  const toppings: Record<string, Ingredient[]> = {
    margherita: ['basil', 'basil', 'cherryTomato'],
    pepperoni: ['pepperoni', 'pepperoni', 'olive', 'basil'],
    garden: ['mushroom', 'redPepper', 'yellowPepper', 'olive', 'arugula', 'redOnion'],
  };
  drop(d, () =>
    d.add(
      path(
        blob(d.random, 192, 0.02, 26),
        `fill="${d.ring([
          [0, '#e8b663'],
          [0.82, '#efc478'],
          [0.93, '#d08e3a'],
          [1, '#945017'],
        ])}"`,
      ),
    ),
  );
  for (const at of spread(d.random, 18, 190, 172))
    d.add(ellipse(at, between(d.random, 5, 12), between(d.random, 4, 8), 'fill="#4b210a" opacity=".5"'));
  d.add(
    path(
      blob(d.random, 164, 0.03, 22),
      `fill="${d.ring([
        [0, '#d64a22'],
        [0.85, '#c53516'],
        [1, '#8f2410'],
      ])}"`,
    ),
  );
  for (const at of spread(d.random, 22, 138))
    d.add(
      `<g transform="translate(${round(at.x)} ${round(at.y)})">${path(
        blob(d.random, between(d.random, 20, 38), 0.26, 9),
        `fill="${d.radial([
          [0, '#fffbe6'],
          [0.6, '#fbe6ae'],
          [1, '#ecbd62'],
        ])}" opacity=".94"`,
      )}</g>`,
    );
  for (const at of spread(d.random, 16, 140))
    d.add(ellipse(at, between(d.random, 4, 9), between(d.random, 3, 6), 'fill="#b7691d" opacity=".55"'));
  drop(d, () => strew(d, toppings[variant]!, variant === 'margherita' ? 15 : 20, { radius: 138, size: 1.05 }));
  strew(d, ['herb', 'pepper'], 30, { radius: 150 });
  gleam(d, 130, 9);
  for (const turn of [24, 84, 144])
    d.add(`<path d="M-196 0H196" transform="rotate(${turn})" stroke="#5c2a0c" stroke-width="2.6" opacity=".5"/>`);
}

function curry(d: Drawing, variant: string): void {
  const kinds: Record<string, { sauce: string; chunks: Ingredient[]; china: string }> = {
    butter: { sauce: '#dd7425', chunks: ['chicken', 'chicken', 'paneer'], china: '#2e4a52' },
    green: { sauce: '#9dad4a', chunks: ['tofu', 'broccoli', 'redPepper', 'pea'], china: '#f1ece1' },
    chickpea: { sauce: '#c77a1e', chunks: ['chickpea', 'chickpea', 'spinach', 'cherryTomato'], china: '#7a3d34' },
  };
  const { sauce, chunks, china } = kinds[variant]!;
  bowl(d, china, () => {
    liquid(d, BOWL_INSIDE, sauce);
    drop(d, () => strew(d, chunks, 26, { radius: 128, at: { x: 44, y: 0 }, size: 1.15 }));
    let cream = 'M-20 60';
    for (let step = 1; step < 9; step += 1)
      cream += `Q${round(between(d.random, -20, 140))} ${round(between(d.random, -60, 110))} ${round(20 + step * 12)} ${round(70 - step * 20)}`;
    d.add(path(cream, `fill="none" stroke="#fff6e0" stroke-width="4.500" opacity=".8" stroke-linecap="round"`));
    drop(d, () => {
      d.add(
        path(
          'M-40-166C-10-120-60-60-36 0C-14 60-60 110-50 164C-130 150-172 84-172 0C-172-90-118-150-40-166Z',
          'fill="#e9dfc8"',
        ),
      );
      for (const at of spread(d.random, 92, 80))
        put(d, 'rice', { x: -104 + at.x * 0.72, y: at.y * 1.75 }, d.random() * 180, 1.1);
    });
    drop(d, () => strew(d, ['parsley', 'chili', 'parsley'], 8, { radius: 60, at: { x: 50, y: 0 }, size: 0.95 }));
    strew(d, ['sesame', 'herb', 'pepper'], 22, { radius: 140 });
    gleam(d, 100, 7);
  });
}

function shakshuka(d: Drawing): void {
  pan(d, () => {
    liquid(d, PAN_INSIDE, '#bf3a17');
    for (const at of spread(d.random, 22, 160))
      d.add(
        `<g transform="translate(${round(at.x)} ${round(at.y)})">${path(
          blob(d.random, between(d.random, 9, 24), 0.3, 7),
          `fill="${d.radial([
            [0, '#ef6a37'],
            [1, '#a12a10'],
          ])}" opacity=".85"`,
        )}</g>`,
      );
    strew(d, ['redPepper', 'yellowPepper'], 12, { radius: 150, size: 0.8 });
    for (const [x, y] of [
      [-74, -66],
      [70, -74],
      [-2, 22],
      [-96, 66],
      [88, 70],
    ] as const) {
      d.group(`transform="translate(${x} ${y})"`, () => {
        d.add(
          path(
            blob(d.random, 56, 0.13, 10),
            `fill="${d.radial([
              [0, '#ffffff'],
              [0.7, '#fdf6e6'],
              [1, '#e2c9a6'],
            ])}"`,
          ),
        );
        d.add(
          circle(
            { x: -3, y: -3 },
            24,
            `fill="${d.radial([
              [0, '#ffdf6b'],
              [0.6, '#fbab22'],
              [1, '#da760b'],
            ])}"`,
          ),
          ellipse({ x: -11, y: -12 }, 7, 4, 'fill="#fff" opacity=".8"'),
        );
      });
    }
    drop(d, () => strew(d, ['feta', 'parsley', 'parsley', 'olive'], 18, { radius: 150, size: 0.85 }));
    strew(d, ['pepper', 'herb'], 26, { radius: 160 });
    gleam(d, 150, 9);
  });
}

function roastVegetables(d: Drawing, variant: string): void {
  tray(d);
  const kinds: Record<string, Ingredient[]> = {
    roots: ['carrot', 'potato', 'beet', 'onionWedge', 'sprout', 'potato'],
    rainbow: ['broccoli', 'redPepper', 'yellowPepper', 'carrot', 'onionWedge', 'cherryTomato', 'chickpea'],
    pumpkin: ['pumpkin', 'pumpkin', 'sprout', 'onionWedge', 'potato', 'sage'],
  };
  const things = kinds[variant]!;
  drop(d, () => {
    for (let row = 0; row < 7; row += 1) {
      for (let column = 0; column < 10; column += 1) {
        const at = {
          x: column * 46 - 207 + between(d.random, -16, 16),
          y: row * 51 - 153 + between(d.random, -16, 16),
        };
        put(
          d,
          things[(column * 2 + row * 3) % things.length]!,
          at,
          between(d.random, 0, 360),
          between(d.random, 1.15, 1.4),
        );
      }
    }
  });
  drop(d, () => strew(d, ['garlic', 'rosemary', 'parsley'], 9, { radius: 150, size: 1.1 }));
  strew(d, ['saltFlake', 'pepper', 'herb'], 60, { radius: 180 });
}

function avocadoToast(d: Drawing): void {
  board(d, '#b98555', 'oblong');
  for (const [index, x] of [-112, 112].entries()) {
    d.group(`transform="translate(${x} ${index * 8 - 4}) rotate(${index * 14 - 8})"`, () => {
      const slice =
        'M-92-96C-110-150 110-150 92-96C84-80 88-60 88 0V116Q86 140 62 140H-62Q-86 140-88 116V0C-88-60-84-80-92-96Z';
      drop(d, () =>
        d.add(
          path(
            slice,
            `fill="${d.linear([
              [0, '#c07d34'],
              [1, '#7a4213'],
            ])}"`,
          ),
        ),
      );
      d.add(
        `<g transform="scale(.92)">${path(
          slice,
          `fill="${d.radial([
            [0, '#fbe3b3'],
            [1, '#e3b56c'],
          ])}"`,
        )}</g>`,
      );
      d.group('transform="scale(.8 .84)"', () =>
        d.add(
          path(
            'M-84-98C-96-140 92-146 86-94C98-40 74 10 90 60C94 130 60 136 0 130C-70 138-96 120-84 60C-98 10-74-40-84-98Z',
            `fill="${d.radial([
              [0, '#e0e888'],
              [0.6, '#b9cf58'],
              [1, '#84a834'],
            ])}"`,
          ),
        ),
      );
      for (const at of spread(d.random, 16, 88))
        d.add(
          `<g transform="translate(${round(at.x * 0.7)} ${round(at.y)})">${path(blob(d.random, 9, 0.3, 6), 'fill="#ecf0a8" opacity=".55"')}</g>`,
        );
      drop(d, () => {
        if (index === 0) for (const y of [-62, 34]) put(d, 'halfEgg', { x: y / 8, y: y + 10 }, y, 1.45);
        else
          for (let step = 0; step < 6; step += 1)
            put(
              d,
              step % 2 === 0 ? 'radish' : 'cherryTomato',
              { x: step % 2 === 0 ? -28 : 28, y: -76 + step * 34 },
              0,
              1.5,
            );
      });
      strew(d, ['sesame', 'blackSesame', 'chili', 'herb', 'saltFlake'], 34, { radius: 76, size: 0.9 });
      drop(d, () => strew(d, ['mint', 'dill'], 5, { radius: 66, size: 0.7 }));
    });
  }
}

function sushi(d: Drawing): void {
  board(d, '#3c2f2a', 'oblong');
  const hearts: [string, string][] = [
    ['#f58d62', '#ffd0b4'],
    ['#b9cf58', '#e9efa2'],
    ['#d8434f', '#f7a7a4'],
  ];
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const [heart, light] = hearts[(row + column) % 3]!;
      d.group(`transform="translate(${column * 104 - 156 + (row % 2) * 10} ${row * 100 - 100})"`, () => {
        drop(d, () =>
          d.add(
            circle(
              MIDDLE,
              44,
              `fill="${d.linear([
                [0, '#3a4a40'],
                [1, '#10160f'],
              ])}"`,
            ),
          ),
        );
        d.add(
          circle(
            MIDDLE,
            38,
            `fill="${d.radial([
              [0, '#ffffff'],
              [0.8, '#f6efe0'],
              [1, '#d9ccb2'],
            ])}"`,
          ),
        );
        for (const at of spread(d.random, 9, 33, 20))
          d.add(ellipse(at, 5, 2.4, 'fill="#fff" stroke="#e2d7c0" stroke-width=".7"'));
        d.add(
          `<rect x="-15" y="-15" width="30" height="30" rx="9" fill="${d.linear([
            [0, light],
            [0.6, heart],
            [1, darker(heart, 0.3)],
          ])}"/>`,
        );
        d.add(path('M-9-6L8-9M-10 2L9 0', `stroke="${light}" stroke-width="2.5" stroke-linecap="round" opacity=".8"`));
      });
    }
  }
  strew(d, ['sesame', 'blackSesame'], 40, { radius: 160, size: 0.8 });
  drop(d, () =>
    d.add(
      `<g transform="translate(204 130)">${path(
        blob(d.random, 26, 0.2, 8),
        `fill="${d.radial([
          [0, '#c7dd8a'],
          [1, '#7fa23d'],
        ])}"`,
      )}</g>`,
    ),
  );
}

function paella(d: Drawing): void {
  pan(d, () => {
    d.add(
      circle(
        MIDDLE,
        PAN_INSIDE,
        `fill="${d.radial([
          [0, '#f6c33c'],
          [1, '#b36f14'],
        ])}"`,
      ),
    );
    strew(d, ['saffronRice'], 95, { radius: 170, size: 1.25 });
    drop(d, () => strew(d, ['pea', 'redPepper', 'pea', 'chickpea'], 26, { radius: 160, size: 0.85 }));
    drop(d, () => {
      for (let step = 0; step < 8; step += 1) {
        const at = polar((step / 8) * 6.283 + 0.2, step % 2 === 0 ? 112 : 122);
        put(d, step % 2 === 0 ? 'shrimp' : 'mussel', at, step * 45 + 60, 1.4);
      }
      put(d, 'shrimp', { x: -24, y: -20 }, 40, 1.5);
      put(d, 'shrimp', { x: 36, y: 20 }, 220, 1.5);
      for (const turn of [0, 2.1, 4.2]) put(d, 'lemon', polar(turn + 0.9, 62), 0, 1.25);
    });
    drop(d, () => strew(d, ['parsley'], 10, { radius: 140, size: 0.9 }));
    gleam(d, 150, 8);
  });
}

function dumplings(d: Drawing): void {
  steamer(d);
  const places = [MIDDLE, ...Array.from({ length: 6 }, (_, index) => polar((index / 6) * 6.283, 106))];
  for (const at of places) {
    d.group(`transform="translate(${round(at.x)} ${round(at.y)}) rotate(${round(between(d.random, 0, 60))})"`, () => {
      drop(d, () =>
        d.add(
          path(
            blob(d.random, 50, 0.03, 14),
            `fill="${d.radial([
              [0, '#ffffff'],
              [0.6, '#f8efdc'],
              [1, '#cdb791'],
            ])}"`,
          ),
        ),
      );
      const pleats = Array.from({ length: 14 }, (_, index) => {
        const [from, to] = [polar((index / 14) * 6.283, 9), polar((index / 14) * 6.283 + 0.55, 38)];
        return `M${round(from.x)} ${round(from.y)}Q${round(from.x * 2.4)} ${round(from.y * 2.4)} ${round(to.x)} ${round(to.y)}`;
      }).join('');
      d.add(
        path(pleats, 'fill="none" stroke="#bfa57c" stroke-width="2.6" stroke-linecap="round" opacity=".75"'),
        path(pleats, 'fill="none" stroke="#fff" stroke-width="2" transform="rotate(8)" opacity=".7"'),
      );
      d.add(circle(MIDDLE, 8, 'fill="#d9c39a"'), circle({ x: -1, y: -1 }, 4.5, 'fill="#fff8e8"'));
    });
  }
  drop(d, () => strew(d, ['scallion', 'herb', 'chili'], 16, { radius: 150, size: 0.6 }));
  strew(d, ['blackSesame', 'sesame'], 24, { radius: 150, size: 0.8 });
}

function hummus(d: Drawing): void {
  plate(d, '#3f6f7a', 'speckled');
  const cream = '#ead3a3';
  drop(d, () =>
    d.add(
      path(
        blob(d.random, 150, 0.02, 20),
        `fill="${d.radial([
          [0, '#fff3d4'],
          [0.6, cream],
          [1, '#c6a066'],
        ])}"`,
      ),
    ),
  );
  let spiral = 'M0 0';
  for (let turn = 0.4; turn < 18; turn += 0.22) {
    const at = polar(turn, turn * 7);
    spiral += `L${round(at.x)} ${round(at.y)}`;
  }
  d.add(
    path(
      spiral,
      `fill="none" stroke="#b48b4c" stroke-width="13" opacity=".5" stroke-linejoin="round" filter="${d.blur(3)}"`,
    ),
  );
  d.add(
    path(
      spiral,
      'fill="none" stroke="#fff6df" stroke-width="6" opacity=".8" stroke-linejoin="round" transform="translate(-6 -6)"',
    ),
  );
  d.add(
    path(
      spiral,
      `fill="none" stroke="#d9a520" stroke-width="9" opacity=".6" stroke-dasharray="90 46" stroke-linecap="round"`,
    ),
  );
  gleam(d, 110, 10);
  drop(d, () => {
    strew(d, ['chickpea'], 13, { radius: 46, size: 1.2 });
    strew(d, ['parsley', 'pomegranate', 'parsley'], 16, { radius: 112, from: 50, size: 0.85 });
  });
  for (const at of spread(d.random, 60, 120))
    d.add(circle(at, between(d.random, 1, 2.6), 'fill="#b5361a" opacity=".7"'));
}

function caprese(d: Drawing): void {
  plate(d, '#e9e3d6', 'plain');
  for (const [ring, count, radius] of [
    [0, 12, 108],
    [1, 6, 48],
  ] as const) {
    for (let step = 0; step < count; step += 1) {
      const at = polar((step / count) * 6.283 + ring, radius);
      drop(d, () => put(d, step % 2 === 0 ? 'tomatoSlice' : 'mozzarella', at, (step / count) * 360, 1.75));
    }
  }
  drop(d, () => {
    put(d, 'basil', { x: -10, y: -6 }, -40, 1.3);
    put(d, 'basil', { x: 14, y: 4 }, 70, 1.2);
    strew(d, ['basil'], 7, { radius: 130, from: 70, size: 0.95 });
  });
  let drizzle = 'M-130-40';
  for (let step = 0; step < 9; step += 1)
    drizzle += `Q${step * 30 - 130} ${step % 2 === 0 ? -120 : 110} ${step * 30 - 110} ${step % 2 === 0 ? 40 : -40}`;
  d.add(path(drizzle, 'fill="none" stroke="#2a1210" stroke-width="4" opacity=".8" stroke-linecap="round"'));
  strew(d, ['pepper', 'saltFlake', 'herb'], 46, { radius: 140 });
  gleam(d, 130, 7);
}

export const savoury = {
  pasta,
  soup,
  ramen,
  salad,
  tacos,
  pizza,
  curry,
  shakshuka,
  roastVegetables,
  avocadoToast,
  sushi,
  paella,
  dumplings,
  hummus,
  caprese,
} satisfies Record<string, (d: Drawing, variant: string) => void>;
