import { useId, useState } from 'react';
import { mayDo } from '#contract/roles.ts';
import { changeRetention, getRetention } from '#contract/settings.ts';
import { RETENTION_CARD } from '#web/features/settings/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { choicesFor, type Kept, keepsLess, type Retention, selectedOf } from './retention-words.ts';

const ROWS: { kept: Kept; label: string; hint: string }[] = [
  {
    kept: 'historyDays',
    label: RETENTION_CARD.activity,
    hint: RETENTION_CARD.whoCommentedOrWrote,
  },
  {
    kept: 'textsDays',
    label: RETENTION_CARD.texts,
    hint: RETENTION_CARD.theTextOfComments,
  },
  {
    kept: 'webhookLogDays',
    label: RETENTION_CARD.webhookLog,
    hint: RETENTION_CARD.eventsSentToOther,
  },
];

/** How long data is kept. Contacts stay until they are erased: their addresses are what the creator built up. */
export function RetentionCard() {
  const { creatorId, role } = useCreator();
  const retention = useEndpoint(getRetention, { params: { creatorId } });
  return (
    <Card title={RETENTION_CARD.dataRetention} description={RETENTION_CARD.olderDataIsDeleted}>
      <Loaded
        query={retention}
        loading={RETENTION_CARD.loadingHowLongData}
        failed={RETENTION_CARD.couldntLoadTheData}
        skeleton={<Skeleton className="h-64" />}
      >
        {(data) => (
          // The saved state counts: start again from it.
          <Choices key={JSON.stringify(data)} retention={data} mayChoose={role !== null && mayDo(role, 'deletion')} />
        )}
      </Loaded>
    </Card>
  );
}

function Choices({ retention, mayChoose }: { retention: Retention; mayChoose: boolean }) {
  const { creatorId } = useCreator();
  const id = useId();
  const saved = Object.fromEntries(ROWS.map(({ kept }) => [kept, selectedOf(kept, retention)])) as Record<
    Kept,
    number | null
  >;
  const [chosen, setChosen] = useState(saved);
  const save = useEndpointMutation(changeRetention, {
    refreshes: [getRetention],
    successToast: { title: RETENTION_CARD.saved, detail: RETENTION_CARD.olderDataIsDeleted2 },
  });
  const isChanged = ROWS.some(({ kept }) => chosen[kept] !== saved[kept]);
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ params: { creatorId }, body: chosen });
      }}
    >
      {ROWS.map(({ kept, label, hint }) => (
        <div key={kept} className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-${kept}`} className="font-medium">
            {label}
          </label>
          <Select
            id={`${id}-${kept}`}
            aria-describedby={`${id}-${kept}-hint`}
            className="sm:max-w-80"
            disabled={!mayChoose}
            value={chosen[kept] ?? ''}
            onChange={({ target }) =>
              setChosen({ ...chosen, [kept]: target.value === '' ? null : Number(target.value) })
            }
          >
            {choicesFor(kept, retention).map(({ days, label: words }) => (
              <option key={words} value={days ?? ''}>
                {words}
              </option>
            ))}
          </Select>
          <p id={`${id}-${kept}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        </div>
      ))}
      {mayChoose ? (
        <div className="flex flex-col gap-2">
          <p role="status" className="text-sm font-medium">
            {isChanged && keepsLess(retention, chosen) && RETENTION_CARD.savingDeletesOlderData}
          </p>
          <div>
            <Button type="submit" disabled={!isChanged} busy={save.isPending}>
              {RETENTION_CARD.save}
            </Button>
          </div>
        </div>
      ) : (
        <p className="text-muted">{RETENTION_CARD.onlyAnOwnerCan}</p>
      )}
    </form>
  );
}
