import { type ContactDetails, getContact, listContacts } from '#contract/contacts.ts';
import { listTags, TAG_LETTERS, tagContacts } from '#contract/tags.ts';
import { TAGS } from '#web/features/contacts/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Field } from '#web/ui/Field.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';
import { addTags } from '#web/ui/tags.ts';

/** The contact's tags: what is typed or removed counts at once. */
export function ContactTags({ contact }: { contact: ContactDetails }) {
  const { creatorId } = useCreator();
  const change = useEndpointMutation(tagContacts, {
    successToast: false,
    refreshes: [listContacts, listTags],
    pendingUntilRead: [getContact],
  });
  const { give = [], take = [] } = change.isPending ? change.variables.body : {};
  const shown = addTags(
    contact.tags.filter((tag) => !take.includes(tag)),
    give,
  );
  const changeTo = (tags: string[]) => {
    const changes = {
      give: tags.filter((tag) => !contact.tags.includes(tag)),
      take: contact.tags.filter((tag) => !tags.includes(tag)),
    };
    if (tags.join() === shown.join()) return;
    change.mutate({ params: { creatorId }, body: { contactIds: [contact.id], ...changes } });
  };
  return (
    <Field label={TAGS.title}>
      {(wiring) => (
        <TagInput
          {...wiring}
          value={shown}
          onChange={changeTo}
          maxLength={TAG_LETTERS}
          placeholder={TAGS.placeholder}
        />
      )}
    </Field>
  );
}
