import { AtSign } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { getAutomation } from '#contract/automations.ts';
import { listConnections } from '#contract/connections.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listStoryMentions } from '#contract/stories.ts';
import { handleOf, OUTCOMES, outcomeLabel, progressOf } from '#web/features/activity/words.ts';
import { AnyPostAutomation } from '#web/features/automations/AnyPostAutomation.tsx';
import { inWords } from '#web/features/automations/variable-chips.ts';
import { contactPath, paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded, type LoadedQuery } from '#web/shell/Loaded.tsx';
import { MorePages } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Answer = ResponseOf<typeof listStoryMentions>;

/** Thanks for mentions: the message, and who got it. */
export function Component() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const editing = params.get('edit');
  const pages = useEndpointPages(listStoryMentions, { params: { creatorId }, query: { limit: 30 } });
  return (
    <>
      <PageHeader title="Story Mentions" description="Thank people who mention you in a story, at most once a day." />
      <Loaded
        query={pages}
        loading="Loading your mentions"
        failed="Couldn’t load your mentions"
        skeleton={
          <span className="flex flex-col gap-5">
            <Skeleton className="h-32" />
            <Skeleton className="h-64" />
          </span>
        }
      >
        {({ pages: [first, ...others] }) => (
          <div className="flex flex-col gap-5">
            <ThankYou automations={first?.automations ?? []} />
            <Card title="Who mentioned you" description="Instagram doesn’t let us keep a copy of their story.">
              {first?.items.length === 0 ? (
                <EmptyState icon={<AtSign className="size-7" />} title="No mentions yet">
                  New mentions show up here. Instagram only shares those from public accounts and private accounts you
                  follow.
                </EmptyState>
              ) : (
                <ol>
                  {[first, ...others]
                    .flatMap((page) => page?.items ?? [])
                    .map((mention) => (
                      <Mention key={mention.id} mention={mention} />
                    ))}
                </ol>
              )}
              <MorePages query={pages} label="Show older" className="pt-3" />
            </Card>
          </div>
        )}
      </Loaded>
      {editing !== null && (
        <Editor
          editing={editing}
          onCreated={(id) => setParams({ edit: id }, { replace: true })}
          onClose={() => setParams({})}
        />
      )}
    </>
  );
}

function ThankYou({ automations }: { automations: Answer['automations'] }) {
  const to = (id: string) => `${paths.storyMentions}?edit=${id}`;
  if (automations.length === 0) {
    return (
      <Card title="Your thank-you" description="A short message in your own words, with a link if you like.">
        <ButtonLink to={to('new')}>Write a thank-you</ButtonLink>
      </Card>
    );
  }
  return automations.map((automation) => (
    <Card
      key={automation.id}
      title="Your thank-you"
      aside={
        <ButtonLink size="small" variant="secondary" to={to(automation.id)}>
          Change
        </ButtonLink>
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={automation.switchedOnAt === null ? 'neutral' : automation.blockedBecause ? 'warning' : 'accent'}>
          {automation.switchedOnAt === null ? 'Off' : automation.blockedBecause ? 'Can’t reply' : 'On'}
        </Badge>
        {automation.switchedOnAt !== null && automation.blockedBecause}
      </p>
      <p className="mt-2 whitespace-pre-line break-words rounded-md bg-sunken p-3" dir="auto">
        {inWords(automation.messageText)}
      </p>
      {automation.buttons.length > 0 && (
        <p className="mt-2 text-muted text-sm">With {automation.buttons.map(({ title }) => `“${title}”`).join(', ')}</p>
      )}
    </Card>
  ));
}

function Mention({ mention }: { mention: Answer['items'][number] }) {
  const progress = progressOf(mention);
  return (
    <li className="flex flex-col gap-1 border-line border-b py-3 last:border-b-0">
      <span className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <TextLink
          to={contactPath(mention.connectionId, mention.personId)}
          className="inline-flex min-h-6 items-center font-semibold"
        >
          <bdi>{handleOf(mention.username)}</bdi>
        </TextLink>
        <RelativeTime at={mention.occurredAt} className="text-faint" />
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
        <Badge tone={OUTCOMES[mention.outcome].tone}>{outcomeLabel(mention)}</Badge>
        {mention.outcome === 'replied' ? progress : mention.says}
      </span>
      {mention.sentText !== null && (
        <span className="line-clamp-3 whitespace-pre-line break-words text-sm" dir="auto">
          {mention.sentText}
        </span>
      )}
    </li>
  );
}

function Editor({
  editing,
  onCreated,
  onClose,
}: {
  editing: string;
  onCreated: (automationId: string) => void;
  onClose: () => void;
}) {
  const { creatorId } = useCreator();
  // Saving a new one gives it an id, and must not take the editor away.
  const [isNew] = useState(editing === 'new');
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  const automation = useEndpoint(getAutomation, { params: { creatorId, automationId: editing } }, { enabled: !isNew });
  const asked: LoadedQuery<unknown> = isNew || !connections.data ? connections : automation;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title="Your thank-you" width="wide">
      <Loaded
        query={asked}
        loading="Loading the thank-you"
        failed="Couldn’t load the thank-you"
        skeleton={<Skeleton className="h-64" />}
      >
        {() => (
          <AnyPostAutomation
            automation={automation.data ?? null}
            connections={connections.data?.items ?? []}
            trigger="story_mention"
            onCreated={onCreated}
            onDeleted={onClose}
          />
        )}
      </Loaded>
    </Sheet>
  );
}
