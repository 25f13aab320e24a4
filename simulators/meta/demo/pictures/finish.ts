import { type Drawing, round, spread } from './drawing.ts';
import { between } from './random.ts';

/** What `draw` lays down casts a shadow, all of it together. */
export function drop(d: Drawing, draw: () => void): void {
  const shadow = d.define(
    'drop',
    () =>
      '<filter id="drop" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="3" dy="5" stdDeviation="4" flood-color="#1c0d04" flood-opacity=".45"/></filter>',
  );
  d.group(`filter="${shadow}"`, draw);
}

/** Light that glides over something wet. */
export function gleam(d: Drawing, radius: number, count: number): void {
  for (const at of spread(d.random, count, radius)) {
    d.add(
      `<ellipse cx="${round(at.x)}" cy="${round(at.y)}" rx="${round(between(d.random, 5, 15))}" ry="${round(between(d.random, 2, 4))}" fill="#fff" opacity="${round(between(d.random, 0.2, 0.6))}" transform="rotate(-28 ${round(at.x)} ${round(at.y)})"/>`,
    );
  }
}
