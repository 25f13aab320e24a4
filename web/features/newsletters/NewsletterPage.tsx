import { Mailbox, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { type BroadcastSummary, createBroadcast, getNewsletter, listBroadcasts } from '#contract/newsletters.ts';
import { inWords } from '#web/features/email-templates/design-words.ts';
import { BroadcastBadge } from '#web/features/newsletters/BroadcastBadge.tsx';
import { Missing } from '#web/features/newsletters/Missing.tsx';
import { SeasonCard } from '#web/features/newsletters/SeasonCard.tsx';
import { WeeklyCard } from '#web/features/newsletters/WeeklyCard.tsx';
import { WelcomeCard } from '#web/features/newsletters/WelcomeCard.tsx';
import { WriterCard } from '#web/features/newsletters/WriterCard.tsx';
import { figuresWords, NEWSLETTERS, REPORT, readersWords } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Newsletters with their states and figures, what is missing to send one, and who sends them. */
export function NewsletterPage({ tabs }: { tabs: ReactNode }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const newsletter = useEndpoint(getNewsletter, { params: { creatorId } });
  const broadcasts = useEndpointPages(listBroadcasts, { params: { creatorId }, query: {} });
  const create = useEndpointMutation(createBroadcast, {
    successToast: false,
    refreshes: [listBroadcasts],
    onSuccess: ({ id }) => navigate(`${paths.newsletter}/${id}`),
  });
  const write = (
    <Button busy={create.isPending} onClick={() => create.mutate({ params: { creatorId } })}>
      <Plus aria-hidden="true" className="size-4" />
      {NEWSLETTERS.write}
    </Button>
  );
  return (
    <>
      <PageHeader title={NEWSLETTERS.title} description={NEWSLETTERS.description} actions={write} />
      {tabs}
      <div className="flex max-w-3xl flex-col gap-5">
        <Loaded
          query={newsletter}
          loading={NEWSLETTERS.loadingSettings}
          failed={NEWSLETTERS.failedSettings}
          skeleton={<Skeleton className="h-20" />}
        >
          {(data) => <Missing newsletter={data} />}
        </Loaded>
        <SeasonCard />
        <PagedList
          query={broadcasts}
          loading={NEWSLETTERS.loading}
          failed={NEWSLETTERS.failed}
          skeleton={<Skeleton className="h-48" />}
          empty={
            <EmptyState icon={<Mailbox className="size-7" />} title={NEWSLETTERS.none}>
              {NEWSLETTERS.noneSays}
            </EmptyState>
          }
        >
          {(items) => (
            <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
              {items.map((one) => (
                <Row key={one.id} broadcast={one} />
              ))}
            </ul>
          )}
        </PagedList>
        {newsletter.data && <WelcomeCard newsletter={newsletter.data} />}
        {newsletter.data && <WeeklyCard newsletter={newsletter.data} />}
        {newsletter.data && <WriterCard newsletter={newsletter.data} />}
      </div>
    </>
  );
}

function Row({ broadcast }: { broadcast: BroadcastSummary }) {
  const now = useNow();
  const { id, subject, state, asked, because, sendAt, changedAt, changedBy, figures, finishedAt } = broadcast;
  const words = figuresWords(state, figures);
  return (
    <li className="relative flex flex-col gap-1 p-4 hover:bg-sunken">
      <div className="flex items-start justify-between gap-3">
        <Link
          to={`${paths.newsletter}/${id}`}
          className="min-w-0 break-words font-medium after:absolute after:inset-0 hover:underline"
        >
          <bdi>{inWords(subject) || NEWSLETTERS.noSubject}</bdi>
        </Link>
        <BroadcastBadge broadcast={broadcast} />
      </div>
      <p className="text-muted text-sm">
        {readersWords(broadcast)}
        {words !== '' && ` · ${words}`}
        {state === 'scheduled' && sendAt !== null && ` · ${REPORT.startsAt(sendAt, now)}`}
      </p>
      {because !== null && <p className="text-sm text-warning-ink">{because}</p>}
      <p className="text-faint text-sm">
        {asked !== null && state === 'draft' ? (
          NEWSLETTERS.asked(asked.by)
        ) : finishedAt !== null ? (
          <RelativeTime at={finishedAt} />
        ) : (
          <>
            Changed <RelativeTime at={changedAt} /> by <bdi>{changedBy}</bdi>
          </>
        )}
      </p>
    </li>
  );
}
