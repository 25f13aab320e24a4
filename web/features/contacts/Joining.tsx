import {
  type ContactDetails,
  dismissSuggestion,
  getContact,
  joinContacts,
  listContacts,
  partContacts,
} from '#contract/contacts.ts';
import { callOf, JOINING, knownBy } from '#web/features/contacts/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';

const REFRESHES = [listContacts, getContact];

/** Who may be the same person, and who was joined lately. */
export function Joining({ contact }: { contact: ContactDetails }) {
  const { creatorId } = useCreator();
  const params = { creatorId, contactId: contact.id };
  const join = useEndpointMutation(joinContacts, {
    successToast: { title: JOINING.joined, detail: JOINING.joinedDetail },
    refreshes: REFRESHES,
  });
  const dismiss = useEndpointMutation(dismissSuggestion, { refreshes: REFRESHES });
  const part = useEndpointMutation(partContacts, { successToast: { title: JOINING.parted }, refreshes: REFRESHES });
  const isBusy = join.isPending || dismiss.isPending || part.isPending;
  return (
    <>
      {contact.suggestions.length > 0 && (
        <section aria-label={JOINING.title}>
          <h3 className="mb-2 font-semibold text-sm">{JOINING.title}</h3>
          <ul className="flex flex-col gap-2 text-sm">
            {contact.suggestions.map((other) => (
              <li key={other.id} className="flex flex-col gap-2 rounded-md bg-sunken p-2">
                <span>
                  <bdi className="block break-words font-medium">{callOf(other)}</bdi>
                  {other.email !== null && <bdi className="block break-words text-muted">{other.email}</bdi>}
                  <span className="block text-muted">{knownBy(other)}</span>
                </span>
                <span className="text-muted text-xs">{JOINING.why[other.why]}</span>
                <span className="flex flex-wrap gap-2">
                  <Button
                    variant="secondary"
                    size="small"
                    busy={isBusy}
                    onClick={() => join.mutate({ params, body: { with: other.id } })}
                  >
                    {JOINING.join}
                  </Button>
                  <Button
                    variant="quiet"
                    size="small"
                    busy={isBusy}
                    onClick={() => dismiss.mutate({ params, body: { with: other.id } })}
                  >
                    {JOINING.dismiss}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {contact.joined.length > 0 && (
        <section aria-label={JOINING.joinedTitle}>
          <h3 className="mb-2 font-semibold text-sm">{JOINING.joinedTitle}</h3>
          <ul className="flex flex-col gap-2 text-sm">
            {contact.joined.map(({ id, email, username }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-2">
                <bdi className="min-w-0 break-words">{callOf({ name: null, username, email })}</bdi>
                <Button
                  variant="quiet"
                  size="small"
                  busy={isBusy}
                  onClick={() => part.mutate({ params, body: { joinId: id } })}
                >
                  {JOINING.part}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
