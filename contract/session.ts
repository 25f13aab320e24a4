/** Signing up, signing in, and who is signed in. Field names of `me` are the observed product's (spec section 3). */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { STANDINGS } from '#contract/plans.ts';
import { Role } from '#contract/roles.ts';
import { atMost, Id, Timestamp } from '#contract/shapes.ts';

export const Email = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email('Enter an email address like name@example.com.'));
export const NewPassword = z
  .string()
  .check(z.minLength(10, 'Use at least 10 characters.'), z.maxLength(128, 'Use at most 128 characters.'));
/** It stands in invites to strangers: no lines, and nothing that mail programs make a link of. */
const PersonName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter your name.'),
    z.maxLength(100),
    z.regex(/^(?!.*(?:\/\/|www\.))[^\p{Cc}]*$/iu, 'Enter a name, not a link.'),
  );
/** Of the authenticator app, or a backup code. */
const AnyCode = z.string().check(z.trim(), z.minLength(6, 'Enter a code.'), z.maxLength(32));
const OneTimeCode = z.string().check(z.trim(), z.regex(/^\d{6}$/, 'The code has 6 digits.'));

/**
 * Where the links in our mails lead; the screens there pass the token on to `verifyEmail`, `resetPassword`, or to
 * `lookUpInvite` and `signUp`.
 */
export const MAILED_LINKS = {
  confirmEmail: (token: string) => `/creator-hq/verify-email?token=${token}`,
  resetPassword: (token: string) => `/creator-hq/password-reset?token=${token}`,
  /** For an address without an account. */
  inviteToSignUp: (token: string) => `/creator-hq/signup?invite=${token}`,
  /** For an address with one: the invite waits inside. */
  inviteToLogIn: (token: string) => `/creator-hq/login?invite=${token}`,
};

export const Account = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** Has an admin's rights now. */
  isAdmin: z.boolean(),
  /** Is an admin, and has those rights once two-step login is on. Not in the observed product. */
  needsTwoStep: z.boolean(),
  avatarUrl: z.nullable(z.string()),
  twoFactorEnabled: z.boolean(),
});

export const CreatorAccount = z.object({
  _id: Id,
  handle: z.string(),
  instagramAvatarUrl: z.nullable(z.string()),
  facebookAvatarUrl: z.nullable(z.string()),
  instagramFollowersCount: z.nullable(z.number()),
  facebookFollowersCount: z.nullable(z.number()),
  /** Its days begin and end there; null: nobody chose it yet. Not in the observed product. */
  timeZone: z.nullable(z.string()),
  /** An owner asked for its deletion: on this moment, and undone until then. Not in the observed product. */
  deleteAt: z.nullable(Timestamp),
});

export const Subscription = z.object({
  plan: z.object({ name: z.string(), productId: z.string(), price: z.record(z.string(), z.number()) }),
  interval: z.enum(['month', 'year']),
  status: z.enum(['active', 'canceled', 'past_due', 'incomplete', 'incomplete_expired', 'trialing', 'unpaid']),
  cancelAt: z.nullable(Timestamp),
  canceledAt: z.nullable(Timestamp),
  stripeSubscriptionId: z.string(),
  isActive: z.boolean(),
  isFree: z.boolean(),
});

export const TokenKind = z.enum(['FACEBOOK_BUSINESS_USER', 'FACEBOOK_BUSINESS_PAGE', 'INSTAGRAM_BUSINESS_USER']);

/** Health of one kind of token, over all connections that use it; the banners are decided from these. */
export const TokenDetail = z.object({
  rateLimited: z.boolean(),
  pauseWebhooks: z.object({ instagram: z.boolean(), facebook: z.boolean() }),
  missingPermissions: atMost(50, z.string()),
  missingWebhooks: atMost(50, z.string()),
  requiresAuth: z.boolean(),
  needsFacebookUserToken: z.boolean(),
  /** Meta has blocked the Page for its policies. Not in the observed product. */
  policyBlocked: z.boolean(),
});

export const Membership = z.object({
  membershipId: Id,
  displayName: z.string(),
  displayImage: z.nullable(z.string()),
  current: z.boolean(),
});

/** Of one person: nobody joins another team with more than this less what they may own. */
export const MOST_MEMBERSHIPS = 200;

/** Not in the observed product. */
const Billing = z.object({
  /** Whether plans can be paid for here, and whether that is only played. */
  mode: z.enum(['off', 'play', 'real']),
  standing: z.enum(STANDINGS),
  /** Until when that lasts: the end of the plan, of a trial, or of the days after a failed payment. */
  until: z.nullable(Timestamp),
  nextPayment: z.nullable(z.object({ at: Timestamp, cents: z.number() })),
  /** They were told of another price: the first payment that costs so much, where that is not the next one. */
  nextPrice: z.nullable(z.object({ at: Timestamp, cents: z.number() })),
  /** A payment waits: for another card, or for a yes to the bank. */
  payNeeded: z.nullable(z.enum(['card', 'bank_confirmation'])),
  /** When it is asked for again by itself. */
  retryAt: z.nullable(Timestamp),
  /** What the plan changes to, and when. */
  nextPlan: z.nullable(z.object({ name: z.string(), interval: z.enum(['month', 'year']), at: Timestamp })),
  /** Until then ending the plan gives back what was paid for it. */
  refundUntil: z.nullable(Timestamp),
  /** Of the free plan's followers. */
  limit: z.object({
    /** At their pace they pass it then. */
    forecastOn: z.nullable(z.iso.date()),
    isOver: z.boolean(),
    /** Until then all goes on; null while nobody could be told. */
    graceUntil: z.nullable(Timestamp),
    /** Nothing new is answered. */
    isLimited: z.boolean(),
  }),
  /** A plan with a trial begins with it. */
  mayTry: z.boolean(),
});

export const Me = z.object({
  account: Account,
  creatorAccount: z.nullable(CreatorAccount),
  subscription: z.nullable(Subscription),
  billing: z.nullable(Billing),
  tokenDetails: z.partialRecord(TokenKind, TokenDetail),
  memberships: atMost(MOST_MEMBERSHIPS, Membership),
  currentMembership: z.nullable(Membership),
  intercomUserHash: z.nullable(z.string()),
  /** Permissions of the caller in `creatorAccount`; null without one. Not in the observed product. */
  role: z.nullable(Role),
  /** Set while an admin is inside somebody's account. Not in the observed product. */
  adminAccess: z.nullable(z.object({ until: Timestamp, reason: z.string() })),
  /** How many waiting messages and until when, for the banner. Not in the observed product. */
  queue: z.nullable(z.object({ waiting: z.number(), doneAt: z.nullable(Timestamp) })),
  /** Names of newsletter tools that do not take our calls any more, for the banner. Not in the observed product. */
  toolsToReconnect: atMost(2, z.string()),
  /** The creator's own mail server takes no emails, and needs an owner, for the banner. Not in the observed product. */
  mailServerFails: z.boolean(),
});
export type Me = z.infer<typeof Me>;

/** Facts the browser needs before anybody is signed in. */
export const getEnv = endpoint({
  method: 'GET',
  path: '/env',
  access: 'public',
  summary: 'Runtime settings of the web app',
  response: z.object({
    baseUrl: z.string(),
    environment: z.string(),
    featureFlagClientId: z.nullable(z.string()),
    errorReportingDsn: z.nullable(z.string()),
    /** Simulators stand in for Meta: the demo creator may be entered, the phone is at `phoneUrl`. */
    simulated: z.boolean(),
    phoneUrl: z.nullable(z.string()),
    blogUrl: z.nullable(z.string()),
    mailboxUrl: z.nullable(z.string()),
    /** Who may create an account: everybody, whoever has an invite, or nobody. */
    signUp: z.enum(['open', 'invited', 'closed']),
    /** Plans can be paid for here. */
    hasPlans: z.boolean(),
    /** Third parties of the page; null switches each off. */
    intercomAppId: z.nullable(z.string()),
    tagManagerId: z.nullable(z.string()),
    referralProgrammeUrl: z.nullable(z.string()),
    helpDocsUrl: z.string(),
    /** Readers can be members of creators here. */
    hasFans: z.boolean(),
    pluginDownloadUrl: z.string(),
    /** Which of Meta's two logins are set up. */
    logins: z.object({ instagram: z.boolean(), facebook: z.boolean() }),
  }),
});

export const getMe = endpoint({
  method: 'GET',
  path: '/auth/me',
  access: 'user',
  summary: 'The current user with their creator, plan and flags',
  response: Me,
});

export const logout = endpoint({
  method: 'GET',
  path: '/auth/logout',
  access: 'public',
  summary: 'Log out',
  response: z.object({ message: z.string() }),
});

export const signUp = endpoint({
  method: 'POST',
  path: '/auth/signup',
  access: 'public',
  summary: 'Create an account; sends a confirmation email',
  body: z.object({
    name: PersonName,
    email: Email,
    password: NewPassword,
    /** Of the link in an invitation: with the same address it counts as confirmed. Needed where signing up is not open. */
    inviteToken: z.optional(z.string().check(z.maxLength(200))),
  }),
  /** `signedIn`: the address is confirmed already and a session began; else a confirmation went out by mail. */
  response: z.object({ message: z.string(), signedIn: z.boolean() }),
  errors: ['invalid_input', 'not_allowed'],
});

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  summary: 'Log in with email and password',
  body: z.object({
    email: Email,
    password: z.string().check(z.minLength(1, 'Enter your password.'), z.maxLength(128)),
  }),
  /** `secondFactorNeeded`: no session yet, go on with `loginSecondFactor`. */
  response: z.object({ secondFactorNeeded: z.boolean() }),
  errors: ['invalid_input', 'wrong_credentials', 'email_not_verified'],
});

export const loginSecondFactor = endpoint({
  method: 'POST',
  path: '/auth/login/second-factor',
  access: 'public',
  summary: 'Finish logging in with a code from the authenticator app or a backup code',
  body: z.object({
    code: AnyCode,
    trustDevice: z.optional(z.boolean()),
  }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'wrong_credentials'],
});

export const loginDemo = endpoint({
  method: 'POST',
  path: '/auth/login/demo',
  access: 'public',
  summary: 'Log in as the demo creator; only while simulators are on',
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const sendVerification = endpoint({
  method: 'POST',
  path: '/auth/verification',
  access: 'public',
  summary: 'Resend the confirmation email; the response is the same whether the address is known or not',
  body: z.object({ email: Email }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verification/confirm',
  access: 'public',
  summary: 'Confirm an email address with the token from the email; logs you in',
  body: z.object({
    token: z.string().check(z.minLength(1), z.maxLength(2000)),
    /** Needed in another browser than the one that signed up. */
    password: z.optional(z.string().check(z.maxLength(128))),
  }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'link_expired', 'wrong_credentials'],
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/password/forgot',
  access: 'public',
  summary: 'Send a password reset link; the response is the same whether the address is known or not',
  body: z.object({ email: Email }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input'],
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/password/reset',
  access: 'public',
  summary: 'Set a new password with the token from the email; logs you out everywhere',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)), password: NewPassword }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'link_expired'],
});

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/account/profile',
  access: 'user',
  ownAccount: true,
  summary: 'Change your name',
  body: z.object({ name: PersonName }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input'],
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/account/password',
  access: 'user',
  ownAccount: true,
  summary: 'Change your password; logs out your other devices',
  body: z.object({ currentPassword: z.string().check(z.maxLength(128)), newPassword: NewPassword }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'wrong_credentials'],
});

export const startSecondFactor = endpoint({
  method: 'POST',
  path: '/account/second-factor',
  access: 'user',
  ownAccount: true,
  summary: 'Start setting up an authenticator app',
  body: z.object({ password: z.string().check(z.maxLength(128)) }),
  response: z.object({ totpUri: z.string(), backupCodes: atMost(20, z.string()) }),
  errors: ['invalid_input', 'wrong_credentials'],
});

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/account/second-factor/confirm',
  access: 'user',
  ownAccount: true,
  summary: 'Turn on two-step login by entering a first code; logs out your other devices',
  body: z.object({ code: OneTimeCode }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'wrong_credentials'],
});

export const removeSecondFactor = endpoint({
  method: 'POST',
  path: '/account/second-factor/remove',
  access: 'user',
  ownAccount: true,
  summary: 'Turn off two-step login; logs out your other devices',
  body: z.object({ password: z.string().check(z.maxLength(128)), code: AnyCode }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'wrong_credentials'],
});
