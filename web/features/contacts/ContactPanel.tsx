import { ArrowLeft, Info, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { type ContactDetails, getContact } from '#contract/contacts.ts';
import { HelpBox } from '#web/features/activity/HelpBox.tsx';
import { MarkedWords } from '#web/features/activity/MarkedWords.tsx';
import { OUTCOMES, outcomeLabel, whatTheyDid } from '#web/features/activity/words.ts';
import { Composer } from '#web/features/contacts/Composer.tsx';
import { ContactFacts } from '#web/features/contacts/ContactFacts.tsx';
import { ContactTimeline } from '#web/features/contacts/ContactTimeline.tsx';
import { TakeOverChip } from '#web/features/contacts/TakeOverChip.tsx';
import { callOf, knownBy } from '#web/features/contacts/words.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Skeleton, SkeletonText } from '#web/ui/Skeleton.tsx';

type Props = { contactId: string; back: string; onGone: () => void };

/** One person: what became of their link, everything that happened as a chat, and the facts beside it. */
export function ContactPanel({ contactId, back, onGone }: Props) {
  const { creatorId } = useCreator();
  const contact = useEndpoint(getContact, { params: { creatorId, contactId } });
  return (
    <Loaded
      query={contact}
      loading="Loading the contact"
      failed="Couldn’t load this contact"
      skeleton={
        <span className="flex flex-col gap-4">
          <Skeleton className="h-12 w-64" />
          <Skeleton className="h-28" />
          <SkeletonText lines={4} />
        </span>
      }
      around={(frame) => (
        <div>
          <Back to={back} />
          {frame}
        </div>
      )}
    >
      {(found) => <Person contact={found} back={back} onGone={onGone} />}
    </Loaded>
  );
}

function Person({ contact, back, onGone }: { contact: ContactDetails; back: string; onGone: () => void }) {
  const [factsShown, setFactsShown] = useState(false);
  usePageTitle(callOf(contact));
  return (
    <article
      aria-label={callOf(contact)}
      className="flex h-[calc(100dvh-6rem)] min-h-[32rem] flex-col lg:h-full lg:rounded-lg lg:border lg:border-line lg:bg-surface"
    >
      <header className="flex items-center gap-2 border-line border-b pb-3 lg:px-4 lg:py-3">
        <Back to={back} />
        <Avatar sources={[contact.pictureUrl]} name={callOf(contact)} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">
            <bdi>{callOf(contact)}</bdi>
          </h2>
          <p className="truncate text-muted text-sm">
            {contact.name !== null && contact.username !== null && <bdi>@{contact.username} · </bdi>}
            {knownBy(contact)}
          </p>
        </div>
        <IconButton
          label={factsShown ? 'Chat' : 'Details'}
          aria-expanded={factsShown}
          className="xl:hidden"
          onClick={() => setFactsShown(!factsShown)}
        >
          {factsShown ? (
            <MessageCircle aria-hidden="true" className="size-5" />
          ) : (
            <Info aria-hidden="true" className="size-5" />
          )}
        </IconButton>
      </header>
      <div className="flex min-h-0 flex-1">
        <div className={cx('flex min-w-0 flex-1 flex-col', factsShown && 'max-xl:hidden')}>
          {/* Who is known by email alone has none of this. */}
          {contact.platform !== null && (
            <div className="flex max-h-[50%] shrink-0 flex-col gap-2 overflow-y-auto border-line border-b py-2 lg:px-4">
              <States contact={contact} />
              <Asked contact={contact} />
            </div>
          )}
          <ContactTimeline contactId={contact.id} />
          <Composer contact={contact} />
        </div>
        <div
          className={cx(
            'overflow-y-auto xl:block xl:w-56 xl:shrink-0 xl:border-line xl:border-l',
            factsShown ? 'flex-1' : 'hidden',
          )}
        >
          <ContactFacts contact={contact} onGone={onGone} />
        </div>
      </div>
    </article>
  );
}

function Back({ to }: { to: string }) {
  return (
    <ButtonLink to={to} replace variant="quiet" size="icon" aria-label="Back to the list" className="-ml-2 lg:hidden">
      <ArrowLeft aria-hidden="true" className="size-5" />
    </ButtonLink>
  );
}

function States({ contact }: { contact: ContactDetails }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TakeOverChip contact={contact} />
      {contact.stoppedAt !== null && <Badge tone="warning">Wrote STOP</Badge>}
      {contact.blockedAt !== null && <Badge tone="error">Blocked in Creator HQ</Badge>}
    </div>
  );
}

/** "I never got the link": the answer stands on top. */
function Asked({ contact }: { contact: ContactDetails }) {
  if (contact.asked === null) return null;
  const { interaction, help } = contact.asked;
  return (
    <section aria-label="What they asked for" className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <Badge tone={OUTCOMES[interaction.outcome].tone}>{outcomeLabel(interaction)}</Badge>
        <span className="text-muted">
          {whatTheyDid(interaction.kind)} <RelativeTime at={interaction.occurredAt} />
        </span>
        {interaction.text !== '' && (
          <span className="line-clamp-1 min-w-0">
            <MarkedWords text={interaction.text} words={interaction.matchedWords} />
          </span>
        )}
      </p>
      <HelpBox interactionId={interaction.id} username={interaction.username} help={help} />
    </section>
  );
}
