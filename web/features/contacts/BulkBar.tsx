import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Download, Hand, Tag as TagIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { mayDo } from '#contract/roles.ts';
import { actOn, type BulkAct, changedBy, exportAll, MOST_CHOSEN, UNDO } from '#web/features/contacts/bulk.ts';
import { ConfirmWord, isErase } from '#web/features/contacts/ConfirmWord.tsx';
import { saveFile } from '#web/features/contacts/save-file.ts';
import { TagsDialog } from '#web/features/contacts/TagsDialog.tsx';
import { CONTACT_CHANGES } from '#web/features/contacts/TakeOverChip.tsx';
import { BULK, BULK_ACTS, doneWords, TAGS } from '#web/features/contacts/words.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { refresh } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/DropdownMenu.tsx';
import { Question } from '#web/ui/Question.tsx';
import { showToast } from '#web/ui/toast.ts';

export type Chosen = ReadonlyMap<string, Contact>;

type Props = { shown: readonly Contact[]; chosen: Chosen; onChange: (chosen: Chosen) => void };

const ICONS = { pause: Hand, resume: Hand, block: Ban, unblock: Ban, erase: Trash2 } as const;

/** Actions on the selected contacts: confirmed before, reported after, and undone where possible. */
export function BulkBar({ shown, chosen, onChange }: Props) {
  const { creatorId, role } = useCreator();
  const client = useQueryClient();
  const [asked, setAsked] = useState<BulkAct | null>(null);
  const [tagging, setTagging] = useState<'give' | 'take' | null>(null);
  const people = [...chosen.values()];
  const acting = useMutation({
    mutationFn: ({ act, whom }: { act: BulkAct; whom: readonly Contact[] }) => actOn(creatorId, act, whom, Date.now()),
    onSuccess: () => {
      setAsked(null);
      onChange(new Map());
      for (const changed of CONTACT_CHANGES) void refresh(client, changed);
    },
  });
  const exporting = useMutation({
    mutationFn: () => exportAll(creatorId, people),
    onSuccess: (files) => saveFile('contacts.json', files),
    onError: ({ title, detail }: ApiError) => showToast({ tone: 'error', title, detail }),
  });
  const possible = (['pause', 'resume', 'block', 'unblock', 'erase'] as const).filter(
    (act) => changedBy(act, people).length > 0 && (act !== 'erase' || (role !== null && mayDo(role, 'erase'))),
  );
  const done = acting.data;
  const undo = done && done.people.length > 0 ? UNDO[done.act] : null;
  const first = shown.slice(0, MOST_CHOSEN);
  return (
    <div className="flex flex-col gap-2 rounded-md bg-sunken p-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button
          variant="quiet"
          size="small"
          onClick={() => onChange(chosen.size >= first.length ? new Map() : new Map(first.map((one) => [one.id, one])))}
        >
          {chosen.size >= first.length && chosen.size > 0 ? BULK.none : BULK.all(first.length)}
        </Button>
        <DropdownMenu
          trigger={
            <Button size="small" disabled={chosen.size === 0} busy={acting.isPending || exporting.isPending}>
              {BULK.actions(chosen.size)}
            </Button>
          }
        >
          {(['give', 'take'] as const).map((act) => (
            <MenuItem key={act} onSelect={() => setTagging(act)}>
              <TagIcon aria-hidden="true" className="size-4" />
              {TAGS[act].label}
            </MenuItem>
          ))}
          {possible.map((act) => {
            const Icon = ICONS[act];
            return (
              <MenuItem key={act} danger={act === 'erase'} onSelect={() => setAsked(act)}>
                <Icon aria-hidden="true" className="size-4" />
                {BULK_ACTS[act].label}
              </MenuItem>
            );
          })}
          <MenuItem onSelect={() => exporting.mutate()}>
            <Download aria-hidden="true" className="size-4" />
            {BULK.export}
          </MenuItem>
        </DropdownMenu>
      </div>
      <div role="status" className="flex flex-wrap items-center justify-between gap-2 text-sm empty:hidden">
        {done && (
          <>
            <p className="min-w-0 flex-1">{doneWords(done)}</p>
            {undo && (
              <Button
                variant="secondary"
                size="small"
                busy={acting.isPending}
                onClick={() => acting.mutate({ act: undo, whom: done.people })}
              >
                {BULK.undo}
              </Button>
            )}
          </>
        )}
      </div>
      {tagging && (
        <TagsDialog
          act={tagging}
          people={people}
          onDone={() => {
            setTagging(null);
            onChange(new Map());
          }}
          onClose={() => setTagging(null)}
        />
      )}
      {asked && (
        <Ask
          act={asked}
          count={changedBy(asked, people).length}
          busy={acting.isPending}
          onSure={() => acting.mutate({ act: asked, whom: changedBy(asked, people) })}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

type AskProps = { act: BulkAct; count: number; busy: boolean; onSure: () => void; onClose: () => void };

function Ask({ act, count, busy, onSure, onClose }: AskProps) {
  const [typed, setTyped] = useState('');
  const { ask, means, sure } = BULK_ACTS[act];
  const isErasing = act === 'erase';
  return (
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={ask(count)}
      description={means}
      keep={BULK.cancel}
      act={sure}
      danger={isErasing}
      disabled={isErasing && !isErase(typed)}
      busy={busy}
      onAct={onSure}
    >
      {isErasing && <ConfirmWord typed={typed} onType={setTyped} />}
    </Question>
  );
}
