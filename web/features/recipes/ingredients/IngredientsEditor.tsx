import { useState } from 'react';
import { LANGUAGE_NAMES, languageCode } from '#contract/ingredients/recipe-language.ts';
import type { IngredientsInput, RecipeIngredients } from '#contract/recipe-ingredients.ts';
import { AddLines } from '#web/features/recipes/ingredients/AddLines.tsx';
import { LineList } from '#web/features/recipes/ingredients/LineList.tsx';
import { ListPreview } from '#web/features/recipes/ingredients/ListPreview.tsx';
import { LookalikeNotice } from '#web/features/recipes/ingredients/LookalikeNotice.tsx';
import { ReadAgain } from '#web/features/recipes/ingredients/ReadAgain.tsx';
import { RecipeFacts, StepsField } from '#web/features/recipes/ingredients/RecipeFacts.tsx';
import { readLines } from '#web/features/recipes/ingredients/readings.ts';
import { SyncNotice } from '#web/features/recipes/ingredients/SyncNotice.tsx';
import { useIngredients } from '#web/features/recipes/ingredients/use-ingredients.ts';
import { useRecipeLanguage } from '#web/features/recipes/ingredients/use-recipe-language.ts';
import { DraftNotices, UndoButtons, useDraftKeys } from '#web/shell/DraftParts.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Props = {
  /** Null: the recipe itself is not saved yet. */
  recipeId: string | null;
  draftKey: string;
  answer: RecipeIngredients | null;
  refetch: () => unknown;
  /** Null: it has none, and its steps stand here. */
  pageUrl: string | null;
};

/** What a recipe needs, line by line, beside the shopping list that comes of it. */
export function IngredientsEditor({ pageUrl, ...options }: Props) {
  const editor = useIngredients(options);
  const { recipeId } = options;
  const { content } = editor;
  const [announced, announce] = useState('');
  const { language, failed } = useRecipeLanguage(content);
  const onKey = useDraftKeys(editor, announce, recipeId !== null);
  if (language === null) return <Skeleton className="h-96" />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields in it
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]" onKeyDown={onKey}>
      <p role="status" className="sr-only">
        {announced}
      </p>
      <div className="flex min-w-0 flex-col gap-4">
        <DraftNotices draft={editor} what="these ingredients" differencesOf={differencesOf} />
        {failed && (
          <Alert variant="warning">We couldn’t load your own words, so lines are read without them for now.</Alert>
        )}
        {recipeId !== null && options.answer?.sync != null && !editor.dirty && (
          <SyncNotice recipeId={recipeId} sync={options.answer.sync} />
        )}
        {options.answer?.lookalike != null && <LookalikeNotice lookalike={options.answer.lookalike} />}
        <Card>
          <RecipeFacts editor={editor} />
        </Card>
        <Card title="Ingredients" aside={<UndoButtons draft={editor} />}>
          <div className="flex flex-col gap-4">
            {content.lines.length > 0 && (
              <LineList reads={readLines(content, language)} editor={editor} announce={announce} />
            )}
            {pageUrl !== null && recipeId !== null && <ReadAgain pageUrl={pageUrl} editor={editor} />}
            <AddLines editor={editor} language={language} announce={announce} />
          </div>
        </Card>
        {pageUrl === null && (
          <Card>
            <StepsField editor={editor} />
          </Card>
        )}
        {recipeId !== null && (
          <div className="sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-2 border-line border-t bg-canvas py-3">
            <span className="text-muted text-sm">{editor.dirty ? 'Not saved yet' : 'Saved'}</span>
            <Button busy={editor.saving} disabled={!editor.dirty} onClick={editor.save}>
              Save ingredients
            </Button>
          </div>
        )}
      </div>
      <div className="lg:sticky lg:top-4">
        <ListPreview content={content} language={language} listUrl={options.answer?.listUrl ?? null} />
      </div>
    </div>
  );
}

function differencesOf(mine: IngredientsInput, theirs: IngredientsInput) {
  const fields: [field: string, label: string, words: (content: IngredientsInput) => string][] = [
    ['servings', 'Servings', ({ servings }) => String(servings ?? 'none')],
    ['minutes', 'Minutes', ({ minutes }) => String(minutes ?? 'none')],
    ['measures', 'Measures', ({ measures }) => measures],
    ['language', 'Language', ({ language }) => LANGUAGE_NAMES[languageCode(language)]],
    ['lines', 'Ingredients', ({ lines }) => lines.map(lineWords).join('\n')],
    ['steps', 'Steps', ({ steps }) => steps.join('\n')],
  ];
  return fields
    .map(([field, label, words]) => ({ field, label, mine: words(mine), theirs: words(theirs) }))
    .filter((one) => one.mine !== one.theirs);
}

function lineWords({ group, text, fixes, checked }: IngredientsInput['lines'][number]): string {
  const marks = [Object.keys(fixes).length > 0 && 'corrected', checked && 'checked'].filter(Boolean);
  return `${group === '' ? '' : `${group}: `}${text}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
}
