import { ChefHat } from 'lucide-react';
import type { AutomationInput } from '#contract/automations.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { RECIPE_WORD, recipeStart, startOf } from '#web/features/prepared-posts/recipe-start.ts';
import { RecipePicker } from '#web/features/recipes/RecipePicker.tsx';
import { Button } from '#web/ui/Button.tsx';

type Props = { input: AutomationInput; set: FieldsProps['set']; caption: string | null };

/** At the head of a new automation: the ready-made kind, one tap away. Gone once it was taken. */
export function RecipeStart({ input, set, caption }: Props) {
  if (input.trigger !== 'comment' || input.words.includes(RECIPE_WORD)) return null;
  const take = () => {
    const start = recipeStart(input, caption);
    set('words', start.words);
    set('mode', start.mode);
    set('typoTolerance', start.typoTolerance);
    set('buttons', start.buttons);
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line border-dashed p-3">
      <p className="flex min-w-0 flex-1 basis-52 items-start gap-2.5 text-sm">
        <ChefHat aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent-ink" />
        <span>
          <b className="block font-medium">Comment for Recipe</b>
          <span className="text-muted">The word {RECIPE_WORD} and a button to the recipe.</span>
        </span>
      </p>
      <span className="flex flex-wrap gap-2">
        <RecipePicker
          label="Choose a recipe"
          onPick={(recipe) => {
            const start = startOf(recipe, input);
            for (const field of ['words', 'mode', 'typoTolerance', 'buttons'] as const) set(field, start[field]);
            if (recipe.messageText !== '') set('messageText', recipe.messageText);
          }}
        />
        <Button size="small" variant="secondary" onClick={take}>
          Use recipe
        </Button>
      </span>
    </div>
  );
}
