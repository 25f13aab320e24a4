/**
 * What we write to people about signing in. None of it carries a name: whoever signed up may have typed somebody else's
 * address, and a message to its owner as the name.
 */
import { MAILED_LINKS } from '#contract/session.ts';
import type { Mail } from '#server/platforms/email/mail-later.ts';
import { SIGN_UP_LINK_DAYS } from './mailed-links.ts';

type Person = { email: string };

export function signUpInvitation(email: string, baseUrl: string, token: string): Mail {
  return {
    kind: 'sign_up_invitation',
    to: email,
    letter: {
      subject: 'You are invited to Creator HQ',
      heading: 'You are invited to Creator HQ',
      paragraphs: [
        'Creator HQ answers comments and messages on Instagram and Facebook. Create your account with this email address.',
      ],
      button: { label: 'Create my account', url: baseUrl + MAILED_LINKS.inviteToSignUp(token) },
      footnote: `The link works once, for ${SIGN_UP_LINK_DAYS} days. If you don't know what this is about, do nothing: no account is opened.`,
    },
  };
}

export function confirmEmail(person: Person, baseUrl: string, token: string): Mail {
  return {
    kind: 'confirm_email',
    to: person.email,
    letter: {
      subject: 'Confirm your email for Creator HQ',
      heading: 'Welcome to Creator HQ',
      paragraphs: ['Please confirm that this is your email address. Then you can connect your accounts and begin.'],
      button: { label: 'Confirm my email', url: baseUrl + MAILED_LINKS.confirmEmail(token) },
      footnote: 'The link works once, for 24 hours. If you did not sign up, do nothing: no account is opened.',
    },
  };
}

export function alreadyHaveAccount(person: Person, baseUrl: string): Mail {
  return {
    kind: 'already_have_account',
    to: person.email,
    letter: {
      subject: 'You already have a Creator HQ account',
      heading: 'You already have an account',
      paragraphs: [
        'Somebody, probably you, just tried to sign up with this address. There is no need: your account is here, unchanged.',
        'Log in as before. If you forgot your password, choose "Forgot password" there.',
      ],
      button: { label: 'Log in', url: `${baseUrl}/creator-hq/login` },
      footnote: 'If it was not you, do nothing. Nobody learned that you have an account.',
    },
  };
}

export function resetPassword(person: Person, baseUrl: string, token: string): Mail {
  return {
    kind: 'reset_password',
    to: person.email,
    letter: {
      subject: 'Set a new password for Creator HQ',
      heading: 'Set a new password',
      paragraphs: ['Somebody, probably you, asked for a new password for your account.'],
      button: { label: 'Choose a new password', url: baseUrl + MAILED_LINKS.resetPassword(token) },
      footnote:
        'The link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.',
    },
  };
}

export function passwordChanged(person: Person, baseUrl: string): Mail {
  return {
    kind: 'password_changed',
    to: person.email,
    letter: {
      subject: 'Your Creator HQ password was changed',
      heading: 'Your password was changed',
      paragraphs: [
        'The password of your account was just changed, and other devices were logged out.',
        'If that was you, all is well. If not, set a new password at once:',
      ],
      button: { label: 'Set a new password', url: `${baseUrl}/creator-hq/forgot-password` },
    },
  };
}

export function secondFactorChanged(person: Person, baseUrl: string, change: 'on' | 'off'): Mail {
  const what = change === 'on' ? 'switched on' : 'switched off';
  return {
    kind: 'second_factor_changed',
    to: person.email,
    letter: {
      subject: `Two-step login was ${what}`,
      heading: `Two-step login was ${what}`,
      paragraphs: [
        change === 'on'
          ? 'From now on logging in asks for a code from your authenticator app. Keep your backup codes in a safe place.'
          : 'From now on logging in asks for your password only.',
        'If that was not you, set a new password at once and look at Settings:',
      ],
      button: { label: 'Set a new password', url: `${baseUrl}/creator-hq/forgot-password` },
    },
  };
}
