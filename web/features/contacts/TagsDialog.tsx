import { useState } from 'react';
import { type Contact, getContact, listContacts } from '#contract/contacts.ts';
import { listTags, TAG_LETTERS, tagContacts } from '#contract/tags.ts';
import { TAGS } from '#web/features/contacts/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Field } from '#web/ui/Field.tsx';
import { Question } from '#web/ui/Question.tsx';
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
    <Question
      open
      onOpenChange={(open) => !open && onClose()}
      title={TAGS[act].ask(people.length)}
      keep={TAGS.cancel}
      act={TAGS[act].label}
      busy={change.isPending}
      onAct={() =>
        tags.length === 0 ? onClose() : change.mutate({ params: { creatorId }, body: { contactIds, [act]: tags } })
      }
    >
      <Field label={TAGS.title} hint={TAGS.hint}>
        {(wiring) => <TagInput {...wiring} value={tags} onChange={setTags} maxLength={TAG_LETTERS} />}
      </Field>
    </Question>
  );
}
