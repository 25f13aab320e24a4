export const ADMIN_AREA = {
  creators: 'Creators',
  users: 'Users',
  flags: 'Flags',
  operations: 'Operations',
  auditLog: 'Audit log',
  setUpTwoStep: 'Set up two-step login first',
  adminsCanOpenEvery: 'Admins can open every account, so they need two-step login. Turn it on to open the admin area.',
  youDontHaveAccess: 'You don’t have access to the admin area.',
  adminsOnly: 'Admins only',
  goToCreatorHq: 'Go to Creator HQ',
  adminArea: 'Admin area',
} as const;

export const AUDIT_PAGE = {
  auditLog: 'Audit log',
  whatAdminsDid: 'What admins did',
  showEverything: 'Show everything',
  everythingAnAdminDoes: 'Everything an admin does, here or in a creator account, is logged here.',
  noEntries: 'No entries',
} as const;

export const CREATOR_CARD = {
  noOwner: 'No owner',
  none: 'None',
  noAccountsConnected: 'No accounts connected.',
  instagram: 'Instagram',
  facebook: 'Facebook',
  working: 'Working',
  problems: 'Problems',
  enter: 'Enter',
  givePlan: 'Give plan',
  auditLog: 'Audit log',
} as const;

export const CREATORS_PAGE = {
  creators: 'Creators',
  handleOrAnOwners: 'Handle, or an owner’s name or email',
  problems: 'Problems',
  allCreators: 'All creators',
  connectionProblems: 'Connection problems',
  waitingMessages: 'Waiting messages',
  noCreatorsFound: 'No creators found',
  noneOfTheMatching: 'None of the matching creators has this problem.',
  checkTheSpellingOr: 'Check the spelling or try a shorter search.',
} as const;

export const ENTER_DIALOG = {
  for1HourAt: 'For 1 hour at most. Everything you do is in the audit log.',
  enter: 'Enter',
  cancel: 'Cancel',
  reason: 'Reason',
} as const;

export const FLAGS_PAGE = {
  flags: 'Flags',
  openPagesPickUp: 'Open pages pick up a change within a minute.',
  loadingTheFlags: 'Loading the flags',
  couldntLoadTheFlags: 'Couldn’t load the flags',
  oneCreator: 'One creator',
  searchForACreator: 'Search for a creator to set a flag only for them.',
  noCreatorsHaveTheir: 'No creators have their own setting.',
  everyone: 'Everyone',
  on: 'On',
  off: 'Off',
  handleOrAnOwners: 'Handle, or an owner’s name or email',
  searchingCreators: 'Searching creators',
  searchFailed: 'Search failed',
  noCreatorsFound: 'No creators found.',
} as const;

export const GRANT_PLAN_DIALOG = {
  freeOfChargeInstead: 'Free of charge, instead of their current plan. This is in the audit log.',
  loadingThePlans: 'Loading the plans',
  couldntLoadThePlans: 'Couldn’t load the plans',
  givePlan: 'Give plan',
  cancel: 'Cancel',
  plan: 'Plan',
  reason: 'Reason',
} as const;

export const OPERATIONS_PAGE = {
  operations: 'Operations',
  refresh: 'Refresh',
  loadingTheOperations: 'Loading the operations',
  couldntLoadTheOperations: 'Couldn’t load the operations',
  needsAttention: 'Needs attention',
  nothingRightNowWebhooks: 'Nothing right now. Webhooks come in, messages go out, and all jobs succeed.',
  actNow: 'Act now',
  check: 'Check',
  lastMinute: 'Last minute',
  allProcessesTogetherTimes: 'All processes together. Times are the 99th percentile.',
  webhooksReceived: 'Webhooks received',
  acknowledgedWithin: 'Acknowledged within',
  metasDeliveryTime: 'Meta’s delivery time',
  callsToMeta: 'Calls to Meta',
  waiting: 'Waiting',
  acrossAllAccountsMessages: 'Across all accounts. Messages can wait for hours when an account reaches Meta’s limit.',
  events: 'Events',
  eventsParked: 'Events parked',
  emails: 'Emails',
  readerEmails: 'Reader emails',
  outgoingWebhooks: 'Outgoing webhooks',
  notSentInThe: 'Not sent in the last 24 hours',
  byReasonAsCreators: 'By reason, as creators see it.',
  everyMessageWasSent: 'Every message was sent or is still waiting.',
  sendQueues: 'Send queues',
  whatsWaitingAndWhats: 'What’s waiting and what’s paused, by account and message type.',
  nothingIsWaitingOr: 'Nothing is waiting or paused.',
  processes: 'Processes',
  noProcessHasReported: 'No process has reported yet.',
  silent: 'Silent',
  jobs: 'Jobs',
  emailChecks: 'Email server and return path',
  checkStates: { fine: 'OK', waiting: 'Waiting', trouble: 'Check' },
  noJobsScheduled: 'No jobs scheduled.',
} as const;

export const REPORTED_LINKS = {
  title: 'Reported links',
  says: 'Anyone can report a short link at its address with a + behind it. A stopped link says so to who opens it.',
  none: 'No links are reported or stopped.',
  isStopped: 'Stopped',
  allStopped: 'All links stopped',
  of: (code: string, handle: string) => `Link ${code} of @${handle}.`,
  times: (times: number) => (times === 1 ? 'Reported once' : `Reported ${times} times`),
  why: (why: string) => `Reason: ${why}`,
  stop: 'Stop link',
  stopTitle: 'Stop this link?',
  allow: 'Let it work again',
  dismiss: 'Dismiss reports',
  whyLabel: 'Reason',
  whyHint: 'The owner gets it by email.',
  all: (handle: string) => `All links of @${handle}`,
} as const;

export const UNSENT_MAILS = {
  unsentEmails: 'Unsent emails',
  noMailServerIs:
    'No mail server is set up, so emails wait here for 30 days. You can read one and pass it on; that’s noted in the audit log. Once a mail server is set up, emails from the last day are sent.',
  theMailServerHasnt: 'The mail server hasn’t accepted these yet. We keep trying for a day.',
  noEmailsAreWaiting: 'No emails are waiting.',
  read: 'Read',
  hide: 'Hide',
  copyEmail: 'Copy email',
} as const;

export const USERS_PAGE = {
  users: 'Users',
  nameOrEmail: 'Name or email',
  checkTheSpellingOr: 'Check the spelling or try a shorter search.',
  noUsersFound: 'No users found',
  admin: 'Admin',
  emailNotConfirmed: 'Email not confirmed',
} as const;
