import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { MAX_PUBLIC_REPLY_CHARACTERS } from '#contract/message-text.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { VariableTextarea } from '#web/features/automations/VariableTextarea.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FieldError } from '#web/ui/Field.tsx';

const MOST_REPLIES = 20;

/** The public reply under their comment. Several take turns, so that the same words never follow each other. */
export function PublicReplyFields({ input, set, errorOf }: FieldsProps) {
  const id = useId();
  const replies = input.publicReplies;
  const Title = replies.length > 0 ? 'label' : 'p';
  const change = (next: string[]) => set('publicReplies', next);
  return (
    <div className="flex flex-col gap-2">
      <Title className="font-medium text-sm" {...(replies.length > 0 && { htmlFor: `${id}-0` })}>
        Public replies
        <span className="font-normal text-faint"> (optional)</span>
      </Title>
      <p id={`${id}-hint`} className="text-muted text-sm">
        Posted under their comment so others see it works. Add a few and we’ll rotate them.
      </p>
      {replies.map((reply, place) => {
        const error = errorOf(`publicReplies.${place}`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; texts may be the same
          <div key={place} className="flex flex-col gap-1">
            <div className="flex items-start gap-2">
              <VariableTextarea
                id={`${id}-${place}`}
                rows={2}
                className="min-h-16"
                {...(place > 0 && { 'aria-label': `Public reply ${place + 1}` })}
                aria-describedby={error ? `${id}-error-${place}` : `${id}-hint`}
                aria-invalid={error ? true : undefined}
                value={reply}
                onChange={(text) => change(replies.map((old, at) => (at === place ? text : old)))}
              />
              <IconButton
                label={`Remove public reply ${place + 1}`}
                onClick={() => change(replies.filter((_, at) => at !== place))}
              >
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </div>
            <ReplyCount text={reply} />
            {error && <FieldError id={`${id}-error-${place}`}>{error}</FieldError>}
          </div>
        );
      })}
      {replies.length < MOST_REPLIES && (
        <Button variant="quiet" size="small" className="self-start" onClick={() => change([...replies, ''])}>
          <Plus aria-hidden="true" className="size-4" />
          {replies.length === 0 ? 'Add a public reply' : 'Add another version'}
        </Button>
      )}
    </div>
  );
}

/** Said from half of the limit on: short replies need no counting. */
function ReplyCount({ text }: { text: string }) {
  if (text.length <= MAX_PUBLIC_REPLY_CHARACTERS / 2) return null;
  const over = text.length > MAX_PUBLIC_REPLY_CHARACTERS;
  return (
    <p className={cx('text-right text-sm tabular-nums', over ? 'font-semibold text-error-ink' : 'text-faint')}>
      {text.length} of {MAX_PUBLIC_REPLY_CHARACTERS} characters
    </p>
  );
}
