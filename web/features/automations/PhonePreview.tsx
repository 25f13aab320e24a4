import type { ReactNode } from 'react';
import type { AutomationInput } from '#contract/automations.ts';
import { MAX_BUTTON_TITLE_CHARACTERS, renderMessage } from '#contract/message-text.ts';
import { cutAtLimit } from '#web/features/automations/message-count.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Picture } from '#web/ui/Picture.tsx';

export type PreviewPeople = {
  creator: { handle: string; avatarUrl: string | null };
  /** A real follower's handle where one is known. */
  follower: string;
};

type Props = {
  input: Pick<AutomationInput, 'messageText' | 'buttons' | 'publicReplies' | 'words' | 'mode'>;
  people: PreviewPeople;
  /** What she writes; else the first word. */
  comment?: string;
  post: { pictureUrl: string | null } | null;
};

/** A phone that shows what a follower gets: the public reply under her comment, then the message in her inbox. */
export function PhonePreview({ input, people, comment, post }: Props) {
  const word = input.words[0] ?? '';
  const said = comment || (input.mode === 'any_comment' ? 'Looks so good!' : word || 'your word');
  const values = { username: people.follower, word };
  const buttons = input.buttons.filter(({ title }) => title.trim() !== '');
  const { shown, lost } = cutAtLimit(input.messageText, buttons.length > 0, values);
  const reply = input.publicReplies.find((text) => text.trim() !== '');
  return (
    <section
      aria-label="Preview on a follower's phone"
      className="mx-auto flex w-full max-w-80 flex-col overflow-hidden rounded-xl border-4 border-edge/40 bg-surface text-sm shadow-raised"
    >
      <Part title="Under your post">
        <div className="flex gap-3">
          {post && <Picture src={post.pictureUrl} alt="" shape="post" className="h-16 w-13 shrink-0" />}
          <ul className="flex min-w-0 flex-1 flex-col gap-2.5">
            <Comment by={people.follower} text={said} />
            {reply && (
              <li className="ml-4">
                <ul>
                  <Comment
                    by={people.creator.handle}
                    avatarUrl={people.creator.avatarUrl}
                    text={renderMessage(reply, values)}
                  />
                </ul>
              </li>
            )}
          </ul>
        </div>
      </Part>
      <Part title="In her inbox">
        <div className="flex items-center gap-2 pb-3">
          <Avatar size="small" sources={[people.creator.avatarUrl]} name={people.creator.handle} />
          <bdi className="truncate font-semibold">{people.creator.handle}</bdi>
        </div>
        <div className="flex flex-col items-start gap-1 pr-6">
          <div className="max-w-full overflow-hidden rounded-xl bg-sunken">
            <p className="whitespace-pre-line break-words px-3.5 py-2.5" dir="auto">
              {shown || <span className="text-faint">Your message</span>}
              {lost !== '' && (
                <span className="text-error-ink line-through decoration-error">
                  <span className="sr-only"> Cut off: </span>
                  {lost.slice(0, 200)}
                </span>
              )}
            </p>
            {buttons.length > 0 && (
              <ul className="flex flex-col gap-1 px-1.5 pb-1.5">
                {buttons.map((button, place) => (
                  <li
                    // biome-ignore lint/suspicious/noArrayIndexKey: two buttons may have the same text
                    key={place}
                    className="min-w-44 rounded-lg bg-surface px-3 py-2 text-center font-semibold"
                  >
                    <bdi>{button.title.slice(0, MAX_BUTTON_TITLE_CHARACTERS)}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </Part>
    </section>
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
