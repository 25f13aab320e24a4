import { Link2 } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { getInteraction, type Interaction } from '#contract/interactions.ts';
import { HelpBox } from '#web/features/activity/HelpBox.tsx';
import { handleOf } from '#web/features/activity/words.ts';
import { contactPath, postPath, storyPath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SkeletonText } from '#web/ui/Skeleton.tsx';

type Details = ResponseOf<typeof getInteraction>;
type Delivery = Details['deliveries'][number];

type Props = {
  line: Interaction;
  /** Ways on to the post and the person, off where one is there already. */
  withPost: boolean;
  withPerson: boolean;
};

/** The likely cause, the one thing to do now, and the messages sent, word for word. */
export function OutcomeDetails({ line, withPost, withPerson }: Props) {
  const { creatorId } = useCreator();
  const details = useEndpoint(getInteraction, { params: { creatorId, interactionId: line.id } });
  return (
    <Loaded
      query={details}
      loading="Loading messages"
      failed="Couldn’t load the messages"
      skeleton={<SkeletonText lines={3} />}
    >
      {({ deliveries, help }) => (
        <div className="flex flex-col gap-3">
          <HelpBox interactionId={line.id} username={line.username} help={help} />
          {deliveries.length > 0 && (
            <ol className="flex flex-col gap-3">
              {deliveries.map((delivery) => (
                <DeliveryItem key={delivery.id} delivery={delivery} />
              ))}
            </ol>
          )}
          <p className="-my-2 flex flex-wrap gap-x-5 text-sm">
            {withPerson && (
              <TextLink to={contactPath(line.connectionId, line.personId)} className={WAY_ON}>
                See all from {handleOf(line.username)}
              </TextLink>
            )}
            {withPost && line.postId && (
              <TextLink to={placePath(line, line.postId)} className={WAY_ON}>
                {OPEN_SAYS[line.kind] ?? 'Open the post'}
              </TextLink>
            )}
          </p>
        </div>
      )}
    </Loaded>
  );
}

const OPEN_SAYS: Partial<Record<Interaction['kind'], string>> = {
  story_reply: 'Open the story',
  live_comment: 'Open the live',
};

function placePath(line: Interaction, postId: string): string {
  if (line.kind === 'story_reply') return storyPath('story', postId);
  return line.kind === 'live_comment' ? storyPath('live', postId) : postPath(postId);
}

/** A finger's height without looking like a button. */
const WAY_ON = 'inline-flex min-h-11 items-center';

const KIND_SAYS: Record<Delivery['kind'], string> = {
  private_reply: 'DM',
  message: 'DM in your chat',
  public_reply: 'Public reply under the comment',
};

const STATE_SAYS: Record<Delivery['state'], string> = {
  queued: 'waiting in the queue',
  sending: 'sending now',
  sent: 'sent',
  failed: 'not sent',
  expired: 'not sent in time',
  cancelled: 'canceled',
};

function DeliveryItem({ delivery }: { delivery: Delivery }) {
  return (
    <li className="rounded-md border border-line bg-canvas p-3">
      <p className="flex flex-wrap gap-x-2 text-sm">
        <span className="font-medium">{KIND_SAYS[delivery.kind]}</span>
        <span className="text-muted">
          {STATE_SAYS[delivery.state]}
          {delivery.sentAt && (
            <>
              {' '}
              <RelativeTime at={delivery.sentAt} />
            </>
          )}
        </span>
      </p>
      <p className="mt-1 whitespace-pre-line break-words">
        <bdi>{delivery.text}</bdi>
      </p>
      {delivery.buttons.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {delivery.buttons.map((button) => (
            <li
              key={`${button.title} ${button.url}`}
              className="inline-flex max-w-full items-center gap-1.5 rounded-sm bg-sunken px-2 py-1 text-sm"
            >
              <Link2 aria-hidden="true" className="size-3.5 shrink-0" />
              <bdi className="truncate">{button.title}</bdi>
            </li>
          ))}
        </ul>
      )}
      {(delivery.readAt || delivery.clickedAt || delivery.failure) && (
        <p className="mt-2 flex flex-wrap gap-x-4 text-muted text-sm">
          {delivery.readAt && (
            <span>
              Opened <RelativeTime at={delivery.readAt} />
            </span>
          )}
          {delivery.clickedAt && (
            <span>
              Link clicked <RelativeTime at={delivery.clickedAt} />
            </span>
          )}
          {delivery.failure && <span className="text-error-ink">{delivery.failure}</span>}
        </p>
      )}
    </li>
  );
}
