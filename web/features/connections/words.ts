import type { Connection, ConnectProblem } from '#contract/connections.ts';
import { QUOTAS } from '#contract/quotas.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';
import { numerals } from '#web/ui/numerals.ts';

type Words = {
  title: string;
  /** What happened. */
  says: string;
  /** What to do, step by step. */
  steps: string[];
};

export const HEALTH: Record<Connection['health'], { label: string; tone: BadgeTone }> = {
  working: { label: 'Working', tone: 'accent' },
  needs_reconnect: { label: 'Reconnect needed', tone: 'error' },
  missing_permissions: { label: 'Permission missing', tone: 'warning' },
  missing_webhooks: { label: 'Not receiving comments', tone: 'warning' },
  barred: { label: 'Paused by Meta', tone: 'warning' },
  blocked: { label: 'Blocked by Facebook', tone: 'error' },
  disconnected: { label: 'Disconnected', tone: 'neutral' },
};

/** Instagram accounts go by their handle, Pages by their name. */
export function nameOf({ platform, username, name }: Pick<Connection, 'platform' | 'username' | 'name'>): string {
  return platform === 'instagram' ? `@${username}` : (name ?? username);
}

export const PERSONAL_ACCOUNT = 'Is your Instagram account personal? Two steps first:';

/** From a personal account to one that can be connected: said before leaving for Instagram, and on return from there. */
export const TO_PROFESSIONAL = [
  'In the Instagram app, open Settings, then “Account type and tools”.',
  'Tap “Switch to professional account” and choose Creator. It’s free and you can switch back.',
];

/** What is said about each way in which a login at Meta can end without a connection. */
export const CONNECT_PROBLEMS: Record<ConnectProblem, Words> = {
  refused: {
    title: 'Connection canceled',
    says: 'The window was closed or the permission wasn’t given. Nothing was connected.',
    steps: ['Start again and keep every permission turned on. We need each one to read and reply to comments.'],
  },
  state_mismatch: {
    title: 'This login started somewhere else',
    says: 'For your security, we only finish a login that started in this browser. It may have come from an old tab or another device.',
    steps: ['Close other Creator HQ tabs.', 'Start again below and finish it in the same browser.'],
  },
  expired: {
    title: 'The login expired',
    says: 'You have a few minutes to finish, and they ran out.',
    steps: ['Start again. It takes about a minute.'],
  },
  personal_account: {
    title: 'This is a personal Instagram account',
    says: 'Instagram only allows automated replies for professional accounts (creator or business). Two steps, then connect again:',
    steps: TO_PROFESSIONAL,
  },
  no_pages: {
    title: 'No Facebook Page found',
    says: 'Your Facebook login worked, but you don’t manage any Pages.',
    steps: [
      'If someone else owns the Page, ask them to give you full control.',
      'If you only need Instagram, connect with Instagram instead. You don’t need a Page.',
    ],
  },
  pages_hidden: {
    title: 'We can’t see your Pages',
    says: 'Your Pages belong to a business portfolio, and Facebook only shows them with the business permission.',
    steps: ['Connect with Facebook again.', 'When Facebook asks about your business, leave it checked.'],
  },
  page_not_granted: {
    title: 'The Page wasn’t selected',
    says: 'Facebook asked which Pages Creator HQ can use, and yours was left out.',
    steps: [
      'Connect with Facebook again and choose “Edit settings” when asked.',
      'Select the Page and its Instagram account.',
    ],
  },
  no_linked_instagram: {
    title: 'This Page has no Instagram account',
    says: 'We found the Page, but no Instagram account is linked to it.',
    steps: [
      'On Facebook, open the Page, then Settings and “Linked accounts”, and link your Instagram account.',
      'Or connect with Instagram instead. You don’t need a Page.',
    ],
  },
  missing_permissions: {
    title: 'A permission is missing',
    says: 'The login worked, but we need every permission to read and reply to comments.',
    steps: ['Start again and keep every permission turned on.'],
  },
  too_many_accounts: {
    title: 'You’ve reached the limit',
    says: QUOTAS.connections.says,
    steps: ['Connect more accounts to another creator account.'],
  },
  too_many_creators: {
    title: 'You’ve reached the limit',
    says: QUOTAS.creators.says,
    steps: ['Delete it in its Settings > Privacy & data, then connect again.'],
  },
  connected_elsewhere: {
    title: 'This account is already connected',
    says: 'Another creator account in Creator HQ already uses it. An account can only be connected once.',
    steps: [
      'Disconnect it there first, in Settings > Connections.',
      'Not sure where? Ask the people who run this Creator HQ.',
    ],
  },
  app_access: {
    title: 'This app isn’t open to everyone yet',
    says: 'Until Meta approves this Creator HQ, only accounts added as testers can connect.',
    steps: [
      'Ask the people who run this Creator HQ to add your account as a tester, accept the invite, then connect again.',
    ],
  },
  meta_unreachable: {
    title: 'Meta didn’t respond',
    says: 'We couldn’t reach Meta to finish the login. This usually passes in a few minutes.',
    steps: ['Wait a moment, then start again.'],
  },
  meta_error: {
    title: 'Meta had an error',
    says: 'Something went wrong at Meta while you logged in.',
    steps: ['Start again. If it happens again, wait an hour. Meta may be having problems.'],
  },
};

/** How comments of this account reach us, as far as it was seen, and what to do where they come late or not at all. */
export type CommentWords = { says: string; steps: string[]; wrong: boolean };

export function commentWords({ platform, comments }: Pick<Connection, 'platform' | 'comments'>): CommentWords {
  const { byWebhook, lastByWebhookAt, byReading, reading, platformCounts } = comments;
  const name = platform === 'instagram' ? 'Instagram' : 'Facebook';
  const post = platform === 'instagram' ? 'post' : 'Page post';
  const test = `Comment on your newest ${post} from another account, then check back here in a few minutes.`;
  const access = [
    'The Meta app behind Creator HQ must be published and have Advanced Access for comments from App Review. The people who run Creator HQ can request it.',
    ...(platform === 'instagram' ? ['Your account must be public.'] : []),
  ];
  if (byWebhook > 0 && lastByWebhookAt !== null) {
    return {
      says: `${name} sends us comments as they’re written: ${count(byWebhook)} so far.`,
      steps: [],
      wrong: false,
    };
  }
  if (byWebhook > 0) {
    return {
      says: `${name} has sent us ${count(byWebhook)} so far, but none in the last 7 days.`,
      steps: [`If people did comment, tap “Test connection”. ${test}`],
      wrong: false,
    };
  }
  switch (reading) {
    case 'nothing_to_find':
      return { says: `No comment has come in yet, by ${name} or by checking your posts.`, steps: [test], wrong: false };
    case 'finds': {
      const found = byReading > 0 ? `finds them (${numerals(byReading)} so far)` : 'finds them';
      return {
        says: `${name} has never sent us a comment as it was written. Checking your posts ${found}, so replies go out minutes later, on older posts up to a day later.`,
        steps: access,
        wrong: true,
      };
    }
    case 'finds_none':
      return {
        says: `${name} has never sent us a comment, and checking your posts finds none, although ${name} counts ${numerals(platformCounts)}. Comments can’t get a reply; story replies and DMs can.`,
        steps: access,
        wrong: true,
      };
  }
}

function count(comments: number): string {
  return comments === 1 ? '1 comment' : `${numerals(comments)} comments`;
}

export const CONNECTIONS_PANEL = {
  loadingYourAccounts: 'Loading your accounts',
  couldntLoadYourAccounts: 'Couldn’t load your accounts',
  connectAnotherAccount: 'Connect another account',
  connectAnAccount: 'Connect an account',
  onlyYourTeamCan: 'Only your team can connect accounts.',
  checked: 'Checked',
  instagram: 'Instagram',
  facebookPage: 'Facebook Page',
  missingPermissions: 'Missing permissions',
  missingWebhooks: 'Missing webhooks',
  reconnect: 'Reconnect',
  testConnection: 'Test connection',
  disconnect: 'Disconnect',
  onlyAnOwnerCan: 'Only an owner can disconnect an account.',
  comments: 'Comments',
  itsAutomationsStopRight:
    'Its automations stop right away and waiting messages won’t be sent. Your activity stays, and you can connect it again.',
  keepConnected: 'Keep connected',
} as const;

export const FACEBOOK_ADDON_CARD = {
  facebookAddon: 'Facebook Addon',
  loadingTheFacebookAddon: 'Loading the Facebook Addon',
  couldntLoadTheFacebook: 'Couldn’t load the Facebook Addon',
  replyOnMyFacebook: 'Reply on my Facebook Pages',
  automationsReplyToComments:
    'Automations reply to comments and messages on your Pages in Messenger. While this is off, they only show up in your activity.',
} as const;

export const CONNECTED_AS = {
  pageTitle: 'Connected',
  connectedAs: (name: string) => `Connected as ${name}`,
  also: (names: string) => `Also connected: ${names}`,
  done: 'Go to Creator HQ',
} as const;

export const FACEBOOK_SUCCESS_PAGE = {
  chooseYourPages: 'Choose your Pages',
  creatorHqRepliesTo: 'Creator HQ replies to comments on the Pages you choose and their linked Instagram accounts.',
  connectWithFacebook: 'Connect with Facebook',
  loadingYourPages: 'Loading your Pages',
  couldntLoadYourPages: 'Couldn’t load your Pages',
  noPageWasSelected:
    'No Page was selected, or it belongs to a business that was left out. Connect again, choose “Edit settings”, and select the Page, its Instagram account and your business.',
  noPagesFound: 'No Pages found',
  connectWithFacebookAgain: 'Connect with Facebook again',
  somePagesCouldntBe: 'Some Pages couldn’t be connected',
  aPage: 'A Page',
  availablePages: 'Available Pages',
  chooseEditSettingsAnd: ', choose “Edit settings” and select it.',
  goBackToFacebook: 'Go back to Facebook',
  connectPage: 'Connect Page',
  notNow: 'Not now',
  noInstagramAccountLinked: 'No Instagram account linked',
  alreadyConnected: 'Already connected',
} as const;
