import { RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MAX_BUTTON_TITLE_CHARACTERS } from '#contract/message-text.ts';
import { LANGUAGES } from '#contract/suggestions.ts';
import {
  type Act,
  type Bubble,
  type PlayedInput,
  playConversation,
  versionsOf,
} from '#web/features/automations/preview-conversation.ts';
import { TRIGGER_WORDS } from '#web/features/automations/trigger-words.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Checkbox, Select } from '#web/ui/inputs.tsx';
import { Picture } from '#web/ui/Picture.tsx';

export type PreviewPeople = {
  creator: { handle: string; avatarUrl: string | null };
  /** A real follower's handle where one is known. */
  follower: string;
};

type Props = {
  input: PlayedInput;
  people: PreviewPeople;
  /** The follower's text; else the first keyword. */
  comment?: string;
  /** The first of the chosen Custom Replies. */
  libraryReply?: string | null;
  post: { pictureUrl: string | null } | null;
};

/**
 * A phone that shows what a follower gets: the public reply under their comment, then the conversation in their inbox, played
 * tap by tap as they will go through it.
 */
export function PhonePreview({ input, people, comment, libraryReply = null, post }: Props) {
  const [chosen, setChosen] = useState('a');
  const [follows, setFollows] = useState(false);
  const [reached, setReached] = useState(0);
  const versions = versionsOf(input);
  // The one that was looked at may be gone.
  const version = versions.includes(chosen) ? chosen : 'a';
  const { said, publicReply, acts } = playConversation(input, {
    follower: people.follower,
    comment,
    version,
    follows,
    libraryReply,
  });
  const last = Math.min(reached, acts.length - 1);
  const next = acts[last + 1];
  const goOn = () => setReached(last + 1);
  const inComments = input.trigger === 'comment' || input.trigger === 'live_comment';
  return (
    <div className="mx-auto flex w-full max-w-80 flex-col gap-3">
      {versions.length > 1 && (
        <Select aria-label="Which message" value={version} onChange={(event) => setChosen(event.target.value)}>
          {versions.map((each) => (
            <option key={each} value={each}>
              {LANGUAGES[each] ?? (each === 'a' ? 'Your message (version A)' : `Version ${each.toUpperCase()}`)}
            </option>
          ))}
        </Select>
      )}
      <section
        aria-label="Preview on a follower's phone"
        className="flex w-full flex-col overflow-hidden rounded-xl border-4 border-edge/40 bg-surface text-sm shadow-raised"
      >
        {inComments && (
          <Part title={TRIGGER_WORDS[input.trigger].how}>
            <div className="flex gap-3">
              {post && <Picture src={post.pictureUrl} alt="" shape="post" className="h-16 w-13 shrink-0" />}
              <ul className="flex min-w-0 flex-1 flex-col gap-2.5">
                <Comment by={people.follower} text={said} />
                {publicReply && (
                  <li className="ml-4">
                    <ul>
                      <Comment by={people.creator.handle} avatarUrl={people.creator.avatarUrl} text={publicReply} />
                    </ul>
                  </li>
                )}
              </ul>
            </div>
          </Part>
        )}
        <Part title="In their inbox">
          <div className="flex items-center gap-2 pb-3">
            <Avatar size="small" sources={[people.creator.avatarUrl]} name={people.creator.handle} />
            <bdi className="truncate font-semibold">{people.creator.handle}</bdi>
          </div>
          <div className="flex flex-col gap-2" role="log" aria-label="Conversation">
            {!inComments && (
              <>
                <p className="text-center text-faint text-xs">{TRIGGER_WORDS[input.trigger].how}</p>
                {said !== '' && <Said text={said} />}
              </>
            )}
            {acts.slice(0, last + 1).map((act, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an act is its place in the conversation
              <Played key={at} act={act} onTap={at === last && next ? goOn : null} />
            ))}
          </div>
        </Part>
      </section>
      {(acts.length > 1 || input.followAsk !== null) && (
        <div className="flex flex-wrap items-center gap-2">
          {next && (
            <Button size="small" variant="secondary" onClick={goOn}>
              {next.begins}
            </Button>
          )}
          {last > 0 && (
            <Button size="small" variant="quiet" onClick={() => setReached(0)}>
              <RotateCcw aria-hidden="true" className="size-4" />
              Start again
            </Button>
          )}
          {input.followAsk !== null && (
            <Checkbox
              label="They already follow you"
              checked={follows}
              onChange={(event) => {
                setFollows(event.target.checked);
                setReached(0);
              }}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Played({ act, onTap }: { act: Act; onTap: (() => void) | null }) {
  return (
    <>
      {act.note && <p className="text-center text-faint text-xs">{act.note}</p>}
      {act.bubbles.map((bubble, at) =>
        bubble.by === 'follower' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bubble is its place in the act
          <Said key={at} text={bubble.text} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Ours key={at} bubble={bubble} onTap={onTap} />
        ),
      )}
    </>
  );
}

function Said({ text }: { text: string }) {
  return (
    <p
      className="max-w-[85%] self-end break-words rounded-xl bg-accent px-3.5 py-2 text-on-accent forced-colors:border"
      dir="auto"
    >
      {text}
    </p>
  );
}

const BUTTON = 'block w-full min-w-44 rounded-lg bg-surface px-3 py-2 text-center font-semibold forced-colors:border';

function Ours({ bubble, onTap }: { bubble: Bubble; onTap: (() => void) | null }) {
  const { text, lost, card, links, tap } = bubble;
  return (
    <div className="mr-6 max-w-full self-start overflow-hidden rounded-xl bg-sunken forced-colors:border">
      {!card && (
        <p className="whitespace-pre-line break-words px-3.5 py-2.5" dir="auto">
          {text || <span className="text-faint">Your message</span>}
          {lost !== '' && (
            <span className="text-error-ink line-through decoration-error">
              <span className="sr-only"> Cut off: </span>
              {lost.slice(0, 200)}
            </span>
          )}
        </p>
      )}
      {card && (
        <div className="m-1.5 overflow-hidden rounded-lg bg-surface">
          {card.imageUrl && <Picture src={card.imageUrl} alt="" className="w-full rounded-none" />}
          <div className="px-3 py-2">
            <p className="break-words font-semibold" dir="auto">
              {card.title || <span className="text-faint">Title</span>}
            </p>
            {card.subtitle && (
              <p className="break-words text-muted" dir="auto">
                {card.subtitle}
              </p>
            )}
          </div>
        </div>
      )}
      {(links.length > 0 || tap !== null) && (
        <ul className="flex flex-col gap-1 px-1.5 pb-1.5">
          {links.map(({ title, leadsTo }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may have the same text
            <li key={place} className={BUTTON}>
              <bdi>{title.slice(0, MAX_BUTTON_TITLE_CHARACTERS)}</bdi>
              {leadsTo !== '' && <bdi className="block truncate font-normal text-muted text-xs">{leadsTo}</bdi>}
            </li>
          ))}
          {tap !== null && (
            <li>
              {onTap ? (
                <button type="button" className={`${BUTTON} min-h-11 text-accent-ink md:min-h-9`} onClick={onTap}>
                  <bdi>{tap.slice(0, MAX_BUTTON_TITLE_CHARACTERS)}</bdi>
                </button>
              ) : (
                <span className={`${BUTTON} text-muted`}>
                  <bdi>{tap.slice(0, MAX_BUTTON_TITLE_CHARACTERS)}</bdi>
                </span>
              )}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-line border-b p-3.5 last:border-b-0 last:pb-6">
      <p className="mb-2.5 font-medium text-faint text-xs">{title}</p>
      {children}
    </div>
  );
}

function Comment({ by, avatarUrl, text }: { by: string; avatarUrl?: string | null; text: string }) {
  return (
    <li className="flex items-start gap-2">
      <Avatar size="small" sources={[avatarUrl]} name={by} />
      <p className="min-w-0 flex-1 break-words leading-snug">
        <bdi className="font-semibold">{by}</bdi> <bdi>{text}</bdi>
      </p>
    </li>
  );
}
