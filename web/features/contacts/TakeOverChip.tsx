import { Hand } from 'lucide-react';
import {
  type Contact,
  getContact,
  getContactTimeline,
  handBackContact,
  listContacts,
  takeOverContact,
} from '#contract/contacts.ts';
import { takenOverWords } from '#web/features/contacts/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { DropdownMenu, MenuItem, MenuLabel } from '#web/ui/DropdownMenu.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

const CHOICES: { minutes: number | null; label: string }[] = [
  { minutes: 60, label: 'For 1 hour' },
  { minutes: 12 * 60, label: 'For 12 hours' },
  { minutes: 3 * 24 * 60, label: 'For 3 days' },
  { minutes: null, label: 'Until I resume them' },
];

export const CONTACT_CHANGES = [getContact, getContactTimeline, listContacts] as const;

/** Who speaks with them: automations, or the creator for a chosen time. */
export function TakeOverChip({ contact }: { contact: Contact }) {
  const { creatorId } = useCreator();
  const now = useNow();
  const params = { creatorId, contactId: contact.id };
  const takeOver = useEndpointMutation(takeOverContact, { successToast: false, refreshes: CONTACT_CHANGES });
  const handBack = useEndpointMutation(handBackContact, {
    successToast: { title: 'Automations resumed', detail: 'Automations reply to this person again.' },
    refreshes: CONTACT_CHANGES,
  });
  if (contact.takenOver !== null) {
    return (
      <>
        <Badge tone="accent" icon={<Hand aria-hidden="true" className="size-3.5" />}>
          {takenOverWords(contact.takenOver.until, now)}
        </Badge>
        <Button variant="secondary" size="small" busy={handBack.isPending} onClick={() => handBack.mutate({ params })}>
          Resume automations
        </Button>
      </>
    );
  }
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button variant="secondary" size="small" busy={takeOver.isPending}>
          <Hand aria-hidden="true" className="size-4" />
          Pause automations
        </Button>
      }
    >
      <MenuLabel>Automations are paused for this person</MenuLabel>
      {CHOICES.map(({ minutes, label }) => (
        <MenuItem key={label} onSelect={() => takeOver.mutate({ params, body: { minutes } })}>
          {label}
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
