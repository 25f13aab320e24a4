/** Mails about teams. */
import { MAILED_LINKS } from '#contract/session.ts';
import type { Mail } from '#server/platforms/email/mail-later.ts';

/** Mail programs would make one of it: nobody shall send strangers to a website in our name. */
const LOOKS_LIKE_A_LINK = /:\/\/|[\p{L}\d]\.\p{L}{2,}/u;

/** @param person.name null: the address has no account yet */
export function invitation(
  person: { email: string; name: string | null },
  invite: { handle: string; invitedBy: string; role: 'owner' | 'collaborator'; lastsDays: number },
  baseUrl: string,
  token: string,
): Mail {
  const { role, lastsDays } = invite;
  // With the sign, mail programs do not take `ada.cooks` for the address of a website.
  const handle = `@${invite.handle}`;
  const invitedBy = LOOKS_LIKE_A_LINK.test(invite.invitedBy) ? 'An owner' : invite.invitedBy;
  const known = person.name !== null;
  return {
    kind: 'invitation',
    to: person.email,
    letter: {
      // The handle only: a person's name may say anything, and the subject is what a stranger reads first.
      subject: `You’re invited to work on ${handle} in Creator HQ`,
      heading: known ? `${handle} would like your help, ${person.name}` : `${handle} would like your help`,
      paragraphs: [
        `${invitedBy} invited you to join the team of ${handle} as ${role === 'owner' ? 'an owner' : 'a collaborator'}. Creator HQ replies to comments and messages on Instagram and Facebook; the team sets up the replies.`,
        known
          ? 'Log in as usual to accept or decline the invite.'
          : 'Sign up with this email address. Then you can accept or decline the invite.',
      ],
      button: known
        ? { label: 'Log in and respond', url: baseUrl + MAILED_LINKS.inviteToLogIn(token) }
        : { label: 'Sign up and respond', url: baseUrl + MAILED_LINKS.inviteToSignUp(token) },
      footnote: `The invite expires in ${lastsDays} days. If you don’t know ${handle}, you can ignore this email. You won’t join the team unless you accept.`,
    },
  };
}
