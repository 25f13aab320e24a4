import { ArrowDown, ArrowUp, EllipsisVertical, Plus, Trash2, Utensils } from 'lucide-react';
import { useState } from 'react';
import { MEAL_SLOTS, type Meal, type MealPlanInput, MOST_MEALS, MOST_SECTIONS } from '#contract/meal-plans.ts';
import { linesToCheck, type Recipe } from '#contract/recipes.ts';
import {
  addMeal,
  addSection,
  changeMeal,
  moveMeal,
  nameSection,
  removeMeal,
  removeSection,
} from '#web/features/meal-plans/board-edits.ts';
import type { PlanDraft, ShownRecipe } from '#web/features/meal-plans/drafts.ts';
import { mealName, SLOTS, sectionNames, slotWords } from '#web/features/meal-plans/words.ts';
import { RecipePicker } from '#web/features/recipes/RecipePicker.tsx';
import { recipePath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { DropdownMenu, MenuItem, MenuLabel } from '#web/ui/DropdownMenu.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';
import { Picture } from '#web/ui/Picture.tsx';

type Recipes = ReadonlyMap<string, ShownRecipe>;
type Props = {
  draft: PlanDraft;
  recipes: Recipes;
  announce: (words: string) => void;
  onPick: (recipe: Recipe) => void;
};

const OWN = 'own';

/** Days or sections, each with its meals in their order. They are moved by buttons, and dragged where there is a mouse. */
export function PlanBoard({ draft, recipes, announce, onPick }: Props) {
  const { content: plan } = draft;
  const names = sectionNames(plan);
  const isFull = plan.meals.length >= MOST_MEALS;
  return (
    <>
      {names.map((name, section) => (
        <Section
          // Sections have no other name than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          key={section}
          {...{ draft, recipes, announce, onPick, section, isFull }}
          name={name}
        />
      ))}
      {plan.kind === 'free' && plan.sections.length < MOST_SECTIONS && (
        <Button variant="secondary" className="self-start" onClick={() => draft.edit(addSection)}>
          <Plus aria-hidden="true" className="size-4" />
          Add a section
        </Button>
      )}
      {isFull && <p className="text-muted text-sm">A plan can have at most {MOST_MEALS} meals.</p>}
    </>
  );
}

type SectionProps = Props & { section: number; name: string; isFull: boolean };

function Section({ draft, recipes, announce, onPick, section, name, isFull }: SectionProps) {
  const { content: plan } = draft;
  const meals = plan.meals.filter((meal) => meal.section === section);
  const [isOver, setIsOver] = useState(false);
  const [text, setText] = useState<string | null>(null);
  const add = (meal: Pick<Meal, 'recipeId' | 'text'>) => {
    draft.edit((now) => addMeal(now, section, meal));
    announce(`Added to ${name}`);
  };
  const addText = () => {
    if (text === null || text.trim() === '') return;
    add({ recipeId: null, text: text.trim() });
    setText('');
  };
  return (
    <section
      aria-label={name}
      className={isOver ? 'rounded-lg ring-2 ring-accent' : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const id = event.dataTransfer.getData('text/plain');
        draft.edit((now) => moveMeal(now, id, section));
      }}
    >
      <Card
        title={name}
        aside={
          plan.kind === 'free' && (
            <SectionMenu
              draft={draft}
              section={section}
              name={name}
              canGo={meals.length === 0 && plan.sections.length > 1}
            />
          )
        }
      >
        {plan.kind === 'free' && (
          <Input
            aria-label="Name of the section"
            className="mb-2"
            value={name}
            maxLength={60}
            onChange={({ target }) =>
              draft.edit((now) => nameSection(now, section, target.value), `section ${section}`)
            }
          />
        )}
        <ul>
          {meals.map((meal, place) => (
            <MealRow
              key={meal.id}
              {...{ draft, recipes, announce, meal }}
              isFirst={place === 0}
              isLast={place === meals.length - 1}
            />
          ))}
        </ul>
        {!isFull && (
          <div className="-ml-3 mt-1 flex flex-wrap items-center gap-x-1">
            <RecipePicker
              label="Add a recipe"
              onPick={(recipe) => {
                onPick(recipe);
                add({ recipeId: recipe.id, text: '' });
              }}
            />
            {text === null && (
              <Button variant="quiet" size="small" onClick={() => setText('')}>
                <Plus aria-hidden="true" className="size-4" />
                Write a meal
              </Button>
            )}
          </div>
        )}
        {text !== null && !isFull && (
          <form
            className="mt-1 flex gap-1"
            onSubmit={(event) => {
              event.preventDefault();
              addText();
            }}
          >
            <Input
              // It was asked for by the button that is gone now.
              autoFocus
              aria-label={`A meal without a recipe on ${name}`}
              placeholder="Leftovers"
              value={text}
              maxLength={120}
              onChange={({ target }) => setText(target.value)}
            />
            <IconButton label="Add it" type="submit" disabled={text.trim() === ''}>
              <Plus aria-hidden="true" className="size-4" />
            </IconButton>
          </form>
        )}
      </Card>
    </section>
  );
}

function SectionMenu({
  draft,
  section,
  name,
  canGo,
}: {
  draft: PlanDraft;
  section: number;
  name: string;
  canGo: boolean;
}) {
  return (
    <IconButton
      label={canGo ? `Remove the section ${name}` : 'Move its meals first, then remove the section'}
      disabled={!canGo}
      onClick={() => draft.edit((now) => removeSection(now, section))}
    >
      <Trash2 aria-hidden="true" className="size-4" />
    </IconButton>
  );
}

type RowProps = Pick<Props, 'draft' | 'recipes' | 'announce'> & { meal: Meal; isFirst: boolean; isLast: boolean };

function MealRow({ draft, recipes, announce, meal, isFirst, isLast }: RowProps) {
  const recipe = meal.recipeId === null ? null : (recipes.get(meal.recipeId) ?? null);
  const name = mealName(meal, recipes);
  const names = sectionNames(draft.content);
  const measure = recipe?.servings === null ? 'Times' : 'Servings';
  const change = (over: Partial<Meal>, what: string) =>
    draft.edit((now) => changeMeal(now, meal.id, over), `${what} ${meal.id}`);
  const move = (to: (now: MealPlanInput) => MealPlanInput, said: string) => {
    draft.edit(to);
    announce(said);
  };
  return (
    <li
      draggable
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b py-3 last:border-b-0"
      onDragStart={(event) => event.dataTransfer.setData('text/plain', meal.id)}
    >
      <Picture
        src={recipe?.pictureUrl}
        alt=""
        instead={recipe?.pictureUrl == null && <Utensils className="size-5 text-accent-ink" />}
        className="size-12 shrink-0"
      />
      <div className="min-w-0 flex-1">
        {recipe === null ? (
          <bdi className="block truncate font-medium">{name}</bdi>
        ) : (
          <TextLink to={recipePath(recipe.id, 'ingredients')} className="block truncate">
            <bdi>{name}</bdi>
          </TextLink>
        )}
        {recipe !== null && <RecipeState recipe={recipe} />}
      </div>
      <MealMenu
        name={name}
        isFirst={isFirst}
        isLast={isLast}
        sections={names.map((label, section) => ({ label, section })).filter(({ section }) => section !== meal.section)}
        onUp={() => move((now) => moveMeal(now, meal.id, meal.section, -1), `${name} moved up`)}
        onDown={() => move((now) => moveMeal(now, meal.id, meal.section, 1), `${name} moved down`)}
        onMove={({ label, section }) => move((now) => moveMeal(now, meal.id, section), `${name} moved to ${label}`)}
        onRemove={() => move((now) => removeMeal(now, meal.id), `${name} removed`)}
      />
      <div className="flex basis-full flex-wrap items-center gap-2">
        <SlotField meal={meal} onChange={(slot) => change({ slot }, 'slot')} />
        {recipe !== null && (
          <span className="flex shrink-0 items-center gap-2 text-sm">
            <span aria-hidden="true" className="text-muted">
              {measure}
            </span>
            <Input
              aria-label={`${measure} of ${name}`}
              type="number"
              inputMode="numeric"
              min={1}
              max={100}
              className="w-20"
              placeholder={recipe.servings === undefined ? '' : String(recipe.servings ?? 1)}
              value={meal.servings ?? ''}
              onChange={({ target }) => {
                const typed = Math.trunc(Number(target.value));
                const servings = target.value === '' || !(typed >= 1) ? null : Math.min(typed, 100);
                change({ servings }, 'servings');
              }}
            />
          </span>
        )}
      </div>
    </li>
  );
}

function RecipeState({ recipe }: { recipe: ShownRecipe }) {
  if (recipe.lines === 0) return <span className="text-sm text-warning-ink">No ingredients: not on the list</span>;
  return recipe.toCheck > 0 ? <span className="text-sm text-warning-ink">{linesToCheck(recipe.toCheck)}</span> : null;
}

function SlotField({ meal, onChange }: { meal: Meal; onChange: (slot: string) => void }) {
  const isOwn = meal.slot !== '' && !(MEAL_SLOTS as readonly string[]).includes(meal.slot);
  const [writes, setWrites] = useState(isOwn);
  return (
    <>
      <Select
        aria-label="Meal of the day"
        className="min-w-32 max-w-48 flex-1"
        value={writes ? OWN : meal.slot}
        onChange={({ target }) => {
          setWrites(target.value === OWN);
          onChange(target.value === OWN ? '' : target.value);
        }}
      >
        <option value="">Any time</option>
        {MEAL_SLOTS.map((slot) => (
          <option key={slot} value={slot}>
            {SLOTS[slot]}
          </option>
        ))}
        <option value={OWN}>Your own word…</option>
      </Select>
      {writes && (
        <Input
          aria-label="Your own word"
          className="max-w-48"
          maxLength={40}
          placeholder="Brunch"
          value={isOwn ? slotWords(meal.slot) : ''}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </>
  );
}

type MenuProps = {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  sections: { label: string; section: number }[];
  onUp: () => void;
  onDown: () => void;
  onMove: (to: { label: string; section: number }) => void;
  onRemove: () => void;
};

function MealMenu({ name, isFirst, isLast, sections, onUp, onDown, onMove, onRemove }: MenuProps) {
  return (
    <DropdownMenu
      trigger={
        <IconButton label={`More for ${name}`}>
          <EllipsisVertical aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <MenuItem disabled={isFirst} onSelect={onUp}>
        <ArrowUp aria-hidden="true" className="size-4" />
        Move up
      </MenuItem>
      <MenuItem disabled={isLast} onSelect={onDown}>
        <ArrowDown aria-hidden="true" className="size-4" />
        Move down
      </MenuItem>
      {sections.length > 0 && <MenuLabel>Move to</MenuLabel>}
      {sections.map((one) => (
        <MenuItem key={one.section} onSelect={() => onMove(one)}>
          {one.label}
        </MenuItem>
      ))}
      <MenuItem danger onSelect={onRemove}>
        <Trash2 aria-hidden="true" className="size-4" />
        Remove
      </MenuItem>
    </DropdownMenu>
  );
}
