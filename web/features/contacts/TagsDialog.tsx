import { useState } from 'react';
import { type Contact, getContact, listContacts } from '#contract/contacts.ts';
import { listTags, TAG_LETTERS, tagContacts } from '#contract/tags.ts';
import { TAGS } from '#web/features/contacts/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

type Props = { act: 'give' | 'take'; people: readonly Contact[]; onDone: () => void; onClose: () => void };

/** Tags for all who are selected, in one call. */
export function TagsDialog({ act, people, onDone, onClose }: Props) {
  const { creatorId } = useCreator();
  const [tags, setTags] = useState<string[]>([]);
  const change = useEndpointMutation(tagContacts, {
    successToast: { title: TAGS[act].done(people.length) },
    refreshes: [getContact, listContacts, listTags],
    onSuccess: onDone,
  });
  const contactIds = people.map(({ id }) => id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={TAGS[act].ask(people.length)}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {TAGS.cancel}
          </Button>
          <Button
            busy={change.isPending}
            onClick={() =>
              tags.length === 0
                ? onClose()
                : change.mutate({ params: { creatorId }, body: { contactIds, [act]: tags } })
            }
          >
            {TAGS[act].label}
          </Button>
        </>
      }
    >
      <Field label={TAGS.title} hint={TAGS.hint}>
        {(wiring) => <TagInput {...wiring} value={tags} onChange={setTags} maxLength={TAG_LETTERS} />}
      </Field>
    </Dialog>
  );
}
