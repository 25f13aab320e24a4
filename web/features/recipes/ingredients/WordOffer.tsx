import { useState } from 'react';
import {
  createIngredientWord,
  deleteIngredientWord,
  type IngredientWordInput,
  previewIngredientWord,
} from '#contract/ingredient-words.ts';
import { WordChanges } from '#web/features/ingredient-words/WordChanges.tsx';
import { REFRESHES, wordMeans } from '#web/features/ingredient-words/words.ts';
import type { ReadLine } from '#web/features/recipes/ingredients/readings.ts';
import { wordLearned } from '#web/features/recipes/ingredients/word-learned.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';

/** After a correction: whether all lines are to be read so. What it would change is shown before it does. */
export function WordOffer({ read }: { read: ReadLine }) {
  const { creatorId } = useCreator();
  const [dismissed, setDismissed] = useState<string | null>(null);
  const create = useEndpointMutation(createIngredientWord, {
    successToast: false,
    errorToast: false,
    refreshes: REFRESHES,
  });
  const forget = useEndpointMutation(deleteIngredientWord, {
    successToast: false,
    refreshes: REFRESHES,
    onSuccess: create.reset,
  });
  const params = { creatorId };
  const learned = create.data;
  if (learned !== undefined) {
    return (
      <div
        role="status"
        className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-accent-soft px-3 py-2 text-accent-ink text-sm"
      >
        <span>
          <bdi>{wordMeans(learned)}</bdi> It’s one of your words now, in every recipe.
        </span>
        <Button
          size="small"
          variant="quiet"
          busy={forget.isPending}
          onClick={() => forget.mutate({ params: { creatorId, wordId: learned.id } })}
        >
          Undo
        </Button>
      </div>
    );
  }
  const word = wordLearned(read);
  if (word === null || dismissed === word.word) return null;
  return (
    <Offer
      key={JSON.stringify(word)}
      word={word}
      problem={create.error}
      busy={create.isPending}
      onLearn={() => create.mutate({ params, body: word })}
      onDismiss={() => setDismissed(word.word)}
    />
  );
}

type OfferProps = {
  word: IngredientWordInput;
  problem: Parameters<typeof FormProblem>[0]['problem'];
  busy: boolean;
  onLearn: () => void;
  onDismiss: () => void;
};

function Offer({ word, problem, busy, onLearn, onDismiss }: OfferProps) {
  const { creatorId } = useCreator();
  const preview = useEndpointMutation(previewIngredientWord, { successToast: false });
  const look = () => preview.mutate({ params: { creatorId }, body: { wordId: null, becomes: word } });
  return (
    <div className="flex flex-col gap-2 rounded-md border border-info-line bg-info-soft px-3 py-2 text-info-ink text-sm">
      <p>
        Always read <bdi className="font-semibold">“{word.word}”</bdi> like this? <bdi>{wordMeans(word)}</bdi>
      </p>
      <FormProblem problem={problem} />
      {preview.data !== undefined && <WordChanges preview={preview.data} />}
      <div className="flex flex-wrap gap-2">
        {preview.data === undefined ? (
          <Button size="small" variant="secondary" busy={preview.isPending} onClick={look}>
            See what changes
          </Button>
        ) : (
          <Button size="small" busy={busy} onClick={onLearn}>
            Always read it like this
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={onDismiss}>
          Not now
        </Button>
      </div>
    </div>
  );
}
