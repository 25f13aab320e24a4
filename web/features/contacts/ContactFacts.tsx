import { useMutation } from '@tanstack/react-query';
import { Ban, Download, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ContactDetails } from '#contract/contacts.ts';
import { blockContact, eraseContact, exportContact, listContacts, unblockContact } from '#contract/contacts.ts';
import { mayDo } from '#contract/roles.ts';
import { ConfirmWord, isErase } from '#web/features/contacts/ConfirmWord.tsx';
import { ContactMails, ContactSaves, NewsletterFact, PageLink } from '#web/features/contacts/ContactMails.tsx';
import { ContactTags } from '#web/features/contacts/ContactTags.tsx';
import { Joining } from '#web/features/contacts/Joining.tsx';
import { saveFile } from '#web/features/contacts/save-file.ts';
import { CONTACT_CHANGES } from '#web/features/contacts/TakeOverChip.tsx';
import { callOf, consentWords, identityWords } from '#web/features/contacts/words.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { readWholeList, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { numerals } from '#web/ui/numerals.ts';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { showToast } from '#web/ui/toast.ts';

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Facts about the contact, and actions on them. */
export function ContactFacts({ contact, onGone }: { contact: ContactDetails; onGone: () => void }) {
  // Saves have a list of their own.
  const agreed = contact.consents.filter(({ purpose, act }) => purpose !== 'save' || act !== 'given');
  return (
    <div className="flex flex-col gap-6 py-4 lg:px-4">
      <dl className="flex flex-col gap-3 text-sm">
        {contact.platform !== null && (
          <Fact label="Follows you">{contact.follows === null ? 'Unknown' : contact.follows ? 'Yes' : 'No'}</Fact>
        )}
        {contact.email !== null && (
          <Fact label="Email">
            <bdi className="break-words">{contact.email}</bdi>
          </Fact>
        )}
        {contact.email !== null && (
          <Fact label="Newsletter">
            <NewsletterFact contact={contact} />
          </Fact>
        )}
        {contact.identities.length > 1 && (
          <Fact label="Known as">
            {contact.identities.map(identityWords).map((words) => (
              <bdi key={words} className="block break-words">
                {words}
              </bdi>
            ))}
          </Fact>
        )}
        {contact.followers !== null && <Fact label="Followers">{numerals(contact.followers)}</Fact>}
        {contact.accountUsername !== null && <Fact label="Account">@{contact.accountUsername}</Fact>}
        <Fact label="First seen">
          <RelativeTime at={contact.firstSeenAt} />
        </Fact>
        <Fact label="Last seen">
          <RelativeTime at={contact.lastSeenAt} />
        </Fact>
        {contact.stoppedAt !== null && (
          <Fact label="Wrote STOP">
            <RelativeTime at={contact.stoppedAt} />. Automations won’t message them until they write START.
          </Fact>
        )}
      </dl>
      <ContactTags contact={contact} />
      <Joining contact={contact} />
      <ContactSaves contact={contact} />
      <ContactMails contact={contact} />
      {agreed.length > 0 && (
        <section aria-label="Email consent">
          <h3 className="mb-2 font-semibold text-sm">What they agreed to</h3>
          <ul className="flex flex-col gap-2 text-sm">
            {agreed.map((consent) => (
              <li key={consent.id} className="rounded-md bg-sunken p-2">
                {consent.wording === '' ? consentWords(consent) : <bdi>“{consent.wording}”</bdi>}
                <span className="block text-muted">
                  <bdi className="break-words">{consent.email}</bdi>, {DATE.format(Date.parse(consent.agreedAt))}
                </span>
                {consent.pageUrl !== null && <PageLink url={consent.pageUrl} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Actions contact={contact} onGone={onGone} />
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Actions({ contact, onGone }: { contact: ContactDetails; onGone: () => void }) {
  const { creatorId, role } = useCreator();
  const mayErase = role !== null && mayDo(role, 'erase');
  const [erasing, setErasing] = useState(false);
  const params = { creatorId, contactId: contact.id };
  const isBlocked = contact.blockedAt !== null;
  const block = useEndpointMutation(isBlocked ? unblockContact : blockContact, {
    successToast: isBlocked
      ? { title: 'Unblocked', detail: 'Automations reply to this person again.' }
      : { title: 'Blocked in Creator HQ', detail: 'Automations no longer reply to this person.' },
    refreshes: CONTACT_CHANGES,
  });
  const copying = useMutation({
    mutationFn: () => readWholeList(exportContact, { params }),
    onSuccess: ({ next, ...file }) => saveFile('contact.json', file),
    onError: (error: ApiError) => showToast({ tone: 'error', title: error.title, detail: error.detail }),
  });
  return (
    <div className="flex flex-col items-stretch gap-2">
      {contact.platform !== null && (
        <Button variant="secondary" size="small" busy={block.isPending} onClick={() => block.mutate({ params })}>
          <Ban aria-hidden="true" className="size-4" />
          {isBlocked ? 'Unblock' : 'Block in Creator HQ'}
        </Button>
      )}
      {contact.platform !== null && !isBlocked && (
        <p className="text-muted text-xs">Automations won’t reply to them. They won’t be blocked on Instagram.</p>
      )}
      <Button variant="secondary" size="small" busy={copying.isPending} onClick={() => copying.mutate()}>
        <Download aria-hidden="true" className="size-4" />
        Export their data
      </Button>
      {mayErase && (
        <Button variant="quiet" size="small" className="text-error-ink!" onClick={() => setErasing(true)}>
          <Trash2 aria-hidden="true" className="size-4" />
          Erase contact
        </Button>
      )}
      <EraseDialog contact={contact} open={erasing} onOpenChange={setErasing} onGone={onGone} />
    </div>
  );
}

type EraseProps = { contact: ContactDetails; open: boolean; onOpenChange: (open: boolean) => void; onGone: () => void };

function EraseDialog({ contact, open, onOpenChange, onGone }: EraseProps) {
  const { creatorId } = useCreator();
  const [typed, setTyped] = useState('');
  const erase = useEndpointMutation(eraseContact, {
    refreshes: [listContacts],
    onSuccess: ({ receipt }) => {
      showToast({ tone: 'success', title: 'Erased', detail: receipt.join(' ') });
      onGone();
    },
  });
  return (
    <Question
      open={open}
      onOpenChange={onOpenChange}
      title={`Erase ${callOf(contact)}?`}
      description="Their name, email, messages and comments are deleted for good. Your totals stay the same. If they comment or write again, they’ll be a new contact."
      keep="Keep contact"
      act="Erase for good"
      danger
      disabled={!isErase(typed)}
      busy={erase.isPending}
      onAct={() => erase.mutate({ params: { creatorId, contactId: contact.id } })}
    >
      <ConfirmWord typed={typed} onType={setTyped} />
    </Question>
  );
}
