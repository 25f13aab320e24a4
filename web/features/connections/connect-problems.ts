import type { ConnectProblem } from '#contract/connections.ts';
import { QUOTAS } from '#contract/quotas.ts';

type Words = {
  title: string;
  /** What happened. */
  says: string;
  /** What to do, step by step. */
  steps: string[];
};

/** What is said about each way in which a login at Meta can end without a connection. */
export const CONNECT_PROBLEMS: Record<ConnectProblem, Words> = {
  refused: {
    title: 'You said no at Meta',
    says: 'The window at Meta was closed, or the permission was not given. Nothing was connected.',
    steps: ['Start again and leave every switch on; each one is needed to read comments or to answer them.'],
  },
  state_mismatch: {
    title: 'That login did not start here',
    says: 'For your safety we only finish a login that began in this browser. An old tab or another device may be the reason.',
    steps: ['Close other Creator HQ tabs.', 'Start again below and finish it in the same browser.'],
  },
  expired: {
    title: 'The login took too long',
    says: 'Meta gives a few minutes to finish. They had passed.',
    steps: ['Start again; it takes about a minute.'],
  },
  personal_account: {
    title: 'This is a personal Instagram account',
    says: 'Instagram lets tools answer comments only for professional accounts (creator or business).',
    steps: [
      'In the Instagram app open Settings, then “Account type and tools”.',
      'Tap “Switch to professional account” and choose Creator. It is free and can be undone.',
      'Come back and connect again.',
    ],
  },
  no_pages: {
    title: 'No Facebook Page was found',
    says: 'Your Facebook login works, but it manages no Page.',
    steps: [
      'If a Page belongs to somebody else, ask them to give you full control of it.',
      'If you only need Instagram, connect with Instagram instead: it needs no Page.',
    ],
  },
  pages_hidden: {
    title: 'Your Pages stayed hidden',
    says: 'Your Pages belong to a business portfolio, and Meta shows those only when the business permission is given.',
    steps: ['Start again with Facebook.', 'When Meta asks about your business, leave it ticked.'],
  },
  page_not_granted: {
    title: 'The Page was not ticked',
    says: 'Meta asked which Pages Creator HQ may use, and the one you need was left out.',
    steps: [
      'Start again with Facebook and choose “Edit settings” when Meta offers it.',
      'Tick the Page and its Instagram account.',
    ],
  },
  no_linked_instagram: {
    title: 'No Instagram account is linked to this Page',
    says: 'The Page is there, but Meta knows of no Instagram account that belongs to it.',
    steps: [
      'On Facebook open the Page, then Settings and “Linked accounts”, and link your Instagram account.',
      'Or connect with Instagram instead: it needs no Page.',
    ],
  },
  missing_permissions: {
    title: 'A permission is missing',
    says: 'The login worked, but without every permission we could read comments and not answer them, or the other way round.',
    steps: ['Start again and leave every switch on.'],
  },
  too_many_accounts: {
    title: 'You’ve reached the limit',
    says: QUOTAS.connections.says,
    steps: ['Connect further accounts to another creator account.'],
  },
  connected_elsewhere: {
    title: 'This account is already connected',
    says: 'Another creator account in Creator HQ answers for it. One account can be answered for in one place only.',
    steps: [
      'Disconnect it there first: Settings, Connections, Disconnect.',
      'If you do not know where that is, ask whoever runs this Creator HQ.',
    ],
  },
  app_access: {
    title: 'Meta has not opened this app to everybody yet',
    says: 'Until Meta has reviewed the app behind this Creator HQ, only accounts that are entered as its testers can connect.',
    steps: [
      'Ask whoever runs this Creator HQ to add your account as a tester, accept the invitation, then connect again.',
    ],
  },
  meta_unreachable: {
    title: 'Meta did not answer',
    says: 'We could not reach Meta to finish the login. This is usually over in a few minutes.',
    steps: ['Wait a moment, then start again.'],
  },
  meta_error: {
    title: 'Meta reported an error',
    says: 'The login was fine on our side, but Meta answered with an error of its own.',
    steps: ['Start again. If it happens a second time, wait an hour: Meta may be having trouble.'],
  },
};
