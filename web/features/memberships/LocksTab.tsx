import { Lock } from 'lucide-react';
import { useState } from 'react';
import { checkLocks, FINDINGS, getLocks, type Locks, type Probe, replaceSiteKey } from '#contract/locks.ts';
import { mayDo } from '#contract/roles.ts';
import { BlogLocksCard } from '#web/features/memberships/BlogLocksCard.tsx';
import { LOCKS } from '#web/features/memberships/words.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Site = NonNullable<Locks['site']>;

/** What is locked on the blog, and proof that it is. */
export function LocksTab() {
  const { creatorId } = useCreator();
  const locks = useEndpoint(getLocks, { params: { creatorId } });
  return (
    <Loaded query={locks} loading={LOCKS.loading} failed={LOCKS.failed} skeleton={<Skeleton className="h-64" />}>
      {({ site }) =>
        site === null ? (
          <Card>
            <EmptyState
              icon={<Lock className="size-7" />}
              title={LOCKS.none}
              action={<ButtonLink to="/creator-hq/settings?tab=api-key">{LOCKS.connect}</ButtonLink>}
            >
              {LOCKS.noneSays}
            </EmptyState>
          </Card>
        ) : (
          <div className="flex flex-col gap-5">
            {site.isAway && (
              <Alert variant="warning">
                {LOCKS.away(site.name)} <RelativeTime at={site.lastHeardAt} />
              </Alert>
            )}
            <Wall site={site} />
            <BlogLocksCard />
            <Hacked />
          </div>
        )
      }
    </Loaded>
  );
}

/** That the wall works, or why not; nothing before a locked post was looked at. */
export function Proof() {
  const { creatorId } = useCreator();
  const { data } = useEndpoint(getLocks, { params: { creatorId } });
  const probe = data?.site?.probe ?? null;
  return (
    probe !== null && (
      <Card title={LOCKS.proof}>
        <div className="flex flex-col gap-3">
          <Found probe={probe} />
        </div>
      </Card>
    )
  );
}

function Wall({ site: { name, posts, probe, isChecking } }: { site: Site }) {
  const { creatorId } = useCreator();
  const check = useEndpointMutation(checkLocks, { refreshes: [getLocks], successToast: { title: LOCKS.checkingSoon } });
  return (
    <Card title={LOCKS.title} description={name}>
      <div className="flex flex-col gap-3">
        <p>{posts === null ? LOCKS.notTold : LOCKS.posts(posts)}</p>
        {probe === null ? <p className="text-muted">{LOCKS.notChecked}</p> : <Found probe={probe} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="secondary"
            busy={check.isPending || isChecking}
            onClick={() => check.mutate({ params: { creatorId } })}
          >
            {LOCKS.check}
          </Button>
          {isChecking && (
            <p role="status" className="text-muted text-sm">
              {LOCKS.checking}
            </p>
          )}
        </div>
      </div>
    </Card>
  );
}

function Found({ probe }: { probe: Probe }) {
  const { holds, says, remedy } = FINDINGS[probe.finding];
  const { pageUrl, leaks, cache } = probe;
  return (
    <>
      {pageUrl !== null && <p className="font-medium">{LOCKS.line(probe)}</p>}
      <Alert variant={holds ? 'info' : 'error'}>
        {says} {leaks.length > 0 && LOCKS.leaks(leaks)} {remedy}
      </Alert>
      <p className="wrap-anywhere text-muted text-sm">
        {LOCKS.checked} <RelativeTime at={probe.at} />
        {pageUrl !== null && (
          <>
            {' · '}
            <a className="underline" href={pageUrl}>
              {LOCKS.page}
            </a>
            {` · ${LOCKS.shows[probe.shows]}`}
          </>
        )}
        {cache !== null && ` · ${LOCKS.cache(cache)}`}
      </p>
    </>
  );
}

function Hacked() {
  const { creatorId, role } = useCreator();
  const [asks, setAsks] = useState(false);
  const replace = useEndpointMutation(replaceSiteKey, {
    refreshes: [getLocks],
    successToast: { title: LOCKS.hacked.done },
    onSuccess: () => setAsks(false),
  });
  const mayReplace = role !== null && mayDo(role, 'money');
  return (
    <Card title={LOCKS.hacked.title}>
      <p>{LOCKS.hacked.says}</p>
      {mayReplace ? (
        <Button className="mt-4" variant="secondary" onClick={() => setAsks(true)}>
          {LOCKS.hacked.ask}
        </Button>
      ) : (
        <p className="mt-2 text-muted text-sm">{LOCKS.hacked.owner}</p>
      )}
      <Question
        open={asks}
        onOpenChange={setAsks}
        title={LOCKS.hacked.question}
        description={LOCKS.hacked.means}
        keep={LOCKS.hacked.keep}
        act={LOCKS.hacked.act}
        onAct={() => replace.mutate({ params: { creatorId } })}
        busy={replace.isPending}
        danger
      />
    </Card>
  );
}
