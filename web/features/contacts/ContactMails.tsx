import { useState } from 'react';
import { type ContactDetails, getContact, listContacts, unsubscribeContact } from '#contract/contacts.ts';
import {
  callOf,
  fateWords,
  LEAVING,
  mailWords,
  NEWSLETTER_NEXT,
  newsletterWords,
} from '#web/features/contacts/words.ts';
import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { numerals } from '#web/ui/numerals.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Props = { contact: ContactDetails };

/** Whether they get the newsletter, since when and how, and what may be done about it. */
export function NewsletterFact({ contact }: Props) {
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const leave = useEndpointMutation(unsubscribeContact, {
    successToast: { title: LEAVING.done },
    refreshes: [listContacts, getContact],
    onSuccess: () => setAsking(false),
  });
  const mayLeave = contact.newsletter === 'confirmed' || contact.newsletter === 'unconfirmed';
  return (
    <>
      <span className="block break-words">{newsletterWords(contact)}</span>
      <span className="mt-1 block text-muted text-xs">{NEWSLETTER_NEXT[contact.newsletter]}</span>
      {mayLeave && (
        <Button variant="secondary" size="small" className="mt-2" onClick={() => setAsking(true)}>
          {LEAVING.button}
        </Button>
      )}
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={LEAVING.title(callOf(contact))}
        description={LEAVING.means}
        keep={LEAVING.keep}
        act={LEAVING.button}
        busy={leave.isPending}
        onAct={() => leave.mutate({ params: { creatorId, contactId: contact.id } })}
      />
    </>
  );
}

export function ContactSaves({ contact: { saves, savedCount } }: Props) {
  if (saves.length === 0) return null;
  return (
    <section aria-label="Recipes they saved">
      <h3 className="mb-2 font-semibold text-sm">
        Recipes they saved ({numerals(Math.max(savedCount, saves.length))})
      </h3>
      <ul className="flex flex-col gap-2 text-sm">
        {saves.map((save) => (
          <li key={save.id} className="flex items-center gap-2">
            <Picture src={save.pictureUrl} alt="" className="size-11 shrink-0" />
            <span className="min-w-0">
              <PageLink url={save.url}>{save.title === '' ? undefined : save.title}</PageLink>
              <span className="block text-muted text-xs">
                <RelativeTime at={save.savedAt} />
                {save.times > 1 && `, ${numerals(save.times)} times`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ContactMails({ contact: { mails } }: Props) {
  if (mails.length === 0) return null;
  return (
    <section aria-label="Emails to them">
      <h3 className="mb-2 font-semibold text-sm">Emails to them</h3>
      <ul className="flex flex-col gap-2 text-sm">
        {mails.map((mail) => (
          <li key={mail.id} className="rounded-md bg-sunken p-2">
            <bdi className="block break-words">{mailWords(mail)}</bdi>
            <span className="block break-words text-muted text-xs">
              {fateWords(mail)} · <RelativeTime at={mail.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** To a page of the blog. */
export function PageLink({ url, children }: { url: string; children?: string | undefined }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={cx(TEXT_LINK, 'inline-block break-words py-1')}>
      <bdi>{children ?? url.replace(/^https?:\/\//, '')}</bdi>
    </a>
  );
}
