import { Bookmark, Link2, Mail, MousePointerClick, ShieldCheck } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { getContactTimeline, type TimelineEntry } from '#contract/contacts.ts';
import { MarkedWords } from '#web/features/activity/MarkedWords.tsx';
import { whatTheyDid } from '#web/features/activity/words.ts';
import {
  byDay,
  changeWords,
  consentWords,
  fateWords,
  mailWords,
  senderWords,
  stateWords,
} from '#web/features/contacts/words.ts';
import { postPath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { MorePages } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { fullMomentOf, timeOf } from '#web/ui/moment.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type EntryOf<What extends TimelineEntry['what']> = Extract<TimelineEntry, { what: What }>;

/** Everything that happened, as a chat: the newest at the end, in view. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const { creatorId } = useCreator();
  const pages = useEndpointPages(getContactTimeline, { params: { creatorId, contactId }, query: {} });
  const entries = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const box = useRef<HTMLElement>(null);
  const newest = entries[0]?.id;
  // A chat is read from its end; a new message brings its end back into view.
  useLayoutEffect(() => {
    if (newest !== undefined && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  return (
    <Loaded
      query={pages}
      loading="Loading the chat"
      failed="Couldn’t load the chat"
      skeleton={
        <span className="flex flex-col gap-4 py-4 lg:px-4">
          <Skeleton className="h-14 w-2/3" />
          <Skeleton className="h-20 w-2/3 self-end" />
          <Skeleton className="h-10 w-1/2" />
        </span>
      }
    >
      {() => (
        <section
          ref={box}
          aria-label="What happened"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-3 focus-visible:-outline-offset-2 lg:px-4"
        >
          <MorePages query={pages} label="Show older" size="small" className="pb-3" />
          {byDay(entries).map(({ day, entries: ofDay }) => (
            <section key={day} aria-label={day}>
              <h3 className="py-2 text-center font-medium text-faint text-xs">{day}</h3>
              <ol className="flex flex-col gap-3">
                {ofDay.map((entry) => (
                  <Entry key={`${entry.what} ${entry.id}`} entry={entry} />
                ))}
              </ol>
            </section>
          ))}
        </section>
      )}
    </Loaded>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const now = useNow();
  switch (entry.what) {
    case 'interaction':
      return <HerEntry entry={entry} />;
    case 'message':
      return <OurMessage entry={entry} />;
    case 'click':
      return (
        <Note icon={<MousePointerClick aria-hidden="true" className="size-3.5" />} at={entry.at}>
          Clicked the link{entry.url !== '' && <bdi> to {hostOf(entry.url)}</bdi>}
        </Note>
      );
    case 'consent':
      return (
        <Note icon={<ShieldCheck aria-hidden="true" className="size-3.5" />} at={entry.at}>
          {entry.act === 'given' && entry.purpose === 'newsletter' ? (
            <>
              Gave their email <bdi>{entry.email}</bdi> and agreed: “<bdi>{entry.wording}</bdi>”
            </>
          ) : (
            <>
              {consentWords(entry)} (<bdi>{entry.email}</bdi>)
            </>
          )}
        </Note>
      );
    case 'save':
      return (
        <Note icon={<Bookmark aria-hidden="true" className="size-3.5" />} at={entry.at}>
          Saved {entry.title === null || entry.title === '' ? 'a recipe' : <bdi>{entry.title}</bdi>}
        </Note>
      );
    case 'mail':
      return (
        <Note icon={<Mail aria-hidden="true" className="size-3.5" />} at={entry.at}>
          <bdi>{mailWords(entry)}</bdi> · {fateWords(entry)}
        </Note>
      );
    case 'change':
      return <Note at={entry.at}>{changeWords(entry, now)}</Note>;
  }
}

function HerEntry({ entry: { interaction, at } }: { entry: EntryOf<'interaction'> }) {
  const isAnswered = interaction.outcome === 'replied';
  return (
    <li className="flex max-w-[85%] flex-col items-start gap-1 self-start">
      <p className="flex flex-wrap items-center gap-x-2 text-muted text-xs">
        <span className="inline-block first-letter:uppercase">{whatTheyDid(interaction.kind)}</span>
        <Time at={at} />
        {interaction.postId !== null && (
          <TextLink
            to={postPath(interaction.postId)}
            className="-my-3 inline-flex min-h-11 items-center md:my-0 md:min-h-6"
          >
            Open the post
          </TextLink>
        )}
      </p>
      {interaction.text !== '' && (
        <div className="flex items-center gap-2 rounded-lg rounded-bl-sm bg-sunken px-3 py-2">
          {interaction.postPictureUrl !== null && (
            <Picture src={interaction.postPictureUrl} alt="" className="size-9 shrink-0" />
          )}
          <span className="min-w-0 whitespace-pre-line break-words">
            <MarkedWords text={interaction.text} words={interaction.matchedWords} />
          </span>
        </div>
      )}
      {interaction.outcome === 'skipped' &&
      interaction.kind === 'direct_message' &&
      interaction.automationId === null ? null : (
        <p className={cx('text-xs', isAnswered ? 'text-muted' : 'text-ink')}>{interaction.says}</p>
      )}
    </li>
  );
}

function OurMessage({ entry }: { entry: EntryOf<'message'> }) {
  const failed = entry.state === 'failed' || entry.state === 'expired';
  return (
    <li className="flex max-w-[85%] flex-col items-end gap-1 self-end">
      <p className="flex flex-wrap justify-end gap-x-2 text-muted text-xs">
        <bdi>{senderWords(entry)}</bdi>
        <Time at={entry.at} />
      </p>
      <div
        className={cx(
          'flex flex-col gap-2 rounded-lg rounded-br-sm px-3 py-2',
          failed ? 'border border-error-line bg-error-soft' : 'bg-accent-soft',
        )}
      >
        <span className="whitespace-pre-line break-words">
          <bdi>{entry.text === '' ? 'A message without text' : entry.text}</bdi>
        </span>
        {entry.buttons.map((button) => (
          <span
            key={`${button.title} ${button.url}`}
            className="inline-flex max-w-full items-center justify-center gap-1.5 rounded-md bg-surface px-2 py-1.5 text-sm"
          >
            {button.url !== null && <Link2 aria-hidden="true" className="size-3.5 shrink-0" />}
            <bdi className="truncate">{button.title}</bdi>
          </span>
        ))}
      </div>
      <p className={cx('text-right text-xs', failed ? 'text-error-ink' : 'text-muted')}>{stateWords(entry)}</p>
    </li>
  );
}

function Note({ icon, at, children }: { icon?: ReactNode; at: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-center gap-x-1.5 self-center text-center text-muted text-xs">
      {icon}
      <span>{children}</span>
      <Time at={at} />
    </li>
  );
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullMomentOf(Date.parse(at))} className="text-faint">
      {timeOf(at)}
    </time>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
