import { ExternalLink, MessageCircle, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { getAutomation } from '#contract/automations.ts';
import { listConnections } from '#contract/connections.ts';
import { getLive, getStory, type Story } from '#contract/stories.ts';
import { ActivityList } from '#web/features/activity/ActivityList.tsx';
import { AnyPostAutomation } from '#web/features/automations/AnyPostAutomation.tsx';
import { StoryAutomations } from '#web/features/stories/StoryAutomations.tsx';
import { StoryPicture } from '#web/features/stories/StoryCard.tsx';
import { StoryFigures } from '#web/features/stories/StoryFigures.tsx';
import type { StoriesView } from '#web/features/stories/stories-address.ts';
import { stateOf, storyTitle, timeLeft } from '#web/features/stories/words.ts';
import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { Loaded, type LoadedQuery } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

type Props = {
  view: StoriesView;
  show: (change: Partial<StoriesView>, options?: { replace?: boolean }) => void;
  onClose: () => void;
};

/** A story or live with its automation and its replies; or an automation for any of them. */
export function StoryPanel(props: Props) {
  const { view, onClose } = props;
  const title = view.id === null ? 'Automation' : view.kind === 'story' ? 'Story' : 'Live';
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={title} width="wide" bare>
      {view.id === null ? <AnyOne {...props} /> : <OneStory {...props} id={view.id} />}
    </Sheet>
  );
}

function OneStory({ view, show, onClose, id }: Props & { id: string }) {
  const { creatorId } = useCreator();
  const isStory = view.kind === 'story';
  const asStory = useEndpoint(getStory, { params: { creatorId, storyId: id } }, { enabled: isStory });
  const asLive = useEndpoint(getLive, { params: { creatorId, liveId: id } }, { enabled: !isStory });
  const asked = isStory ? asStory : asLive;
  return (
    <Loaded<Story>
      query={asked}
      loading="Loading the story"
      failed={`Couldn’t load the ${view.kind}`}
      skeleton={<Skeleton className="h-64" />}
      around={(frame) => <Around onClose={onClose}>{frame}</Around>}
    >
      {(story) => (
        <div className="flex min-h-full flex-col">
          <Head story={story} onClose={onClose} />
          {story.kind === 'live' && story.endedAt !== null && (
            <LiveIsOver story={story} className="mx-4 mt-3 sm:mx-6" />
          )}
          <div className="flex flex-1 flex-col px-4 sm:px-6 [&>div]:flex [&>div]:flex-1 [&>div]:flex-col">
            <Tabs
              label={`Parts of this ${view.kind}`}
              value={view.tab}
              onValueChange={(tab) => show({ tab: tab as StoriesView['tab'] }, { replace: true })}
              tabs={[
                { value: 'automation', label: 'Automation' },
                { value: 'replies', label: isStory ? 'Replies' : 'Comments' },
              ]}
            >
              <TabPanel value="automation" keep>
                <StoryAutomations
                  story={story}
                  editing={view.editing}
                  onEdit={(editing, options) => show({ editing }, options)}
                />
              </TabPanel>
              <TabPanel value="replies">
                <div className="flex flex-col gap-5 pb-6">
                  <StoryFigures story={story} />
                  {story.figures.missed > 0 && (
                    <Card title="Missed replies" level={3}>
                      <ActivityList filter={{ postId: story.id, outcome: 'missed' }} withPost={false} empty={null} />
                    </Card>
                  )}
                  <Card title="All activity" level={3}>
                    <ActivityList
                      filter={{ postId: story.id }}
                      withPost={false}
                      empty={
                        <EmptyState
                          icon={<MessageCircle className="size-7" />}
                          title={isStory ? 'No replies yet' : 'No comments yet'}
                        >
                          {story.endedAt === null
                            ? 'They show up here automatically.'
                            : `No one replied while it was on Instagram.`}
                        </EmptyState>
                      }
                    />
                  </Card>
                </div>
              </TabPanel>
            </Tabs>
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** The note when a live is over. */
export function LiveIsOver({ story, className }: { story: Story; className?: string }) {
  const { missed } = story.figures;
  return (
    <Alert
      variant={missed > 0 ? 'warning' : 'infoSecondary'}
      title="This live has ended, so replies can’t be sent"
      {...(className !== undefined && { className })}
    >
      Instagram only allows replies to live comments while you’re live.{' '}
      {missed === 0
        ? 'Everyone who could get a reply got one.'
        : `${missed === 1 ? 'One person was' : `${missed} people were`} missed. They can still DM you, and then you can reply.`}
    </Alert>
  );
}

function Head({ story, onClose }: { story: Story; onClose: () => void }) {
  const now = useNow();
  return (
    <header className="flex items-start gap-3 px-4 pt-4 sm:px-6">
      <StoryPicture story={story} className="w-12 shrink-0 rounded-md" />
      <div className="min-w-0 flex-1">
        <h2 className="line-clamp-2 font-semibold leading-snug">
          <bdi>{storyTitle(story)}</bdi>
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 text-muted text-sm">
          <span>
            {stateOf(story)}
            {story.endedAt === null && story.expiresAt !== null && `, ${timeLeft(story.expiresAt, now).toLowerCase()}`}
          </span>
          <RelativeTime at={story.postedAt} />
          {story.endedAt === null && story.permalink && (
            <a
              href={story.permalink}
              target="_blank"
              rel="noreferrer"
              className={`${TEXT_LINK} -my-3 inline-flex min-h-11 items-center gap-1 md:my-0 md:min-h-0`}
            >
              Open on Instagram
              <ExternalLink aria-hidden="true" className="size-3.5" />
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
        </p>
      </div>
      <CloseButton onClose={onClose} />
    </header>
  );
}

/** An automation for any story, or for any live. */
function AnyOne({ view, show, onClose }: Props) {
  const { creatorId } = useCreator();
  // Saving a new one gives it an id, and must not take the editor away.
  const [isNew] = useState(view.editing === 'new');
  const connections = useEndpoint(listConnections, { params: { creatorId } });
  const automation = useEndpoint(
    getAutomation,
    { params: { creatorId, automationId: view.editing ?? '' } },
    { enabled: !isNew },
  );
  const asked: LoadedQuery<unknown> = isNew || !connections.data ? connections : automation;
  const trigger = automation.data?.trigger ?? (view.kind === 'story' ? 'story_reply' : 'live_comment');
  return (
    <Loaded
      query={asked}
      loading="Loading the automation"
      failed="Couldn’t load the automation"
      skeleton={<Skeleton className="h-64" />}
      around={(frame) => <Around onClose={onClose}>{frame}</Around>}
    >
      {() => (
        <div className="flex min-h-full flex-col px-4 pt-4 sm:px-6">
          <header className="mb-4 flex items-start justify-between gap-3">
            <div>
              <h2 className="font-semibold text-lg">{automation.data?.name ?? 'New automation'}</h2>
              <p className="text-muted text-sm">
                {trigger === 'live_comment'
                  ? 'Replies to comments while you’re live.'
                  : 'Replies to people who reply to your stories.'}
              </p>
            </div>
            <CloseButton onClose={onClose} />
          </header>
          <AnyPostAutomation
            automation={automation.data ?? null}
            connections={connections.data?.items ?? []}
            trigger={trigger}
            onCreated={(editing) => show({ editing }, { replace: true })}
            onDeleted={onClose}
          />
        </div>
      )}
    </Loaded>
  );
}

function Around({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <div className="px-4 pt-4 sm:px-6">
      <div className="flex justify-end">
        <CloseButton onClose={onClose} />
      </div>
      {children}
    </div>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <IconButton label="Close" className="-mr-2" onClick={onClose}>
      <X aria-hidden="true" className="size-5" />
    </IconButton>
  );
}
