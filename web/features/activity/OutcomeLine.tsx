import { ChevronDown, MailOpen, MessageCircle, MousePointerClick } from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { Interaction } from '#contract/interactions.ts';
import { MarkedWords } from '#web/features/activity/MarkedWords.tsx';
import { OutcomeDetails } from '#web/features/activity/OutcomeDetails.tsx';
import { handleOf, OUTCOMES, outcomeLabel, progressOf, whatTheyDid } from '#web/features/activity/words.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Props = {
  line: Interaction;
  /** It came while the list was on screen: it lights up for a moment. */
  isNew?: boolean;
  /** Off where every line is about the same post. */
  withPost?: boolean;
  /** Off where every line is about the same person. */
  withPerson?: boolean;
  startOpen?: boolean;
};

/**
 * One interaction: who, what they wrote, what became of it and why. Opens to the messages themselves and to help. By itself:
 * a new line draws itself, not all the others again.
 */
export const OutcomeLine = memo(function OutcomeLine({
  line,
  isNew,
  withPost = true,
  withPerson = true,
  startOpen = false,
}: Props) {
  const [open, setOpen] = useState(startOpen);
  const panelId = useId();
  const progress = progressOf(line);
  return (
    <li
      className={cx(
        'border-line border-b last:border-b-0',
        isNew && 'animate-new-row',
        // Off screen the browser draws nothing of it. An opened one may hold what reaches beyond its edges.
        !open && '[contain-intrinsic-size:auto_6rem] [content-visibility:auto]',
      )}
    >
      <h3 className="text-wrap">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? panelId : undefined}
          className="flex w-full items-start gap-3 rounded-md px-1 py-3 text-left hover:bg-sunken/60 focus-visible:-outline-offset-2"
          onClick={() => setOpen(!open)}
        >
          {withPost && (
            <Picture
              src={line.postPictureUrl}
              alt=""
              instead={line.kind === 'direct_message' && <MessageCircle className="size-5 text-accent-ink" />}
              className="size-11 shrink-0"
            />
          )}
          <span className="flex min-w-0 flex-1 flex-col gap-0.5">
            <span className="flex flex-wrap items-baseline gap-x-2 text-sm">
              {withPerson && <bdi className="max-w-full truncate font-semibold">{handleOf(line.username)}</bdi>}
              <span className="text-muted">{whatTheyDid(line.kind)}</span>
              <RelativeTime at={line.occurredAt} className="text-faint" />
            </span>
            {line.text !== '' && (
              <span className={open ? undefined : 'line-clamp-2'}>
                <MarkedWords text={line.text} words={line.matchedWords} />
              </span>
            )}
            <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
              <Badge tone={OUTCOMES[line.outcome].tone}>{outcomeLabel(line)}</Badge>
              {line.isTest && <Badge tone="neutral">Test</Badge>}
              {line.outcome === 'replied' ? (
                <>
                  {line.automationName && <bdi className="max-w-48 truncate pr-0.5">{line.automationName}</bdi>}
                  {progress && (
                    <span className="inline-flex items-center gap-1">
                      <ProgressIcon line={line} />
                      {progress}
                    </span>
                  )}
                </>
              ) : (
                <span>{line.says}</span>
              )}
            </span>
          </span>
          <ChevronDown
            aria-hidden="true"
            className={cx('mt-1 size-4 shrink-0 text-faint transition-transform', open && 'rotate-180')}
          />
        </button>
      </h3>
      {open && (
        <div id={panelId} className={cx('pr-1 pb-4 pl-1', withPost && 'sm:pl-[3.75rem]')}>
          <OutcomeDetails line={line} withPost={withPost} withPerson={withPerson} />
        </div>
      )}
    </li>
  );
});

function ProgressIcon({ line }: { line: Interaction }) {
  if (line.clickedAt !== null) return <MousePointerClick aria-hidden="true" className="size-3.5" />;
  if (line.readAt !== null) return <MailOpen aria-hidden="true" className="size-3.5" />;
  return null;
}
