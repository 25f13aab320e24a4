import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { type Became, ingredientsOf, mergePage } from '#contract/ingredients/from-page.ts';
import { readRecipe } from '#contract/recipe-reading.ts';
import type { IngredientsState } from '#web/features/recipes/ingredients/use-ingredients.ts';
import { becameWords } from '#web/features/recipes/ingredients/words.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';

type Props = { pageUrl: string; editor: Pick<IngredientsState, 'content' | 'edit'> };

/** Takes over what the recipe's page says now. Corrections stay; it is one edit, undone like any other. */
export function ReadAgain({ pageUrl, editor: { content, edit } }: Props) {
  const { creatorId } = useCreator();
  const [became, setBecame] = useState<Became | null>(null);
  const reading = useEndpointMutation(readRecipe, { successToast: false, errorToast: false });
  const read = async (choice?: string) => {
    setBecame(null);
    const body = { url: pageUrl, ...(choice !== undefined && { choice }) };
    const answer = await reading.mutateAsync({ params: { creatorId }, body }).catch(() => null);
    if (answer?.kind !== 'read') return;
    const newId = () => crypto.randomUUID();
    const page = ingredientsOf(answer.reading, newId);
    setBecame(mergePage(content, page.lines, newId).became);
    edit((before) => {
      const { servings, minutes, ...rest } = mergePage(before, page.lines, newId).content;
      return { ...rest, servings: servings ?? page.servings, minutes: minutes ?? page.minutes };
    });
  };
  const words = became === null ? '' : becameWords(became);
  const failed = reading.data?.kind === 'failed' && !reading.isPending ? reading.data : null;
  return (
    <div className="flex flex-col items-start gap-3">
      <FormProblem problem={reading.error} />
      <Button size="small" variant="secondary" busy={reading.isPending} onClick={() => read()}>
        <RefreshCw aria-hidden="true" className="size-4" />
        {content.lines.length === 0 ? 'Read the recipe’s page' : 'Read the page again'}
      </Button>
      {failed !== null && (
        <Alert variant={failed.choices.length > 0 ? 'info' : 'warning'} announce title={failed.says} className="w-full">
          <span className="flex flex-wrap gap-2">
            {failed.choices.map((choice) => (
              <Button key={choice} size="small" variant="secondary" onClick={() => read(choice)}>
                <bdi>{choice}</bdi>
              </Button>
            ))}
          </span>
        </Alert>
      )}
      {became !== null && (
        <p role="status" className="text-muted text-sm">
          {words === '' ? 'Nothing changed on the page.' : `${words}. Undo takes it back.`}
        </p>
      )}
    </div>
  );
}
