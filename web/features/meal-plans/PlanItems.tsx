import { ChevronRight, Plus, RotateCcw, ShoppingBasket, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { byAisle } from '#contract/ingredients/aisles.ts';
import {
  idOfLine,
  type LanguageFor,
  listPlan,
  needOf,
  type PlanItem,
  type PlanLine,
  planLanguage,
  readPlan,
} from '#contract/ingredients/plan-list.ts';
import { MOST_OWN_ITEMS, NO_CHANGES, type PlanIngredients } from '#contract/meal-plan-ingredients.ts';
import type { MealPlan } from '#contract/meal-plans.ts';
import type { ChangesDraft } from '#web/features/meal-plans/drafts.ts';
import { ItemSheet } from '#web/features/meal-plans/ItemSheet.tsx';
import { addOwn, removeOwn, resetItem, resetLine, resetMeal } from '#web/features/meal-plans/ingredient-edits.ts';
import { count, mealName, sectionNames } from '#web/features/meal-plans/words.ts';
import { Items } from '#web/features/recipes/ingredients/ListPreview.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Props = {
  plan: MealPlan;
  answer: PlanIngredients;
  draft: ChangesDraft;
  languageFor: LanguageFor;
  announce: (words: string) => void;
};

const SHOWN = { all: 'All items', changed: 'Changed', unread: 'Lines to check', leftOut: 'Left out' } as const;
type Shown = keyof typeof SHOWN;

/** The list by aisle, what was changed of it, and beside it the list as followers will see it. */
export function PlanItems({ plan, answer, draft, languageFor, announce }: Props) {
  const { content: changes } = draft;
  const [shown, setShown] = useState<Shown>('all');
  const [mealId, setMealId] = useState('');
  const [openKey, setOpenKey] = useState<string | null>(null);
  const { lines, list } = useMemo(() => {
    const content = { meals: answer.meals, recipes: answer.recipes, changes };
    const read = readPlan(content, languageFor);
    return { lines: read, list: listPlan(read, changes, { language: languageFor(planLanguage(content)) }) };
  }, [answer, changes, languageFor]);
  const linesOf = useLinesOf(lines);
  const names = new Map(plan.recipes.map((recipe) => [recipe.id, recipe]));
  const sections = sectionNames(plan);
  const mealLabel = (meal: MealPlan['meals'][number]) => `${mealName(meal, names)}, ${sections[meal.section] ?? ''}`;
  const isChanged = (item: PlanItem) =>
    item.change !== null ||
    changes.together.some(({ into }) => into === item.key) ||
    linesOf(item).some(({ change, meal }) => change !== null || meal === null);
  const isShown = (item: PlanItem) =>
    (mealId === '' || linesOf(item).some(({ meal }) => meal?.id === mealId)) &&
    (shown === 'all' || (shown === 'changed' && isChanged(item)) || (shown === 'leftOut' && item.isLeftOut));
  // Lines left out stand in no item; they can be taken back where they are listed.
  const leftOutLines = lines.filter(({ change }) => change?.leftOut === true);
  const unread = lines.filter(({ isUnread }) => isUnread);
  const open = list.items.find(({ key }) => key === openKey) ?? null;
  if (lines.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<ShoppingBasket className="size-7" />}
          title="Nothing to buy yet"
          action={<ButtonLink to={paths.mealPlan(plan.id)}>Add a recipe to the plan</ButtonLink>}
        >
          The list is made of the ingredients of the plan’s recipes. You can also add items of your own.
        </EmptyState>
        <OwnItem draft={draft} announce={announce} />
      </Card>
    );
  }
  const followers = list.items.filter(({ isLeftOut }) => !isLeftOut);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Show">
            {(wiring) => (
              <Select {...wiring} value={shown} onChange={({ target }) => setShown(target.value as Shown)}>
                {Object.entries(SHOWN).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Of the meal">
            {(wiring) => (
              <Select {...wiring} value={mealId} onChange={({ target }) => setMealId(target.value)}>
                <option value="">All meals</option>
                {answer.meals
                  .filter(({ recipeId }) => recipeId !== null)
                  .map((meal) => (
                    <option key={meal.id} value={meal.id}>
                      {mealLabel(meal)}
                    </option>
                  ))}
              </Select>
            )}
          </Field>
        </div>
        <div className="flex flex-wrap gap-2">
          {mealId !== '' && changes.lines.some((line) => line.mealId === mealId) && (
            <Button variant="secondary" size="small" onClick={() => draft.edit((now) => resetMeal(now, mealId))}>
              <RotateCcw aria-hidden="true" className="size-4" />
              Reset this meal
            </Button>
          )}
          {JSON.stringify(changes) !== JSON.stringify(NO_CHANGES) && (
            <Button
              variant="quiet"
              size="small"
              onClick={() => {
                draft.edit(() => NO_CHANGES);
                announce('Everything is as in the recipes');
              }}
            >
              <RotateCcw aria-hidden="true" className="size-4" />
              Reset everything
            </Button>
          )}
        </div>
        {shown !== 'unread' &&
          byAisle(list.items.filter(isShown).map((item) => ({ item }))).map(({ name, entries }) => (
            <Card key={name} title={name}>
              <ul>
                {entries.map(({ item }) => (
                  <ItemRow
                    key={item.key}
                    item={item}
                    isChanged={isChanged(item)}
                    lines={linesOf(item)}
                    onOpen={() => setOpenKey(item.key)}
                    onRemoveOwn={(ids) => draft.edit((now) => removeOwn(now, ids))}
                  />
                ))}
              </ul>
            </Card>
          ))}
        {(shown === 'leftOut' || shown === 'changed') && leftOutLines.length > 0 && (
          <Card title="Lines left out">
            <ul>
              {leftOutLines.map((line) => (
                <li key={idOfLine(line)} className="flex items-center justify-between gap-3 py-1">
                  <span className="min-w-0">
                    <bdi>{line.text}</bdi> <span className="text-muted text-sm">{mealLabel(line.meal!)}</span>
                  </span>
                  <Button
                    variant="quiet"
                    size="small"
                    onClick={() => draft.edit((now) => resetLine(now, { mealId: line.meal!.id, lineId: line.lineId }))}
                  >
                    Put back
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {(shown === 'all' || shown === 'unread') && unread.length > 0 && (
          <Card
            title="Lines to check"
            description="They stand on the list as they are written. Check them in their recipe."
          >
            <ul>
              {unread.map((line) => (
                <li key={idOfLine(line)} className="py-1">
                  <bdi>{line.text}</bdi> <span className="text-muted text-sm">{mealLabel(line.meal!)}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {list.idle.length > 0 && shown !== 'unread' && (
          <Card
            title="No longer in the plan"
            description="You changed these. They come back if a recipe needs them again."
          >
            <ul>
              {list.idle.map(({ key }) => (
                <li key={key} className="flex items-center justify-between gap-3 py-1">
                  <bdi>{key}</bdi>
                  <Button variant="quiet" size="small" onClick={() => draft.edit((now) => resetItem(now, key, []))}>
                    Forget it
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Card title="Your own item">
          <OwnItem draft={draft} announce={announce} />
        </Card>
      </div>
      <div className="lg:sticky lg:top-4">
        <Card title="As followers see it" className="mx-auto max-w-sm rounded-xl">
          <div className="flex flex-col gap-4">
            {byAisle(followers.filter(({ starts }) => starts === 'ticked').map((item) => ({ item }))).map(
              ({ name, entries }) => (
                <Items key={name} title={name} items={entries.map(({ item }) => item)} />
              ),
            )}
            {unread.length > 0 && <p className="text-muted text-sm">And {count(unread.length, 'line')} as written.</p>}
            <Items title="You may have these" items={followers.filter(({ starts }) => starts === 'pantry')} />
            <Items title="Optional" items={followers.filter(({ starts }) => starts === 'optional')} />
          </div>
        </Card>
      </div>
      {open !== null && (
        <ItemSheet
          key={open.key}
          item={open}
          items={list.items}
          lines={linesOf(open)}
          mealLabel={mealLabel}
          draft={draft}
          onClose={() => setOpenKey(null)}
        />
      )}
    </div>
  );
}

/** The lines that an item is made of. */
function useLinesOf(lines: PlanLine[]): (item: PlanItem) => PlanLine[] {
  return useMemo(() => {
    const byId = new Map(lines.map((line) => [idOfLine(line), line]));
    return ({ parts, unmeasured }) => {
      const ids = [...parts.flatMap((part) => part.sources), ...unmeasured].map(({ lineId }) => lineId);
      return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    };
  }, [lines]);
}

type RowProps = {
  item: PlanItem;
  isChanged: boolean;
  lines: PlanLine[];
  onOpen: () => void;
  onRemoveOwn: (ids: string[]) => void;
};

function ItemRow({ item, isChanged, lines, onOpen, onRemoveOwn }: RowProps) {
  const own = lines.every(({ meal }) => meal === null) ? lines : [];
  const moved = [item.saysNow, ...lines.map(({ saysNow }) => saysNow)].find((says) => says !== null);
  return (
    <li className="flex items-center gap-1 border-line border-b last:border-b-0">
      <button
        type="button"
        className="group flex min-h-11 min-w-0 flex-1 items-center gap-3 py-2 text-left"
        onClick={onOpen}
      >
        <span className="min-w-0 flex-1">
          <span className={item.isLeftOut ? 'text-muted line-through' : undefined}>
            <bdi className="font-medium group-hover:underline">{item.food.name}</bdi>{' '}
            <span className="text-muted tabular-nums">{needOf(item)}</span>
          </span>
          {item.note !== '' && <bdi className="block text-muted text-sm">{item.note}</bdi>}
          {moved != null && <span className="block text-sm text-warning-ink">The recipe says {moved} now</span>}
        </span>
        {item.isLeftOut ? (
          <Badge>Left out</Badge>
        ) : own.length > 0 ? (
          <Badge tone="info">Your own</Badge>
        ) : (
          isChanged && <Badge tone="accent">Changed</Badge>
        )}
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
      </button>
      {own.length > 0 && (
        <IconButton label={`Remove ${item.food.name}`} onClick={() => onRemoveOwn(own.map(({ lineId }) => lineId))}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
      )}
    </li>
  );
}

function OwnItem({ draft, announce }: Pick<Props, 'draft' | 'announce'>) {
  const [text, setText] = useState('');
  const isFull = draft.content.own.length >= MOST_OWN_ITEMS;
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '' || isFull) return;
        draft.edit((now) => addOwn(now, text.trim()));
        announce(`${text.trim()} added`);
        setText('');
      }}
    >
      <Field label="What to buy" className="flex-1" hint={isFull ? `At most ${MOST_OWN_ITEMS}.` : undefined}>
        {(wiring) => (
          <Input
            {...wiring}
            value={text}
            maxLength={200}
            placeholder="2 lemons"
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" disabled={text.trim() === '' || isFull}>
        <Plus aria-hidden="true" className="size-4" />
        Add
      </Button>
    </form>
  );
}
