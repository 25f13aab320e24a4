import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, FileUp } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import {
  changeMemberMove,
  getMemberMove,
  listMemberMoves,
  listMoveRows,
  type MemberMove,
  MOST_MOVED_BYTES,
  MOVE_TOOLS,
  MOVE_VERDICTS,
  type MoveTool,
  type MoveUse,
  type MoveVerdict,
  runMemberMove,
  undoMemberMove,
  uploadMemberMove,
} from '#contract/member-moves.ts';
import { getMemberFigures, listMembers } from '#contract/members.ts';
import { listTiers } from '#contract/tiers.ts';
import { MOVE, MOVE_USES } from '#web/features/memberships/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { refresh, setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { ChooseTableFile, ColumnUses } from '#web/shell/TableFile.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { dayOf } from '#web/ui/moment.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const ASKED_EVERY_MS = 1500;
const VERDICTS = Object.keys(MOVE_VERDICTS) as MoveVerdict[];
const pathOf = (moveId: string) => `?${new URLSearchParams({ tab: 'settings', move: moveId })}`;

/** A file of members is chosen; those before are listed. */
export function MoveCard() {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const [, setParams] = useSearchParams();
  const earlier = useEndpoint(listMemberMoves, { params: { creatorId } });
  return (
    <Card title={MOVE.title} description={MOVE.says}>
      <ChooseTableFile<MemberMove>
        endpoint={uploadMemberMove}
        maxBytes={MOST_MOVED_BYTES}
        onSent={({ id }) => {
          void refresh(client, listMemberMoves);
          setParams({ tab: 'settings', move: id });
        }}
      />
      {earlier.data && earlier.data.items.length > 0 && (
        <ul className="mt-4 flex flex-col divide-y divide-line border-line border-t">
          {earlier.data.items.map(({ id, fileName, state, madeAt }) => (
            <li key={id}>
              <Link to={pathOf(id)} className="flex min-h-11 items-center justify-between gap-3 py-2 hover:underline">
                <bdi className="truncate font-medium">{fileName}</bdi>
                <span className="flex shrink-0 items-center gap-3">
                  <Badge tone={state === 'ready' ? 'info' : 'neutral'}>{MOVE.states[state]}</Badge>
                  <RelativeTime at={madeAt} className="text-faint text-sm" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** What becomes of a file's rows, before and after. */
export function OneMove({ moveId }: { moveId: string }) {
  const { creatorId } = useCreator();
  const query = useEndpoint(
    getMemberMove,
    { params: { creatorId, moveId } },
    { retry: false, refetchInterval: ({ state }) => (state.data?.state === 'running' ? ASKED_EVERY_MS : false) },
  );
  const isGone = query.error?.code === 'not_found' || query.error?.code === 'invalid_input';
  return (
    <div className="flex flex-col gap-4">
      <Link to="?tab=settings" className="inline-flex min-h-11 items-center gap-1.5 text-sm hover:underline md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {MOVE.back}
      </Link>
      {isGone ? (
        <EmptyState icon={<FileUp className="size-7" />} title={MOVE.notFound}>
          {MOVE.notFoundSays}
        </EmptyState>
      ) : (
        <Loaded query={query} loading={MOVE.loading} failed={MOVE.failed} skeleton={<Skeleton className="h-64" />}>
          {(move) => (
            <>
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="break-all font-medium">{move.fileName}</bdi>
                <Badge>{MOVE.states[move.state]}</Badge>
              </p>
              {move.state === 'ready' && <Choices move={move} />}
              <Becomes move={move} />
              <Rows key={JSON.stringify([move.counts, move.state])} move={move} />
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

function Choices({ move }: { move: MemberMove }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const params = { creatorId, moveId: move.id };
  const tiers = useEndpoint(listTiers, { params: { creatorId } });
  const change = useEndpointMutation(changeMemberMove, {
    successToast: false,
    onSuccess: (answer) => {
      setAnswer(client, getMemberMove, { params }, answer);
      void refresh(client, listMoveRows);
    },
  });
  const open = (tiers.data?.items ?? []).filter(({ isArchived }) => !isArchived);
  return (
    <Card title={MOVE.columns} description={MOVE.columnsSay}>
      <div className="flex flex-col gap-5">
        <ColumnUses<MoveUse>
          columns={move.columns}
          uses={MOVE_USES}
          busy={change.isPending}
          onChoose={(uses) => change.mutate({ params, body: { uses } })}
        />
        <Field label={MOVE.from} hint={MOVE.fromHint}>
          {(wiring) => (
            <Select
              {...wiring}
              value={move.tool ?? ''}
              disabled={change.isPending}
              onChange={({ target }) =>
                change.mutate({ params, body: { tool: target.value === '' ? null : (target.value as MoveTool) } })
              }
            >
              {(Object.keys(MOVE_TOOLS) as MoveTool[]).map((tool) => (
                <option key={tool} value={tool}>
                  {MOVE_TOOLS[tool]}
                </option>
              ))}
              <option value="">{MOVE.elsewhere}</option>
            </Select>
          )}
        </Field>
        {move.tiers.map(({ name, tierId, rows }) => (
          <Field key={name} label={<bdi>{MOVE.tier(name)}</bdi>} hint={MOVE.rows(rows)}>
            {(wiring) => (
              <Select
                {...wiring}
                value={tierId ?? ''}
                disabled={change.isPending}
                onChange={({ target }) =>
                  change.mutate({ params, body: { tiers: [{ name, tierId: target.value || null }] } })
                }
              >
                <option value="">{MOVE.noTier}</option>
                {open.map((tier) => (
                  <option key={tier.id} value={tier.id}>
                    {tier.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ))}
      </div>
    </Card>
  );
}

function Becomes({ move }: { move: MemberMove }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const params = { creatorId, moveId: move.id };
  const act = {
    successToast: false,
    refreshes: [listMemberMoves, listMembers, getMemberFigures],
    onSuccess: (answer: MemberMove) => setAnswer(client, getMemberMove, { params }, answer),
  };
  const run = useEndpointMutation(runMemberMove, act);
  const undo = useEndpointMutation(undoMemberMove, act);
  const { counts, state } = move;
  return (
    <Card title={MOVE.becomes[state]}>
      <ul className="flex flex-col gap-1.5">
        {VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
          <li key={verdict}>{MOVE.count(counts[verdict], verdict)}</li>
        ))}
      </ul>
      {state === 'ready' && (
        <>
          <p className="mt-3 text-muted text-sm">{MOVE.mails}</p>
          <Alert className="mt-3">{MOVE.stopThere}</Alert>
          <Button
            variant="primary"
            className="mt-4"
            busy={run.isPending}
            disabled={counts.new === 0}
            onClick={() => run.mutate({ params })}
          >
            {MOVE.run(counts.new)}
          </Button>
        </>
      )}
      {state === 'running' && (
        <>
          <p role="status" className="mt-3 text-muted">
            {MOVE.progress(move.done, counts.new)}
          </p>
          <progress
            aria-label={MOVE.becomes.running}
            className="mt-3 w-full accent-accent"
            value={move.done}
            max={counts.new}
          />
        </>
      )}
      {move.undoUntil !== null && Date.parse(move.undoUntil) > Date.now() && (
        <>
          <p className="mt-3 text-muted text-sm">{MOVE.undoSays(dayOf(move.undoUntil))}</p>
          <Button variant="secondary" className="mt-3" busy={undo.isPending} onClick={() => undo.mutate({ params })}>
            {MOVE.undo}
          </Button>
        </>
      )}
    </Card>
  );
}

function Rows({ move }: { move: MemberMove }) {
  const { creatorId } = useCreator();
  const there = VERDICTS.filter((verdict) => move.counts[verdict] > 0);
  const [only, setOnly] = useState<MoveVerdict | undefined>(there.find((verdict) => verdict === 'invalid') ?? there[0]);
  const rows = useEndpointPages(listMoveRows, {
    params: { creatorId, moveId: move.id },
    query: { ...(only && { only }) },
  });
  return (
    <Card title={MOVE.list}>
      <Field label={MOVE.show}>
        {(wiring) => (
          <Select {...wiring} value={only} onChange={({ target }) => setOnly(target.value as MoveVerdict)}>
            {there.map((verdict) => (
              <option key={verdict} value={verdict}>
                {MOVE_VERDICTS[verdict]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <PagedList
        query={rows}
        className="mt-3"
        loading={MOVE.loading}
        failed={MOVE.failed}
        skeleton={<Skeleton className="h-40" />}
        empty={<p className="mt-3 text-muted">{MOVE.noRows}</p>}
      >
        {(items) => (
          <ul className="flex flex-col">
            {items.map(({ line, email, tier, paidUntil, why }) => (
              <li key={line} className="border-line border-b py-2 last:border-b-0">
                <bdi className="wrap-anywhere block font-medium">{email ?? MOVE.noEmail}</bdi>
                <span className="wrap-anywhere block text-muted text-sm">
                  {[MOVE.line(line), tier, paidUntil !== null && MOVE.until(dayOf(paidUntil)), why]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}
