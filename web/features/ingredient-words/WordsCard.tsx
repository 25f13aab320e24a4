import { BookA, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  deleteIngredientWord,
  type IngredientWord,
  listIngredientWords,
  previewIngredientWord,
} from '#contract/ingredient-words.ts';
import { WordChanges } from '#web/features/ingredient-words/WordChanges.tsx';
import { WordForm } from '#web/features/ingredient-words/WordForm.tsx';
import { REFRESHES, wordMeans } from '#web/features/ingredient-words/words.ts';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Question } from '#web/ui/Question.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** The creator's own words for ingredients. */
export function WordsCard() {
  const { creatorId } = useCreator();
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<IngredientWord | 'new' | null>(null);
  const [deleting, setDeleting] = useState<IngredientWord | null>(null);
  const words = useEndpointPages(
    listIngredientWords,
    { params: { creatorId }, query: search === '' ? {} : { search } },
    { keepPrevious: true },
  );
  const add = (
    <Button size="small" variant="secondary" onClick={() => setEditing('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Add a word
    </Button>
  );
  const hasSome = search !== '' || (words.data?.pages[0]?.items.length ?? 0) > 0;
  return (
    <Card
      title="Your words"
      description="Measures, foods and brands only you use. Every recipe is read with them, except lines you corrected."
      aside={hasSome && add}
    >
      <div className="flex flex-col gap-3">
        {hasSome && <SearchField label="Search your words" search={search} onSearch={setSearch} />}
        <PagedList
          query={words}
          loading="Loading your words"
          failed="Couldn’t load your words"
          skeleton={<Skeleton className="h-24" />}
          empty={
            search === '' ? (
              <EmptyState icon={<BookA className="size-7" />} title="No words of your own yet" titleAs="p" action={add}>
                Is a glug about a tablespoon for you? Say it once, and every recipe knows.
              </EmptyState>
            ) : (
              <p className="py-4 text-muted">No words match this search.</p>
            )
          }
        >
          {(items) => (
            <ul className="flex flex-col">
              {items.map((word) => (
                <li
                  key={word.id}
                  className="flex items-center justify-between gap-2 border-line border-b py-1 last:border-b-0"
                >
                  <bdi className="wrap-anywhere min-w-0">{wordMeans(word)}</bdi>
                  <span className="flex shrink-0">
                    <IconButton label={`Change ${word.word}`} onClick={() => setEditing(word)}>
                      <Pencil aria-hidden="true" className="size-4" />
                    </IconButton>
                    <IconButton label={`Delete ${word.word}`} onClick={() => setDeleting(word)}>
                      <Trash2 aria-hidden="true" className="size-4" />
                    </IconButton>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
      <Dialog
        open={editing !== null}
        onOpenChange={() => setEditing(null)}
        title={editing === 'new' ? 'Add a word' : 'Change the word'}
      >
        {editing !== null && <WordForm saved={editing === 'new' ? null : editing} onDone={() => setEditing(null)} />}
      </Dialog>
      {deleting !== null && <DeleteWord word={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  );
}

function DeleteWord({ word, onClose }: { word: IngredientWord; onClose: () => void }) {
  const { creatorId } = useCreator();
  const preview = useEndpointMutation(previewIngredientWord, { successToast: false });
  const remove = useEndpointMutation(deleteIngredientWord, {
    successToast: { title: 'Word deleted' },
    refreshes: REFRESHES,
    onSuccess: onClose,
  });
  const look = () => preview.mutate({ params: { creatorId }, body: { wordId: word.id, becomes: null } });
  return (
    <Question
      open
      onOpenChange={onClose}
      title={`Delete “${word.word}”?`}
      description="Lines are read as if you never added it. Lines you corrected stay."
      keep="Keep it"
      act="Delete word"
      danger
      busy={remove.isPending}
      onAct={() => remove.mutate({ params: { creatorId, wordId: word.id } })}
    >
      {preview.data === undefined ? (
        <Button size="small" variant="secondary" busy={preview.isPending} onClick={look}>
          See what changes
        </Button>
      ) : (
        <WordChanges preview={preview.data} />
      )}
    </Question>
  );
}
