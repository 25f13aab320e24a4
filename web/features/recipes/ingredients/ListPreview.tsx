import { useState } from 'react';
import { byAisle } from '#contract/ingredients/aisles.ts';
import { purchaseOf } from '#contract/ingredients/buying.ts';
import { type Fraction, fraction } from '#contract/ingredients/fractions.ts';
import type { Item } from '#contract/ingredients/merging.ts';
import type { RecipeLanguage } from '#contract/ingredients/recipe-language.ts';
import { showPart, showSize } from '#contract/ingredients/showing.ts';
import type { IngredientsInput } from '#contract/recipe-ingredients.ts';
import { shoppingList } from '#web/features/recipes/ingredients/readings.ts';
import { LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';

/** Of a recipe that does not say how many it serves. */
const TIMES: [label: string, factor: Fraction][] = [
  ['½', fraction(1, 2)],
  ['1', fraction(1)],
  ['2', fraction(2)],
  ['3', fraction(3)],
];

type Props = {
  content: IngredientsInput;
  language: RecipeLanguage;
  listUrl: string | null;
};

/** The shopping list as it will be, while its lines are edited. */
export function ListPreview({ content, language, listUrl }: Props) {
  const [wanted, setWanted] = useState<number | null>(null);
  const [times, setTimes] = useState(1);
  const { servings } = content;
  const factor = servings === null ? TIMES[times]![1] : fraction(wanted ?? servings, servings);
  const { items, unread } = shoppingList(content, factor, language);
  const ticked = items.filter(({ starts }) => starts === 'ticked').map((item) => ({ item }));
  return (
    <Card
      title="Shopping list"
      aside={
        servings === null ? (
          <Field label="Times">
            {(wiring) => (
              <Select {...wiring} value={times} onChange={({ target }) => setTimes(Number(target.value))}>
                {TIMES.map(([label], at) => (
                  <option key={label} value={at}>
                    {label}×
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ) : (
          <Field label="For servings">
            {(wiring) => (
              <Input
                {...wiring}
                type="number"
                inputMode="numeric"
                min={1}
                max={100}
                className="max-w-24"
                value={wanted ?? servings}
                onChange={({ target }) => setWanted(servingsTyped(target.value))}
              />
            )}
          </Field>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {items.length + unread.length === 0 && (
          <p className="text-muted text-sm">What followers can buy shows up here.</p>
        )}
        {byAisle(ticked).map(({ name, entries }) => (
          <Items key={name} title={name} items={entries.map(({ item }) => item)} />
        ))}
        {unread.length > 0 && (
          <div>
            <h3 className="font-medium text-muted text-sm">Please read</h3>
            <ul>
              {unread.map(({ id, text }) => (
                <li key={id} className="break-words py-1">
                  <bdi>{text}</bdi>
                </li>
              ))}
            </ul>
            <p className="text-muted text-sm">Lines to check stay as you wrote them.</p>
          </div>
        )}
        <Items title="You may have these" items={items.filter(({ starts }) => starts === 'pantry')} />
        <Items title="Optional" items={items.filter(({ starts }) => starts === 'optional')} />
        {listUrl !== null && (
          <div className="flex flex-wrap gap-2">
            <LinkButton href={listUrl} target="_blank" rel="noreferrer" variant="secondary" size="small">
              Open the list
            </LinkButton>
            <CopyButton text={listUrl} label="Copy link" />
          </div>
        )}
      </div>
    </Card>
  );
}

export function servingsTyped(typed: string): number | null {
  const number = Math.trunc(Number(typed));
  return typed === '' || !Number.isFinite(number) ? null : Math.min(100, Math.max(1, number));
}

export function Items({ title, items }: { title: string; items: Item[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <h3 className="font-medium text-muted text-sm">{title}</h3>
      <ul>
        {items.map((item) => (
          <li key={item.key} className="flex flex-wrap justify-between gap-x-3 py-1">
            <bdi className="min-w-0 break-words">{item.food.name}</bdi>
            <span className="text-muted text-sm tabular-nums">
              {[...item.parts.map((part) => showPart(part)), ...(item.unmeasured.length > 0 ? ['to taste'] : [])].join(
                ' + ',
              )}
              <Purchase item={item} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What shops sell, where it is more than needed. */
function Purchase({ item: { parts, food } }: { item: Item }) {
  const [part, ...others] = parts;
  const purchase = part === undefined || others.length > 0 ? null : purchaseOf(part, food.key);
  return purchase && <> (buy {showSize({ from: purchase.count, to: null, unit: purchase.unit })})</>;
}
