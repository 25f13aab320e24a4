import { between, type Random, randomFrom } from './random.ts';

export interface Point {
  x: number;
  y: number;
}

/** Offset from 0 to 1, colour, opacity from 0 to 1. */
export type Stop = readonly [offset: number, colour: string, opacity?: number];

/**
 * Collects the parts of one SVG picture. Gradients and repeated shapes are written once into `<defs>` and referred to, which keeps a plate
 * of sixty leaves small. Everything random comes from `random`, so a picture follows from its name alone.
 */
export class Drawing {
  readonly random: Random;
  readonly #defs = new Map<string, string>();
  readonly #body: string[] = [];
  readonly #shapeIds = new Map<string, string>();
  readonly #gradientIds = new Map<string, string>();

  constructor(name: string) {
    this.random = randomFrom(name);
  }

  add(...markup: string[]): void {
    this.#body.push(...markup);
  }

  /** Light falls from the top left: by default the focus of a round gradient sits there. */
  radial(stops: readonly Stop[], focus: Point = { x: 0.38, y: 0.34 }): string {
    const geometry = `cx="${focus.x}" cy="${focus.y}" r="0.72"`;
    return this.#gradient('radialGradient', geometry, stops);
  }

  /** A round gradient around the middle, for rims and inner shadows. */
  ring(stops: readonly Stop[]): string {
    return this.#gradient('radialGradient', 'cx="0.5" cy="0.5" r="0.5"', stops);
  }

  /** From top left to bottom right, or along the axis given (in the shape's own box). */
  linear(stops: readonly Stop[], axis: readonly [number, number, number, number] = [0.1, 0, 0.9, 1]): string {
    const [x1, y1, x2, y2] = axis;
    return this.#gradient('linearGradient', `x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"`, stops);
  }

  /** Puts a definition (filter, pattern, clip path) under an id of its own, once. */
  define(id: string, markup: () => string): string {
    if (!this.#defs.has(id)) this.#defs.set(id, markup());
    return `url(#${id})`;
  }

  blur(deviation: number): string {
    const id = `blur${deviation}`.replace('.', '-');
    return this.define(
      id,
      () =>
        `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`,
    );
  }

  /** Draws a shape that was or now is defined under `name`, moved, turned (degrees) and scaled. */
  place(name: string, markup: () => string, at: Point, turn = 0, size = 1): void {
    const id = this.#shape(name, markup);
    const [x, y, degrees] = [Math.round(at.x), Math.round(at.y), Math.round(turn) % 360];
    const turned = degrees === 0 ? '' : `rotate(${degrees})`;
    const scaled = size === 1 ? '' : `scale(${String(Math.round(size * 100) / 100).replace(/^0/, '')})`;
    this.#body.push(`<use href="#${id}" transform="translate(${x} ${y})${turned}${scaled}"/>`);
  }

  /** Everything that `draw` adds goes into one group with these attributes. */
  group(attributes: string, draw: () => void): void {
    this.#body.push(`<g ${attributes}>`);
    draw();
    this.#body.push('</g>');
  }

  toSvg(size = 600): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">` +
      `<defs>${[...this.#defs.values()].join('')}</defs>${this.#body.join('')}</svg>`
    );
  }

  /** Short ids: a picture refers to its shapes some hundred times. */
  #shape(name: string, markup: () => string): string {
    const known = this.#shapeIds.get(name);
    if (known) return known;
    const id = `s${this.#shapeIds.size}`;
    this.#shapeIds.set(name, id);
    const drawn = markup();
    this.#defs.set(id, `<g id="${id}">${drawn}</g>`);
    return id;
  }

  #gradient(element: string, geometry: string, stops: readonly Stop[]): string {
    const body = stops
      .map(
        ([offset, colour, opacity]) =>
          `<stop offset="${offset}" stop-color="${colour}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
      )
      .join('');
    const key = `${element}${geometry}${body}`;
    const known = this.#gradientIds.get(key);
    if (known) return `url(#${known})`;
    const id = `g${this.#gradientIds.size}`;
    this.#gradientIds.set(key, id);
    this.#defs.set(id, `<${element} id="${id}" ${geometry}>${body}</${element}>`);
    return `url(#${id})`;
  }
}

/** Short, and finer than the eye: one decimal for the small things around 0,0, whole numbers farther out. */
export function round(value: number): string {
  return String(Math.abs(value) < 30 ? Math.round(value * 10) / 10 : Math.round(value));
}

export function circle(at: Point, radius: number, attributes: string): string {
  return `<circle cx="${round(at.x)}" cy="${round(at.y)}" r="${round(radius)}" ${attributes}/>`;
}

export function ellipse(at: Point, rx: number, ry: number, attributes: string): string {
  return `<ellipse cx="${round(at.x)}" cy="${round(at.y)}" rx="${round(rx)}" ry="${round(ry)}" ${attributes}/>`;
}

export function path(d: string, attributes: string): string {
  return `<path d="${d}" ${attributes}/>`;
}

export function polar(angle: number, radius: number): Point {
  return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius };
}

/** A soft closed outline: a circle whose radius wavers by `waver` (0 to 1) at `points` places. */
export function blob(random: Random, radius: number, waver: number, points = 9, stretch = 1): string {
  const corners = Array.from({ length: points }, (_, index) => {
    const at = polar((index / points) * 2 * Math.PI, radius * between(random, 1 - waver, 1 + waver));
    return { x: at.x * stretch, y: at.y };
  });
  return smooth(corners);
}

/** A closed curve through the middles of the sides of a polygon. */
export function smooth(corners: readonly Point[]): string {
  const middle = (index: number): string => {
    const a = corners[index % corners.length]!;
    const b = corners[(index + 1) % corners.length]!;
    return `${round((a.x + b.x) / 2)} ${round((a.y + b.y) / 2)}`;
  };
  const curves = corners.map((_, index) => {
    const corner = corners[(index + 1) % corners.length]!;
    return `Q${round(corner.x)} ${round(corner.y)} ${middle(index + 1)}`;
  });
  return `M${middle(0)}${curves.join('')}Z`;
}

/**
 * Points spread over a disc as a cook would: at random, yet never in a heap. Each point is the best of some candidates, the one farthest
 * from those already laid.
 */
export function spread(random: Random, count: number, radius: number, innerRadius = 0): Point[] {
  const points: Point[] = [];
  for (let laid = 0; laid < count; laid += 1) {
    let best: Point = { x: 0, y: 0 };
    let bestGap = -1;
    for (let candidate = 0; candidate < 9; candidate += 1) {
      const reach = Math.sqrt(between(random, (innerRadius / radius) ** 2, 1)) * radius;
      const at = polar(random() * 2 * Math.PI, reach);
      let gap = Number.POSITIVE_INFINITY;
      for (const other of points) gap = Math.min(gap, (at.x - other.x) ** 2 + (at.y - other.y) ** 2);
      if (gap > bestGap) [best, bestGap] = [at, gap];
    }
    points.push(best);
  }
  return points;
}

/** Mixes two `#rrggbb` colours; `share` is how much of the second. */
export function mix(first: string, second: string, share: number): string {
  const channel = (colour: string, index: number) => Number.parseInt(colour.slice(1 + index * 2, 3 + index * 2), 16);
  const mixed = [0, 1, 2].map((index) =>
    Math.round(channel(first, index) * (1 - share) + channel(second, index) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}

export const lighter = (colour: string, share: number): string => mix(colour, '#fffaf0', share);
/** Shadows are warm. */
export const darker = (colour: string, share: number): string => mix(colour, '#2a1408', share);
