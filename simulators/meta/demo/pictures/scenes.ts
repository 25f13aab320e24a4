import { savoury } from './dishes-savoury.ts';
import { sweet } from './dishes-sweet.ts';
import { Drawing, polar, round } from './drawing.ts';
import { type Ingredient, put } from './ingredients.ts';
import { between } from './random.ts';
import { paintLight, paintSurface, type Surface } from './surfaces.ts';
import { fork, knife, napkin, smallBowl, spoon } from './tableware.ts';

const dishes = { ...savoury, ...sweet };

/** One photograph: what is served, on which table, with what beside it. */
interface Scene {
  dish: keyof typeof dishes;
  variant?: string;
  on: Surface;
  beside?: Beside[];
  /** 1 fills two thirds of the picture; default 1.18. */
  zoom?: number;
  /** Where the dish's middle lies, in pixels from the picture's. */
  off?: [x: number, y: number];
  turn?: number;
}

type Beside =
  | 'fork'
  | 'goldFork'
  | 'spoon'
  | 'goldSpoon'
  | 'knife'
  | 'napkin'
  | 'sauce'
  | 'salt'
  | 'seeds'
  | 'oil'
  | Ingredient;

const scenes = {
  'spaghetti-pomodoro': {
    dish: 'pasta',
    variant: 'pomodoro',
    on: 'linen-natural',
    beside: ['fork', 'wholeTomato', 'basil', 'garlic'],
  },
  'pesto-linguine': {
    dish: 'pasta',
    variant: 'pesto',
    on: 'plaster-terracotta',
    beside: ['basil', 'goldFork', 'walnut', 'garlic'],
    zoom: 1.29,
    off: [-24, 20],
  },
  carbonara: { dish: 'pasta', variant: 'carbonara', on: 'oak', beside: ['salt', 'fork', 'parmesan'], zoom: 1.24 },
  'lemon-shrimp-pasta': {
    dish: 'pasta',
    variant: 'lemon',
    on: 'tiles-teal',
    beside: ['lemon', 'parsley', 'lemon', 'goldFork'],
  },
  'mushroom-tagliatelle': {
    dish: 'pasta',
    variant: 'mushroom',
    on: 'walnut',
    beside: ['mushroom', 'napkin', 'fork', 'mushroom'],
  },
  'tomato-soup': {
    dish: 'soup',
    variant: 'tomato',
    on: 'gingham-red',
    beside: ['spoon', 'basil', 'wholeTomato'],
    zoom: 1.19,
  },
  'pumpkin-soup': {
    dish: 'soup',
    variant: 'pumpkin',
    on: 'linen-sage',
    beside: ['goldSpoon', 'pumpkinSeed', 'sage', 'sage'],
    zoom: 1.26,
    off: [18, -10],
  },
  'pea-mint-soup': { dish: 'soup', variant: 'pea', on: 'marble', beside: ['mint', 'pea', 'spoon', 'pea'] },
  'red-lentil-soup': {
    dish: 'soup',
    variant: 'lentil',
    on: 'plaster-cream',
    beside: ['lemon', 'seeds', 'parsley', 'spoon'],
  },
  'miso-ramen': { dish: 'ramen', on: 'slate', beside: ['scallion', 'seeds', 'chili', 'spoon'], zoom: 1.28 },
  'greek-salad': { dish: 'salad', variant: 'greek', on: 'tiles-white', beside: ['lemon', 'oil', 'olive', 'fork'] },
  'fig-salad': {
    dish: 'salad',
    variant: 'fig',
    on: 'marble',
    beside: ['fig', 'walnut', 'goldFork', 'fig'],
    zoom: 1.26,
    off: [-16, 14],
  },
  'citrus-salad': {
    dish: 'salad',
    variant: 'citrus',
    on: 'plaster-sky',
    beside: ['bloodOrange', 'mint', 'orange'],
    zoom: 1.19,
  },
  'beet-salad': { dish: 'salad', variant: 'beet', on: 'linen-rose', beside: ['beet', 'fork', 'orange', 'walnut'] },
  'chicken-tacos': {
    dish: 'tacos',
    variant: 'chicken',
    on: 'tiles-indigo',
    beside: ['lime', 'sauce', 'chili', 'lime'],
    zoom: 1.12,
  },
  'black-bean-tacos': {
    dish: 'tacos',
    variant: 'bean',
    on: 'plaster-butter',
    beside: ['lime', 'parsley', 'salt', 'halfAvocado'],
    zoom: 1.14,
  },
  'shrimp-tacos': {
    dish: 'tacos',
    variant: 'shrimp',
    on: 'whitewash',
    beside: ['lime', 'chili', 'sauce'],
    zoom: 1.16,
    turn: -8,
  },
  'pizza-margherita': {
    dish: 'pizza',
    variant: 'margherita',
    on: 'slate',
    beside: ['basil', 'wholeTomato', 'garlic', 'oil'],
    zoom: 1.26,
  },
  'pizza-pepperoni': {
    dish: 'pizza',
    variant: 'pepperoni',
    on: 'gingham-green',
    beside: ['chili', 'olive', 'salt'],
    zoom: 1.28,
    off: [30, 26],
  },
  'pizza-garden': {
    dish: 'pizza',
    variant: 'garden',
    on: 'oak',
    beside: ['arugula', 'mushroom', 'oil'],
    zoom: 1.24,
    off: [-20, 10],
  },
  'butter-chicken': {
    dish: 'curry',
    variant: 'butter',
    on: 'walnut',
    beside: ['napkin', 'seeds', 'goldSpoon', 'parsley'],
    zoom: 1.22,
  },
  'green-curry': {
    dish: 'curry',
    variant: 'green',
    on: 'plaster-olive',
    beside: ['lime', 'chili', 'goldSpoon', 'basil'],
    zoom: 1.22,
  },
  'chickpea-curry': {
    dish: 'curry',
    variant: 'chickpea',
    on: 'linen-ochre',
    beside: ['chickpea', 'spoon', 'lemon', 'seeds'],
    zoom: 1.19,
  },
  shakshuka: {
    dish: 'shakshuka',
    on: 'tiles-white',
    beside: ['parsley', 'napkin', 'lemon'],
    zoom: 1.22,
    off: [-26, -26],
  },
  'roast-roots': { dish: 'roastVegetables', variant: 'roots', on: 'slate', beside: ['rosemary', 'salt'], zoom: 1.26 },
  'rainbow-tray': {
    dish: 'roastVegetables',
    variant: 'rainbow',
    on: 'whitewash',
    beside: ['sauce', 'parsley'],
    zoom: 1.24,
    turn: 6,
  },
  'roast-pumpkin': {
    dish: 'roastVegetables',
    variant: 'pumpkin',
    on: 'plaster-plum',
    beside: ['sage', 'oil'],
    zoom: 1.24,
    turn: -5,
  },
  'avocado-toast': {
    dish: 'avocadoToast',
    on: 'plaster-pink',
    beside: ['halfAvocado', 'seeds', 'lemon', 'radish'],
    zoom: 1.16,
  },
  'maki-board': { dish: 'sushi', on: 'plaster-cream', beside: ['sauce', 'seeds', 'blackSesame'], zoom: 1.18, turn: -7 },
  paella: { dish: 'paella', on: 'tiles-indigo', beside: ['lemon', 'parsley', 'lemon'], zoom: 1.28, off: [-30, -28] },
  'steamed-dumplings': {
    dish: 'dumplings',
    on: 'linen-blue',
    beside: ['sauce', 'chili', 'scallion', 'seeds'],
    zoom: 1.24,
    off: [-14, 16],
  },
  'hummus-plate': {
    dish: 'hummus',
    on: 'plaster-terracotta',
    beside: ['lemon', 'oil', 'chickpea', 'parsley'],
    zoom: 1.24,
  },
  caprese: { dish: 'caprese', on: 'gingham-blue', beside: ['basil', 'oil', 'wholeTomato', 'fork'], zoom: 1.24 },
  'berry-cake': {
    dish: 'cake',
    variant: 'berry',
    on: 'plaster-pink',
    beside: ['goldFork', 'strawberry', 'mint', 'blueberry'],
    zoom: 1.26,
  },
  'chocolate-cake': {
    dish: 'cake',
    variant: 'chocolate',
    on: 'marble',
    beside: ['cherry', 'goldFork', 'chocolate', 'cherry'],
    zoom: 1.26,
  },
  'carrot-cake': {
    dish: 'cake',
    variant: 'carrot',
    on: 'linen-natural',
    beside: ['walnut', 'cinnamon', 'fork', 'walnut'],
    zoom: 1.24,
  },
  'lemon-cake': {
    dish: 'cake',
    variant: 'lemon',
    on: 'tiles-green',
    beside: ['lemon', 'daisy', 'goldFork', 'lemon'],
    zoom: 1.24,
  },
  'chocolate-chip-cookies': {
    dish: 'cookies',
    variant: 'chocolate',
    on: 'linen-blue',
    beside: ['chocolate', 'salt'],
    zoom: 1.26,
    turn: -6,
  },
  'double-chocolate-cookies': {
    dish: 'cookies',
    variant: 'double',
    on: 'plaster-pink',
    beside: ['raspberry', 'chocolate'],
    zoom: 1.28,
    turn: 5,
  },
  'oat-cookies': { dish: 'cookies', variant: 'oat', on: 'oak', beside: ['blueberry', 'almond'], zoom: 1.26 },
  'berry-pancakes': {
    dish: 'pancakes',
    variant: 'berry',
    on: 'linen-rose',
    beside: ['fork', 'raspberry', 'sauce', 'blueberry'],
    zoom: 1.26,
  },
  'banana-pancakes': {
    dish: 'pancakes',
    variant: 'banana',
    on: 'whitewash',
    beside: ['banana', 'goldFork', 'walnut', 'oil'],
    zoom: 1.26,
  },
  'acai-bowl': {
    dish: 'smoothieBowl',
    variant: 'acai',
    on: 'plaster-sky',
    beside: ['strawberry', 'goldSpoon', 'blueberry', 'flower'],
    zoom: 1.28,
  },
  'mango-bowl': {
    dish: 'smoothieBowl',
    variant: 'mango',
    on: 'tiles-teal',
    beside: ['kiwi', 'goldSpoon', 'raspberry', 'mint'],
    zoom: 1.26,
  },
  'green-smoothie-bowl': {
    dish: 'smoothieBowl',
    variant: 'green',
    on: 'marble',
    beside: ['kiwi', 'spoon', 'blackberry'],
    zoom: 1.24,
  },
  'overnight-oats': {
    dish: 'smoothieBowl',
    variant: 'oats',
    on: 'linen-sage',
    beside: ['fig', 'spoon', 'almond', 'blueberry'],
    zoom: 1.26,
  },
  sourdough: { dish: 'bread', on: 'linen-natural', beside: ['knife', 'salt'], zoom: 1.22, off: [-20, 26] },
  focaccia: { dish: 'focaccia', on: 'plaster-olive', beside: ['rosemary', 'oil'], zoom: 1.28 },
  'fruit-tart': {
    dish: 'tart',
    variant: 'berry',
    on: 'plaster-butter',
    beside: ['strawberry', 'blueberry', 'goldFork', 'mint'],
    zoom: 1.3,
  },
  'lemon-tart': {
    dish: 'tart',
    variant: 'lemon',
    on: 'linen-natural',
    beside: ['lemon', 'goldFork', 'lemon', 'daisy'],
    zoom: 1.28,
  },
  'peach-tart': {
    dish: 'tart',
    variant: 'peach',
    on: 'plaster-sky',
    beside: ['peach', 'raspberry', 'fork'],
    zoom: 1.28,
  },
  donuts: { dish: 'donuts', on: 'plaster-pink', beside: ['flower', 'raspberry'], zoom: 1.22, turn: 4 },
  'cherry-pie': { dish: 'pie', variant: 'cherry', on: 'gingham-red', beside: ['cherry', 'fork', 'cherry'], zoom: 1.22 },
  'apple-pie': {
    dish: 'pie',
    variant: 'apple',
    on: 'walnut',
    beside: ['cinnamon', 'anise', 'fork', 'cinnamon'],
    zoom: 1.22,
  },
  'cinnamon-rolls': {
    dish: 'cinnamonRolls',
    on: 'linen-natural',
    beside: ['cinnamon', 'anise', 'walnut'],
    zoom: 1.26,
    off: [-26, -26],
  },
  brownies: { dish: 'brownies', on: 'plaster-sky', beside: ['raspberry', 'chocolate'], zoom: 1.24, turn: -5 },
  lemonade: { dish: 'drinks', variant: 'lemonade', on: 'tiles-white', beside: ['lemon', 'mint', 'lemon'], zoom: 1.28 },
  'hibiscus-cooler': {
    dish: 'drinks',
    variant: 'hibiscus',
    on: 'plaster-butter',
    beside: ['orange', 'flower', 'mint'],
    zoom: 1.28,
  },
  'iced-coffee': {
    dish: 'drinks',
    variant: 'coffee',
    on: 'marble',
    beside: ['chocolate', 'cinnamon', 'goldSpoon'],
    zoom: 1.28,
  },
  'ice-cream': {
    dish: 'iceCream',
    on: 'plaster-terracotta',
    beside: ['pistachio', 'goldSpoon', 'raspberry', 'flower'],
    zoom: 1.28,
  },
} satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;
export const sceneNames = Object.keys(scenes) as SceneName[];

/** Draws a scene; the same name always gives the same bytes. */
export function drawScene(name: SceneName): string {
  const scene: Scene = scenes[name];
  const d = new Drawing(name);
  paintSurface(d, scene.on);
  layBeside(d, scene.beside ?? []);
  const [x, y] = scene.off ?? [0, 0];
  const turned = scene.turn ? `rotate(${scene.turn})` : '';
  d.group(`transform="translate(${300 + x} ${300 + y})${turned}scale(${scene.zoom ?? 1.18})"`, () => {
    dishes[scene.dish](d, scene.variant ?? '');
  });
  paintLight(d);
  return d.toSvg();
}

/** Things beside the plate go to the corners in turn; flat things lie in twos and threes, as if they had rolled there. */
function layBeside(d: Drawing, beside: Beside[]): void {
  const corners = [
    { x: 66, y: 70, turn: -38 },
    { x: 536, y: 528, turn: -140 },
    { x: 540, y: 66, turn: 40 },
    { x: 62, y: 536, turn: 140 },
  ];
  for (const [index, thing] of beside.entries()) {
    const { x, y, turn } = corners[index % corners.length]!;
    const lay = (lean: number, size: number, draw: () => void) =>
      d.group(`transform="translate(${x} ${y})rotate(${round(lean)})scale(${size})"`, draw);
    if (thing === 'fork' || thing === 'goldFork') lay(turn + 90, 1, () => fork(d, thing === 'goldFork'));
    else if (thing === 'spoon' || thing === 'goldSpoon') lay(turn + 90, 1, () => spoon(d, thing === 'goldSpoon'));
    else if (thing === 'knife') lay(turn + 90, 1, () => knife(d));
    else if (thing === 'napkin') lay(between(d.random, 8, 26), 1.15, () => napkin(d, '#d9cbb3'));
    else if (thing === 'sauce') lay(0, 1.1, () => smallBowl(d, '#f3ece0', '#c2451c'));
    else if (thing === 'salt') lay(0, 1, () => smallBowl(d, '#4c5a60', '#efece6', '#ffffff'));
    else if (thing === 'seeds') lay(0, 1, () => smallBowl(d, '#efe6d6', '#c9a05a', '#fbeecb'));
    else if (thing === 'oil') lay(0, 1, () => smallBowl(d, '#fbf7ef', '#d7a421'));
    else layIngredient(d, thing, { x, y });
  }
}

function layIngredient(d: Drawing, thing: Ingredient, at: { x: number; y: number }): void {
  const large = new Set<Ingredient>([
    'wholeTomato',
    'lemon',
    'orange',
    'bloodOrange',
    'lime',
    'fig',
    'beet',
    'halfAvocado',
    'cinnamon',
    'kiwi',
    'mushroom',
    'peach',
  ]);
  const count = large.has(thing) ? 2 : 5;
  const size = large.has(thing) ? 1.9 : 1.25;
  const start = d.random() * 6.283;
  for (let index = 0; index < count; index += 1) {
    const away = polar(start + (index / count) * 6.283, (large.has(thing) ? 34 : 30) * between(d.random, 0.7, 1.25));
    put(
      d,
      thing,
      { x: at.x + away.x, y: at.y + away.y },
      between(d.random, 0, 360),
      size * between(d.random, 0.85, 1.1),
    );
  }
}
