/** What we write to people about teams. */
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
      subject: `You are invited to work on ${handle} in Creator HQ`,
      heading: known ? `${handle} would like your help, ${person.name}` : `${handle} would like your help`,
      paragraphs: [
        `${invitedBy} invites you to join the team of ${handle} as ${role === 'owner' ? 'an owner' : 'a collaborator'}. Creator HQ answers comments and messages on Instagram and Facebook; the team sets up the answers.`,
        known
          ? 'Log in as always: the invite waits for you there, and you can accept or decline it.'
          : 'Sign up with this email address. The invite waits for you then, and you can accept or decline it.',
      ],
      button: known
        ? { label: 'Log in and answer', url: baseUrl + MAILED_LINKS.inviteToLogIn(token) }
        : { label: 'Sign up and answer', url: baseUrl + MAILED_LINKS.inviteToSignUp(token) },
      footnote: `The invite is good for ${lastsDays} days. If you do not know ${handle}, do nothing: you join no team unless you accept.`,
    },
  };
}
