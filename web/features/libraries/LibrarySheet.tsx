import type { UseQueryResult } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { UsedBy } from '#contract/keywords.ts';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { automationPath } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type EntryProps<Entry> = {
  /** "Custom Keywords", as in sentences. */
  what: string;
  description: string;
  /** Null: a new one. */
  saved: UseQueryResult<Entry, ApiError> | null;
  /** "the words" */
  part: string;
  onClose: () => void;
  children: (saved: Entry | null) => ReactNode;
};

/** One entry over its list: a new one at once, a saved one when it is there. */
export function EntrySheet<Entry>({ what, description, saved, part, onClose, children }: EntryProps<Entry>) {
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={saved === null ? `New ${what}` : what}
      description={description}
    >
      {saved === null ? (
        children(null)
      ) : (
        <Loaded
          query={saved}
          loading={`Loading ${part}`}
          failed={`Couldn’t load ${part}`}
          skeleton={<Skeleton className="h-64" />}
        >
          {children}
        </Loaded>
      )}
    </Sheet>
  );
}

/** Which automations use it, each a way there. */
export function WhereUsed({ usedBy }: { usedBy: readonly UsedBy[] }) {
  if (usedBy.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-medium text-sm">Used by</h3>
      <ul className="flex flex-col">
        {usedBy.map(({ automationId, name, on, postId }) => (
          <li key={automationId} className="flex min-h-11 items-center gap-2 md:min-h-9">
            <Link to={automationPath(automationId, postId)} className={TEXT_LINK}>
              <bdi>{name}</bdi>
            </Link>
            <Badge tone={on ? 'accent' : 'neutral'}>{on ? 'On' : 'Off'}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

type ChangedProps = { theirs: string; onMine: () => void; onTheirs: () => void };

/** Two people at one: theirs is shown, mine is still in the form. */
export function SavedMeanwhile({ theirs, onMine, onTheirs }: ChangedProps) {
  return (
    <Alert variant="warning" announce title="Someone else saved this while you were editing">
      <p>Your version is still below. Theirs is:</p>
      <div className="mt-2 max-h-40 overflow-y-auto whitespace-pre-line break-words rounded-md border border-line bg-surface p-2">
        {inWords(theirs)}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={onMine}>
          Keep mine
        </Button>
        <Button size="small" variant="secondary" onClick={onTheirs}>
          Use theirs
        </Button>
      </div>
    </Alert>
  );
}

type DeleteProps = { name: string; usedBy: readonly UsedBy[]; busy: boolean; onDelete: () => void };

/** Asks first, and says what will change; the server refuses while an automation that is on uses it. */
export function DeleteFromLibrary({ name, usedBy, busy, onDelete }: DeleteProps) {
  const [asking, setAsking] = useState(false);
  const off = usedBy.filter(({ on }) => !on).length;
  return (
    <>
      <Button variant="quiet" size="small" className="self-start text-error-ink" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        Delete
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${name}”?`}
        description={
          off > 0
            ? `${off === 1 ? 'One automation that’s off will stop using it' : `${off} automations that are off will stop using it`}. This can’t be undone.`
            : 'This can’t be undone.'
        }
        keep="Keep it"
        act="Delete"
        danger
        busy={busy}
        onAct={() => {
          setAsking(false);
          onDelete();
        }}
      />
    </>
  );
}
