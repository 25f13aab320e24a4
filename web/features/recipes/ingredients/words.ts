/** How the editor speaks of lines. */
import type { Became } from '#contract/ingredients/from-page.ts';
import type { Reading } from '#contract/ingredients/reading.ts';
import { unitName } from '#contract/ingredients/showing.ts';
import { unitsOf } from '#contract/ingredients/units.ts';

export const MEASURES = {
  us: 'US cups and spoons',
  uk: 'UK cups and spoons',
  metric: 'Metric cups and spoons',
  au: 'Australian cups and spoons',
} as const;

export const UNITS = [
  { label: 'Volume', units: unitsOf('volume') },
  { label: 'Weight', units: unitsOf('mass') },
  { label: 'Packages', units: unitsOf('package') },
  { label: 'Parts', units: unitsOf('count') },
  { label: 'By feel', units: unitsOf('vague') },
];

type Doubt = Reading['doubts'][number];

/** Why a line is not certain, as a question that the creator can answer. */
export function doubtWords({ why, text }: Doubt): string {
  switch (why) {
    case 'no_food':
      return 'We found nothing to buy in this line.';
    case 'unknown_food':
      return `Is “${text}” something to buy? We don’t know it.`;
    case 'unknown_measure':
      return `Is “${text}” a measure?`;
    case 'long_food':
      return `Is all of “${text}” the food’s name?`;
    case 'several_foods':
      return `Is “${text}” one food, or several? Split the line if it’s several.`;
    case 'food_in_note':
      return `Is “${text}” another food to buy?`;
    case 'unknown_alternative':
      return `Can people buy “${text}” instead?`;
    case 'number_left':
      return `“${text}” isn’t part of the amount. Is the amount right?`;
  }
}

/** What the line says that no field shows. */
export function restWords({ size, brand, purpose, toTaste, more, divided }: Reading): string {
  const flags = [toTaste && 'to taste', divided && 'divided', more && 'plus more'];
  return [size, brand, purpose, ...flags].filter(Boolean).join(' · ');
}

export function unitLabel(unit: string): string {
  return unitName(unit, true).replaceAll('-', ' ');
}

/** "2 changed, 1 new, 1 waits for you"; empty for nothing. */
export function becameWords({ changed, added, removed, waiting }: Became): string {
  const parts = [
    changed > 0 && `${changed} changed`,
    added > 0 && `${added} new`,
    removed > 0 && `${removed} gone`,
    waiting > 0 && (waiting === 1 ? '1 waits for you' : `${waiting} wait for you`),
  ];
  return parts.filter((part) => part !== false).join(', ');
}
