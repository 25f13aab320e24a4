/** The outside of a mail to a reader: whom it is from, who signs it, and whether one click unsubscribes from what it is. */
import type { WhomFrom } from '#server/features/sending/whom-from.ts';
import type { OutgoingMail } from '#server/platforms/email/transport.ts';

export type MailKind = 'save' | 'confirmation' | 'broadcast' | 'digest' | 'correction' | 'welcome';

/** `subscription`: readers get it because they signed up for more than this one mail. */
export type Standing = 'asked_for' | 'subscription';

export type Envelope = Pick<OutgoingMail, 'from' | 'replyTo' | 'dkim' | 'feedbackId' | 'unsubscribe_url'>;

type Facts = {
  kind: MailKind;
  creatorId: string;
  name: string;
  standing: Standing;
  whom: WhomFrom;
  unsubscribeUrl: string;
};

/** @returns null for a subscription while there is no domain to answer for it: the shared address is for what was asked for. */
export function envelopeOf({ kind, creatorId, name, standing, whom, unsubscribeUrl }: Facts): Envelope | null {
  const { own, replyTo } = whom;
  if (standing === 'subscription' && own === null) return null;
  return {
    from: { name, address: own?.address ?? null },
    replyTo,
    dkim: own?.dkim ?? null,
    // By kind, by creator; the last part names the program (https://support.google.com/mail/answer/6254652).
    feedbackId: `${kind}:${creatorId}:reader:creatorhq`,
    unsubscribe_url: standing === 'subscription' ? unsubscribeUrl : null,
  };
}
