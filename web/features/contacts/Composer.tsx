import { Clock, Lock, Send } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import type { ContactDetails } from '#contract/contacts.ts';
import { answerContact } from '#contract/contacts.ts';
import { MAX_TEXT_BYTES, utf8Length } from '#contract/message-text.ts';
import { CONTACT_CHANGES } from '#web/features/contacts/TakeOverChip.tsx';
import { windowWords } from '#web/features/contacts/words.ts';
import { dropDraft, keepDraft, readDraft } from '#web/shell/drafts.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Textarea } from '#web/ui/inputs.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

/** From here on it says how much is left. */
const NEARLY_FULL_BYTES = 800;

type Draft = { text: string };

/** Writes to somebody by hand while Meta's rules allow it; else says what has to happen first. */
export function Composer({ contact }: { contact: ContactDetails }) {
  const now = useNow();
  const { window } = contact;
  if (window.how === 'closed') {
    return (
      <p className="flex items-center gap-2 border-line border-t py-3 text-muted text-sm lg:px-4">
        <Lock aria-hidden="true" className="size-4 shrink-0" />
        {window.says}
      </p>
    );
  }
  return (
    <div className="border-line border-t pt-2 lg:px-4 lg:pb-3">
      <p className="flex items-center gap-2 pb-2 text-muted text-sm" title={window.says}>
        <Clock aria-hidden="true" className="size-4 shrink-0" />
        {windowWords(window, now)}
        {window.how === 'human_agent' && ' Personal replies only, no promotions.'}
      </p>
      <MessageForm contact={contact} />
    </div>
  );
}

function MessageForm({ contact }: { contact: ContactDetails }) {
  const { creatorId } = useCreator();
  const hintId = useId();
  const draftKey = `contact:${contact.id}`;
  const [text, setText] = useState(() => readDraft<Draft>(draftKey)?.text ?? '');
  // The same text sent twice by a shaky network is one message.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const send = useEndpointMutation(answerContact, {
    successToast: false,
    refreshes: CONTACT_CHANGES,
    onSuccess: () => {
      dropDraft(draftKey);
      setText('');
      setKey(crypto.randomUUID());
    },
  });
  const change = (next: string) => {
    setText(next);
    setKey(crypto.randomUUID());
    keepDraft(draftKey, { text: next } satisfies Draft);
  };
  const bytes = utf8Length(text);
  const isTooLong = bytes > MAX_TEXT_BYTES;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isTooLong || send.isPending) return;
    send.mutate({ params: { creatorId, contactId: contact.id }, body: { text, key } });
  };
  return (
    <form className="flex items-start gap-2" onSubmit={submit}>
      <div className="min-w-0 flex-1">
        <Textarea
          aria-label="Your message"
          aria-describedby={hintId}
          aria-invalid={isTooLong}
          placeholder="Write a message"
          rows={Math.min(6, Math.max(1, text.split('\n').length))}
          className="min-h-11 resize-none"
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
          }}
        />
        <p id={hintId} className={cx('text-xs', isTooLong ? 'text-error-ink' : 'text-muted')}>
          {isTooLong
            ? `${bytes - MAX_TEXT_BYTES} too long`
            : bytes > NEARLY_FULL_BYTES
              ? `${MAX_TEXT_BYTES - bytes} left`
              : contact.takenOver === null && text !== ''
                ? 'Automations will pause for this person.'
                : ''}
        </p>
      </div>
      <IconButton
        type="submit"
        label="Send"
        variant="primary"
        busy={send.isPending}
        disabled={text.trim() === '' || isTooLong}
      >
        {!send.isPending && <Send aria-hidden="true" className="size-4" />}
      </IconButton>
    </form>
  );
}
