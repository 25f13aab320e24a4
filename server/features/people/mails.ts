/**
 * Mails about signing in. None of them carries a name: people who sign up may have typed somebody else's
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
      subject: 'You’re invited to Creator HQ',
      heading: 'You’re invited to Creator HQ',
      paragraphs: [
        'Creator HQ replies to comments and messages on Instagram and Facebook. Create your account with this email address.',
      ],
      button: { label: 'Create my account', url: baseUrl + MAILED_LINKS.inviteToSignUp(token) },
      footnote: `The link works once, for ${SIGN_UP_LINK_DAYS} days. Didn’t expect this? You can ignore this email. No account will be created.`,
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
      paragraphs: ['Confirm your email address, then connect your accounts and get started.'],
      button: { label: 'Confirm my email', url: baseUrl + MAILED_LINKS.confirmEmail(token) },
      footnote:
        'The link works once, for 24 hours. Didn’t sign up? You can ignore this email. No account will be created.',
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
        'Someone, probably you, just tried to sign up with this address. You already have an account, and nothing about it changed.',
        'Log in as usual. If you forgot your password, choose “Forgot password?” there.',
      ],
      button: { label: 'Log in', url: `${baseUrl}/creator-hq/login` },
      footnote: 'If it wasn’t you, you can ignore this email. We didn’t tell anyone that you have an account.',
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
      paragraphs: ['Someone, probably you, asked to reset your account’s password.'],
      button: { label: 'Choose a new password', url: baseUrl + MAILED_LINKS.resetPassword(token) },
      footnote:
        'The link works once, for one hour. Didn’t ask for it? You can ignore this email. Your password won’t change.',
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
        'Your password was just changed, and your other devices were logged out.',
        'If that was you, there’s nothing to do. If not, set a new password right away:',
      ],
      button: { label: 'Set a new password', url: `${baseUrl}/creator-hq/forgot-password` },
    },
  };
}

export function secondFactorChanged(person: Person, baseUrl: string, change: 'on' | 'off'): Mail {
  const what = change === 'on' ? 'turned on' : 'turned off';
  return {
    kind: 'second_factor_changed',
    to: person.email,
    letter: {
      subject: `Two-step login was ${what}`,
      heading: `Two-step login was ${what}`,
      paragraphs: [
        change === 'on'
          ? 'From now on, you’ll need a code from your authenticator app to log in. Keep your backup codes in a safe place.'
          : 'From now on, you only need your password to log in.',
        'If that wasn’t you, set a new password right away and check your Settings:',
      ],
      button: { label: 'Set a new password', url: `${baseUrl}/creator-hq/forgot-password` },
    },
  };
}
