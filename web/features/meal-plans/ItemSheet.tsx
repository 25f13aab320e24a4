import { useState } from 'react';
import { createIngredientWord, getOwnWords } from '#contract/ingredient-words.ts';
import { AISLES } from '#contract/ingredients/aisles.ts';
import { amountOf } from '#contract/ingredients/corrected.ts';
import { divide, type Fraction, multiply, ONE, writeFraction } from '#contract/ingredients/fractions.ts';
import type { Amount, Size } from '#contract/ingredients/line.ts';
import { idOfLine, type PlanItem, type PlanLine } from '#contract/ingredients/plan-list.ts';
import { getPlanIngredients, type ItemChange } from '#contract/meal-plan-ingredients.ts';
import type { Meal } from '#contract/meal-plans.ts';
import type { ChangesDraft } from '#web/features/meal-plans/drafts.ts';
import {
  changeItem,
  changeLine,
  putTogether,
  resetItem,
  resetLine,
  takeApart,
} from '#web/features/meal-plans/ingredient-edits.ts';
import { AmountInput, UnitSelect } from '#web/features/recipes/ingredients/AmountFields.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Input, Select } from '#web/ui/inputs.tsx';

type Props = {
  item: PlanItem;
  items: readonly PlanItem[];
  lines: readonly PlanLine[];
  mealLabel: (meal: Meal) => string;
  draft: ChangesDraft;
  onClose: () => void;
};
type Fixed = NonNullable<ItemChange['amounts']>[number];

/** One item of a plan's list: what is changed of it, and of the lines that it is made of. */
export function ItemSheet({ item, items, lines, mealLabel, draft, onClose }: Props) {
  const { change } = item;
  const edit = (over: Parameters<typeof changeItem>[2], what: string) =>
    draft.edit((now) => changeItem(now, item, over), `${what} ${item.key}`);
  const amounts = item.parts.map(({ from, to, unit, each }) => ({ from, to, unit, each }));
  const ofMeals = lines.filter((line): line is PlanLine & { meal: Meal } => line.meal !== null);
  const reset = () => {
    draft.edit((now) =>
      resetItem(
        now,
        item.key,
        ofMeals.map(({ meal, lineId }) => ({ mealId: meal.id, lineId })),
      ),
    );
    onClose();
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={<bdi>{item.food.name}</bdi>}
      description="For this plan alone."
      footer={
        <>
          <Button variant="quiet" onClick={reset}>
            Reset this item
          </Button>
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-4">
          {item.saysNow !== null && (
            <p className="text-sm text-warning-ink">
              The recipes come to {item.saysNow || 'no amount'} now; you changed it when they came to{' '}
              {change?.basis || 'no amount'}.
            </p>
          )}
          <div className="grid grid-cols-2 gap-3">
            <AmountInput
              amounts={amounts}
              onType={(typed) => edit({ amounts: typed === undefined ? [] : [fixed(amounts[0], typed)] }, 'amount')}
            />
            <UnitSelect
              amounts={amounts}
              onChoose={(unit) => edit({ amounts: [fixed(amounts[0], { unit })] }, 'unit')}
            />
          </div>
          {change?.amounts !== undefined && (
            <Button
              variant="quiet"
              size="small"
              className="self-start"
              onClick={() => edit({ amounts: undefined }, 'amount back')}
            >
              As in the recipes: {item.basis || 'no amount'}
            </Button>
          )}
          <Text label="Food" value={item.food.name} most={100} onType={(food) => edit({ food }, 'food')} />
          <Field label="Aisle">
            {(wiring) => (
              <Select
                {...wiring}
                value={item.aisle}
                onChange={({ target }) => edit({ aisle: target.value as keyof typeof AISLES }, 'aisle')}
              >
                {Object.entries(AISLES).map(([aisle, label]) => (
                  <option key={aisle} value={aisle}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Text
            label="Product that shops look for"
            optional
            value={change?.product ?? ''}
            most={100}
            onType={(product) => edit({ product }, 'product')}
          />
          <Text
            label="Note to your followers"
            optional
            value={item.note}
            most={200}
            onType={(note) => edit({ note }, 'note')}
          />
          <div>
            <Checkbox
              label="Leave it out"
              checked={item.isLeftOut}
              onChange={({ target }) => edit({ leftOut: target.checked ? true : undefined }, 'out')}
            />
            <Checkbox
              label="People have it"
              hint="It starts unchecked, under “You may have these”."
              checked={change?.have === true}
              onChange={({ target }) => edit({ have: target.checked ? true : undefined }, 'have')}
            />
          </div>
        </div>
        <Together item={item} items={items} lines={lines} draft={draft} onClose={onClose} />
        {ofMeals.length > 0 && (
          <section className="flex flex-col gap-4">
            <h3 className="font-semibold">Made of these lines</h3>
            {ofMeals.map((line) => (
              <LineOfItem key={idOfLine(line)} line={line} label={mealLabel(line.meal)} draft={draft} />
            ))}
          </section>
        )}
      </div>
    </Sheet>
  );
}

type TogetherProps = Pick<Props, 'item' | 'items' | 'lines' | 'draft' | 'onClose'>;

/** Items that are one to shoppers, and one that is several. */
function Together({ item, items, lines, draft, onClose }: TogetherProps) {
  const { creatorId } = useCreator();
  const [into, setInto] = useState('');
  const other = items.find(({ key }) => key === into);
  const learning = useEndpointMutation(createIngredientWord, {
    successToast: { title: 'Remembered for all your recipes' },
    refreshes: [getOwnWords, getPlanIngredients],
    onSuccess: onClose,
  });
  return (
    <section className="flex flex-col gap-3">
      <Field label="Put together with" hint="The amounts are added, and the other item’s name stays.">
        {(wiring) => (
          <Select {...wiring} value={into} onChange={({ target }) => setInto(target.value)}>
            <option value="">Choose an item</option>
            {items
              .filter(({ key }) => key !== item.key)
              .map(({ key, food }) => (
                <option key={key} value={key}>
                  {food.name}
                </option>
              ))}
          </Select>
        )}
      </Field>
      {other !== undefined && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            variant="secondary"
            onClick={() => {
              draft.edit((now) => putTogether(now, item.key, other.key));
              onClose();
            }}
          >
            For this plan
          </Button>
          <Button
            size="small"
            variant="secondary"
            busy={learning.isPending}
            onClick={() =>
              learning.mutate({
                params: { creatorId },
                body: { kind: 'alias', word: item.food.name, means: other.food.name },
              })
            }
          >
            Always, in all recipes
          </Button>
        </div>
      )}
      {lines.length > 1 && (
        <Button
          size="small"
          variant="secondary"
          className="self-start"
          onClick={() => {
            draft.edit((now) => takeApart(now, item.key));
            onClose();
          }}
        >
          Take apart into {lines.length} lines
        </Button>
      )}
    </section>
  );
}

function LineOfItem({ line, label, draft }: { line: PlanLine & { meal: Meal }; label: string; draft: ChangesDraft }) {
  const { meal, lineId, basis, change, reading, factor } = line;
  const at = { mealId: meal.id, lineId, basis };
  const edit = (over: Parameters<typeof changeLine>[2], what: string) =>
    draft.edit((now) => changeLine(now, at, over), `${what} ${meal.id} ${lineId}`);
  // As the meal needs it; kept as the recipe would have it.
  const amounts = reading.amounts.map((amount) => times(amount, factor));
  const save = (amount: Fixed) => edit({ amounts: [written(times(amountOf(amount), divide(ONE, factor)))] }, 'amount');
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <p>
        <bdi>{line.text}</bdi> <span className="block text-muted text-sm">{label}</span>
      </p>
      {line.saysNow !== null && (
        <p className="text-sm text-warning-ink">
          The recipe says {line.saysNow} now; you changed it when it said {change?.basis}.
        </p>
      )}
      <div className="grid grid-cols-2 gap-3">
        <AmountInput
          amounts={amounts}
          onType={(typed) => (typed === undefined ? edit({ amounts: [] }, 'amount') : save(fixed(amounts[0], typed)))}
        />
        <UnitSelect amounts={amounts} onChoose={(unit) => save(fixed(amounts[0], { unit }))} />
      </div>
      <Text label="Food" value={reading.food?.name ?? ''} most={100} onType={(food) => edit({ food }, 'food')} />
      <Checkbox
        label="Leave this line out"
        checked={change?.leftOut === true}
        onChange={({ target }) => edit({ leftOut: target.checked ? true : undefined }, 'out')}
      />
      {change !== null && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          onClick={() => draft.edit((now) => resetLine(now, at))}
        >
          As in the recipe: {basis}
        </Button>
      )}
    </div>
  );
}

type TextProps = { label: string; value: string; most: number; optional?: boolean; onType: (value: string) => void };

function Text({ label, value, most, optional = false, onType }: TextProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label} optional={optional}>
      {(wiring) => (
        <Input
          {...wiring}
          value={typed ?? value}
          maxLength={most}
          onChange={({ target }) => {
            // A food that is deleted to write another one stays until there is one.
            setTyped(target.value);
            onType(target.value.trimStart());
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}

/** The first amount with a change; what else the item has would contradict it. */
function fixed(first: Pick<Amount, 'from' | 'to' | 'unit' | 'each'> | undefined, over: Partial<Size>): Fixed {
  return written({ from: ONE, to: null, unit: null, each: null, ...first, ...over });
}

function times<T extends Pick<Amount, 'from' | 'to'>>(amount: T, by: Fraction): T {
  return { ...amount, from: multiply(amount.from, by), to: amount.to && multiply(amount.to, by) };
}

function written({ from, to, unit, each }: Pick<Amount, 'from' | 'to' | 'unit' | 'each'>): Fixed {
  const size = (one: Size) => ({ from: writeFraction(one.from), to: one.to && writeFraction(one.to), unit: one.unit });
  return { ...size({ from, to, unit }), each: each && size(each) };
}
