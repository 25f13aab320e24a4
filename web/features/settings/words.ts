import { numerals } from '#web/ui/numerals.ts';

export const ANSWERING_PANEL = {
  untilIResumeThem: 'Until I resume them',
  whenYouReplyYourself: 'When you reply yourself',
  whenYouReplyHere:
    'When you reply here or in the Instagram app, automations pause for that person so they don’t interrupt you.',
  loadingYourChoice: 'Loading your choice',
  couldntLoadYourChoice: 'Couldn’t load your choice',
  pauseAutomationsFor: 'Pause automations for',
} as const;

export const API_KEY_PANEL = {
  apiKey: 'API key',
  theWordpressPluginUses: 'The WordPress plugin uses it to sign in. Treat it like a password.',
  loadingTheApiKey: 'Loading the API key',
  couldntLoadTheApi: 'Couldn’t load the API key',
  copyKey: 'Copy key',
  youDontHaveA:
    'You don’t have a key yet. Press Connect in the WordPress plugin, or create one here and paste it there.',
  replaceKey: 'Replace key',
  createKey: 'Create key',
  supportCannotSeeOr: 'Support cannot see or replace the key; the team can.',
  replaceTheApiKey: 'Replace the API key?',
  theCurrentKeyStops:
    'The current key stops working right away, and so does the WordPress plugin until you paste in the new one.',
  keepKey: 'Keep key',
  startsWith: 'Starts with',
  created: 'Created',
  createdBy: 'Created by',
  lastUsed: 'Last used',
  never: 'Never',
  getPlugin: 'Get plugin',
} as const;

export const CONNECT_SITE = {
  title: 'Connect this blog?',
  asks: (handle: string) =>
    `Its WordPress wants to send saves and new contacts to @${handle}, with an API key of its own.`,
  notYou: 'Support can’t connect a blog; the team can.',
  onlyIf: 'Say yes only if this is your blog and you pressed Connect there just now.',
  replaces: 'Your current API key stops working. A site that still uses it has to connect again.',
  no: 'Not now',
  yes: 'Connect blog',
} as const;

export const SITES = {
  title: 'Your blog',
  description: 'Places that use your API key.',
  loading: 'Loading your blog',
  failed: 'Couldn’t load your blog',
  unnamed: 'A blog without an address',
  states: {
    live: { label: 'Live', says: 'Readers who save here get their email.' },
    away: {
      label: 'Not heard from',
      says: 'The plugin hasn’t called for two days. Check that it’s active in WordPress.',
    },
    ended: {
      label: 'Needs the new key',
      says: 'It still has an old API key. Paste in the new one; saves wait until then.',
    },
    copy: {
      label: 'Copy',
      says: 'It uses the key of your live blog. Saves here are tests: only your team gets email.',
    },
  },
  waiting: (count: number) =>
    count === 1 ? '1 save is waiting there.' : `${count.toLocaleString('en-US')} saves are waiting there.`,
  posts: ({ postsKnown, postsWaiting }: { postsKnown: number; postsWaiting: number | null }) => {
    const known = `${postsKnown.toLocaleString('en-US')} ${postsKnown === 1 ? 'post' : 'posts'} synced`;
    return postsWaiting ? `${known}, ${postsWaiting.toLocaleString('en-US')} to come` : known;
  },
  versions: ({ pluginVersion, wordpressVersion }: { pluginVersion: string | null; wordpressVersion: string | null }) =>
    [pluginVersion && `Plugin ${pluginVersion}`, wordpressVersion && `WordPress ${wordpressVersion}`, 'last heard from']
      .filter(Boolean)
      .join(' · '),
  asks: 'Did your blog move here, or is this a copy, like a staging site?',
  makeLive: 'It moved: make this my live blog',
  isCopy: 'It’s a copy',
  keptAsCopy: 'Kept as a copy',
  remove: 'Remove',
  moved: 'This is your live blog now',
  removed: 'Removed from the list',
} as const;

export const APPEARANCE_PANEL = {
  matchDevice: 'Match device',
  followsYourPhoneOr: 'Follows your phone or computer.',
  light: 'Light',
  alwaysLight: 'Always light.',
  dark: 'Dark',
  alwaysDark: 'Always dark.',
  appearance: 'Appearance',
  savedInThisBrowser: 'Saved in this browser.',
  theme: 'Theme',
} as const;

export const DATA_PANEL = {
  yourMembers: (many: number) =>
    many === 1 ? 'What becomes of your paying member?' : `What becomes of your ${numerals(many)} paying members?`,
  memberWays: {
    leave: {
      label: 'I take them along',
      hint: 'They go on paying into your Stripe account; this Creator HQ no longer takes anything. Download the file of your members first.',
    },
    close: {
      label: 'Close memberships',
      hint: 'Each is canceled for the end of what is paid, and told by email. Your blog lets members in until the account is deleted.',
    },
  },
  downloadYourData: 'Download your data',
  download: 'Download',
  onlyAnOwnerCan: 'Only an owner can download all data.',
  loadingWhetherTheAccount: 'Loading whether the account is to be deleted',
  couldntLoadWhetherThe: 'Couldn’t load whether the account will be deleted',
  onlyAnOwnerCan2: 'Only an owner can delete this creator account.',
  keepAccount: 'Keep account',
  youCanKeepIt: 'You can keep it until then.',
  anOwnerCanKeep: 'An owner can keep it until then.',
  sendingStopsRightAway: 'Sending stops right away.',
  for14DaysYou: 'For 14 days you can change your mind here, and nothing is lost.',
  thenEverythingIsDeleted: 'Then everything is deleted for good: automations, contacts, history and the team’s access.',
  youKeepYourLogin: 'You keep your login and your other creator accounts.',
  deleteThisAccount: 'Delete this account',
} as const;

export const NOTIFICATIONS_PANEL = {
  aConnectionNeedsAttention: 'A connection needs attention',
  whenYouNeedTo:
    'When you need to reconnect an account or a permission is missing, so replies don’t stop without you knowing.',
  aLinkIsBroken: 'A link is broken',
  whenAPageYou: 'When a page you link to stops working, and when it works again.',
  invites: 'Invites',
  whenSomeoneInvitesYou: 'When someone invites you to another creator account.',
  newWebhooksTokensAnd: 'New webhooks, tokens and keys',
  whenSomeoneOnYour: 'When someone on your team adds a webhook or creates an API token or key. Owners only.',
  weeklySummary: 'Weekly summary',
  commentsRepliesAndClicks: 'Comments, replies and clicks, every Monday.',
  emailNotifications: 'Email notifications',
  loadingYourChoices: 'Loading your choices',
  couldntLoadYourChoices: 'Couldn’t load your choices',
  emailsYouWant: 'Emails you want',
} as const;

export const OWN_LATER = {
  theseAreYourPersonal: 'These are your personal settings',
  theyBelongToYour: 'They belong to your login, not to this creator account. Exit admin access mode to change them.',
} as const;

export const PASSWORD_CARD = {
  password: 'Password',
  changingItLogsOut: 'Changing it logs out your other devices.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  atLeast10Characters: 'At least 10 characters. A few words you’ll remember work best.',
} as const;

export const PLAN_PANEL = {
  planAndBilling: 'Plan and billing',
  onlyAnOwnerCan: 'Only an owner can see and change the plan and the billing email.',
  yourPlan: 'Your plan',
  thisAccountHasNo: 'This account has no plan right now.',
  seePlans: 'See plans',
  comparePlans: 'Compare plans',
  freeFromSupport: 'Free, from support',
  billingEmail: 'Billing email',
  thisPlanHasNo: 'This plan has no invoices, so you don’t need a billing email.',
  loadingTheBillingEmail: 'Loading the billing email',
  couldntLoadTheBilling: 'Couldn’t load the billing email',
  saved: 'Saved',
  invoicesNowGoTo: 'Invoices now go to the new address.',
  save: 'Save',
  whereWeSendInvoices: 'Where we send invoices',
} as const;

export const PROFILE_PANEL = {
  you: 'You',
  save: 'Save',
  yourName: 'Your name',
  email: 'Email',
  creatorHandle: 'Creator handle',
  whatAHandleIs: 'The name of this account in Creator HQ, for your team. It doesn’t change your name on Instagram.',
  handleRules:
    '2 to 30 letters, numbers, periods or underscores, not used by anyone else here. Links you already sent keep working; they don’t contain the handle. Your old handle becomes free for others.',
  changeHandle: 'Change handle',
  handleChanged: 'Handle changed',
  onlyAnOwnerCan: 'Only an owner can change it.',
} as const;

export const RETENTION_CARD = {
  activity: 'Activity',
  whoCommentedOrWrote: 'Who commented or wrote, and what was sent. Your figures and charts stay.',
  texts: 'Texts',
  theTextOfComments: 'The text of comments and messages, yours and theirs. Never kept longer than activity.',
  webhookLog: 'Webhook log',
  eventsSentToOther: 'Events sent to other tools, listed under Integrations.',
  dataRetention: 'Data retention',
  olderDataIsDeleted: 'Older data is deleted for good every day. Contacts stay until you erase them.',
  loadingHowLongData: 'Loading how long data is kept',
  couldntLoadTheData: 'Couldn’t load the data retention',
  saved: 'Saved',
  olderDataIsDeleted2: 'Older data is deleted within a day.',
  savingDeletesOlderData: 'Saving deletes older data. This can’t be undone.',
  save: 'Save',
  onlyAnOwnerCan: 'Only an owner can change this.',
} as const;

export const SECOND_FACTOR_CARD = {
  twoStepLogin: 'Two-step login',
  logInWithYour: 'Log in with your password and a code from an app on your phone.',
  on: 'On',
  off: 'Off',
  setUp: 'Set up',
  yourPassword: 'Your password',
  scanThisWithYour: 'Scan this with your authenticator app',
  qrCodeForYour: 'QR code for your authenticator app',
  cantScanItEnter: 'Can’t scan it? Enter this key instead:',
  copyKey: 'Copy key',
  saveTheseBackupCodes: 'Save these backup codes',
  eachOneWorksOnce: 'Each one works once if you lose your phone. They won’t be shown again.',
  copyCodes: 'Copy codes',
  enterTheCodeFrom: 'Enter the code from your app',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  code: 'Code',
  fromYourAuthenticatorApp: 'From your authenticator app, or one of your backup codes.',
} as const;

export const SESSIONS_CARD = {
  loggedOutEverywhereElse: 'Logged out everywhere else',
  whereYoureLoggedIn: 'Where you’re logged in',
  logOutDevicesYou: 'Log out devices you don’t recognize, then change your password.',
  loadingYourSessions: 'Loading your sessions',
  couldntLoadYourSessions: 'Couldn’t load your sessions',
  logOutAllOther: 'Log out all other devices',
  loggedOut: 'Logged out',
  activeNow: 'Active now',
  thisDevice: 'This device',
  logOut: 'Log out',
} as const;

export const SETTINGS_PAGE = {
  settings: 'Settings',
  section: 'Section',
} as const;

export const TIME_ZONE_CARD = {
  timeZoneSaved: 'Time zone saved',
  timeZone: 'Time zone',
  aDayInYour: 'A day in your results starts at midnight here. Past days stay as counted.',
  loadingTheTimeZone: 'Loading the time zone',
  couldntLoadTheTime: 'Couldn’t load the time zone',
} as const;

export const VISITS_PANEL = {
  supportVisits: 'Support visits',
  supportCanEnterFor:
    'Support can enter for an hour at most and has to say why. They can’t connect accounts, erase contacts, or change password, email, team or billing. Owners get an email each time.',
  loadingTheVisits: 'Loading the visits',
  couldntLoadTheVisits: 'Couldn’t load the visits',
  ifSomeoneSignsIn: 'If someone signs in to help, you’ll see who and why here.',
  noSupportVisitsYet: 'No support visits yet',
  signedInNow: 'Signed in now',
} as const;
