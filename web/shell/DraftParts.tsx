/** What every editor of a versioned draft has: undo, keys, what was brought back, and what someone else saved meanwhile. */
import { Redo2, Undo2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { FormProblem } from '#web/shell/form.tsx';
import type { VersionedDraft } from '#web/shell/versioned-draft.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { type Difference, Differences } from '#web/ui/Differences.tsx';

type AnyDraft = Pick<VersionedDraft<unknown>, 'canUndo' | 'canRedo' | 'undo' | 'redo' | 'save'>;

export function UndoButtons({ draft }: { draft: AnyDraft }) {
  return (
    <span className="flex gap-1">
      <IconButton label="Undo" disabled={!draft.canUndo} onClick={draft.undo}>
        <Undo2 aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label="Redo" disabled={!draft.canRedo} onClick={draft.redo}>
        <Redo2 aria-hidden="true" className="size-4" />
      </IconButton>
    </span>
  );
}

/** Ctrl+Z, Ctrl+Y, Ctrl+S. */
export function useDraftKeys(draft: AnyDraft, announce: (words: string) => void, canSave: boolean) {
  return (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const act = key === 'z' ? (event.shiftKey ? draft.redo : draft.undo) : key === 'y' ? draft.redo : undefined;
    const does = act ?? (key === 's' && canSave ? draft.save : undefined);
    if (does === undefined) return;
    event.preventDefault();
    void does();
    if (act !== undefined) announce(act === draft.undo ? 'Undone' : 'Redone');
  };
}

type Props<T> = {
  draft: Pick<VersionedDraft<T>, 'content' | 'problem' | 'restored' | 'theirs' | 'startOver' | 'keepMine'>;
  /** "this plan" */
  what: string;
  differencesOf: (mine: T, theirs: T) => Difference[];
};

export function DraftNotices<T>({ draft, what, differencesOf }: Props<T>) {
  const { theirs } = draft;
  return (
    <>
      <FormProblem problem={draft.problem} />
      {draft.restored && (
        <Alert
          variant="infoSecondary"
          action={
            <Button variant="quiet" size="small" onClick={draft.startOver}>
              Start over
            </Button>
          }
        >
          We brought back what you typed before.
        </Alert>
      )}
      {theirs !== null && (
        <Alert variant="warning" announce title={`Someone else saved ${what} while you were editing`}>
          <p>Your version is still here. What’s different:</p>
          <Differences differences={differencesOf(draft.content, theirs)} labels={['Yours', 'Theirs']} />
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="small" onClick={draft.keepMine}>
              Keep mine
            </Button>
            <Button size="small" variant="secondary" onClick={draft.startOver}>
              Use theirs
            </Button>
          </div>
        </Alert>
      )}
    </>
  );
}
