/**
 * Types of the control API. `accountId` is always an Instagram professional account id or a Page id, `mediaId` an Instagram
 * media id, a story or live id, or a Page post id; `personId` names a follower across all accounts (their scoped ids differ per account,
 * as Meta's do). Instants are milliseconds of the simulator's clock unless a name says otherwise.
 */

export type Platform = 'instagram' | 'facebook';
export type LoginFlavour = 'instagram' | 'facebook';
export type TokenKind = 'INSTAGRAM_BUSINESS_USER' | 'FACEBOOK_BUSINESS_USER' | 'FACEBOOK_BUSINESS_PAGE';
export type MediaProduct = 'FEED' | 'REELS' | 'STORY' | 'LIVE' | 'AD';
export type MediaType = 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';

// --- Set-up ---------------------------------------------------------------------------------------------------------------------------

export interface AppView {
  metaAppId: string;
  metaAppSecret: string;
  instagramAppId: string;
  instagramAppSecret: string;
  name: string;
  /** Only a live app gets webhooks (the dashboard's test button excepted). */
  mode: 'live' | 'dev';
  /** `standard`: only accounts and people with a role on the app work. */
  access: 'advanced' | 'standard';
  humanAgent: boolean;
  verifyToken: string;
  webhookUrl: string | null;
  /** Registered redirect URIs, compared exactly; empty = any is accepted. */
  redirectUris: string[];
  requireAppSecretProof: boolean;
  deauthorizeUrl: string | null;
  dataDeletionUrl: string | null;
  /** Fields the app is subscribed to, per webhook object. */
  fields: { instagram: string[]; page: string[]; permissions: string[] };
}

export interface SeedPersonInput {
  id?: string;
  username?: string;
  name?: string;
  /** Path under the simulator (`/pictures/…`) or absolute URL. */
  picture?: string;
  verified?: boolean;
  followersCount?: number;
}

export interface SeedPostInput {
  accountId: string;
  id?: string;
  product?: MediaProduct;
  mediaType?: MediaType;
  caption?: string;
  /** Path under the simulator (`/pictures/…`), made absolute when read, so that it survives a port change. */
  picture?: string;
  createdAt?: number;
  likeCount?: number;
  /** For ads: the boosted post. */
  originalMediaId?: string;
  commentsDisabled?: boolean;
  views?: number;
}

export interface SeedInstagramInput {
  id?: string;
  username?: string;
  name?: string;
  accountType?: 'BUSINESS' | 'MEDIA_CREATOR' | 'PERSONAL';
  picture?: string;
  biography?: string;
  website?: string;
  followersCount?: number;
  followsCount?: number;
  isPrivate?: boolean;
  /** "Connected tools > Allow access to messages"; false answers sends with 200/2534041. */
  messageAccess?: boolean;
  /** `no_role`: the dialog refuses; `no_role_silent`: login works, then every call answers 100 IGApiException. */
  appRole?: 'ok' | 'no_role' | 'no_role_silent';
  pageId?: string;
}

export interface SeedPageInput {
  id?: string;
  name?: string;
  picture?: string;
  followersCount?: number;
  /** Hidden from /me/accounts without `business_management`. */
  businessOwned?: boolean;
  instagramAccountId?: string;
}

export interface SeedFacebookUserInput {
  id?: string;
  name?: string;
  email?: string;
  pages?: { pageId: string; tasks?: string[] }[];
}

export interface SeedCreatorInput {
  username?: string;
  name?: string;
  accountType?: 'BUSINESS' | 'MEDIA_CREATOR' | 'PERSONAL';
  picture?: string;
  followersCount?: number;
  businessOwned?: boolean;
  /** How many followers to make (default 3), or who they are; people who exist already are reused by `id`. */
  followers?: number | SeedPersonInput[];
  /** How many posts to make (default 3), or which. The newest is last. */
  posts?: number | Omit<SeedPostInput, 'accountId'>[];
  /** How many posts the Facebook Page gets (default 1). */
  pagePosts?: number | Omit<SeedPostInput, 'accountId'>[];
  /** Which per-asset webhook subscriptions are already active (default none: the product makes its own). */
  subscribed?: LoginFlavour[];
}

export interface SeededPerson {
  personId: string;
  username: string;
  name: string;
  /** Instagram-scoped id towards the creator's account. */
  igsid: string;
  /** Page-scoped id towards the creator's Page. */
  psid: string;
}

export interface SeededCreator {
  facebookUserId: string;
  pageId: string;
  pageName: string;
  instagramAccountId: string;
  instagramAppScopedId: string;
  username: string;
  followers: SeededPerson[];
  posts: { mediaId: string; permalink: string; caption: string }[];
  pagePosts: { mediaId: string; caption: string }[];
  /** Long-lived tokens with all scopes, for tests that insert a connection directly. */
  tokens: { instagram: IssuedToken; facebookUser: IssuedToken; page: IssuedToken };
}

export interface IssueTokenInput {
  kind: TokenKind;
  /** Instagram account id, Facebook user id or Page id. */
  subjectId: string;
  /** Default: every scope of the kind's family. */
  scopes?: string[];
  /** Default `long`: 60 days (Page: never). `short`: 1 hour. */
  life?: 'short' | 'long';
  issuedAt?: number;
  /** For a Page token: the person it was derived from. Default: the first with a role on the Page. */
  facebookUserId?: string;
}

export interface IssuedToken {
  token: string;
  kind: TokenKind;
  subjectId: string;
  scopes: string[];
  issuedAt: number;
  /** 0 = never. */
  expiresAt: number;
}

/** How a token dies: the 190 subcodes of the reference's error table. */
export type TokenDeath =
  | 'expired'
  | 'app_removed'
  | 'password_changed'
  | 'checkpoint'
  | 'role_lost'
  | 'invalid'
  | 'unconfirmed';

export interface KillTokensInput {
  /** One token, or every token whose subject (account, Page or Facebook user) this is. */
  token?: string;
  subjectId?: string;
  reason: TokenDeath;
}

export interface AuthorizeInput {
  /** The dialog's address as the product built it (any host). */
  dialogUrl: string;
  /** Who sits in front of the dialog: Instagram account id or Facebook user id. */
  as: string;
  decision?: 'allow' | 'deny';
  /** Scopes the person unticks. */
  declinedScopes?: string[];
  /** Facebook Login: which Pages and Instagram accounts they tick (default all). */
  pageIds?: string[];
  instagramAccountIds?: string[];
}

// --- What people do ---------------------------------------------------------------------------------------------------------------------

export interface CommentInput {
  mediaId: string;
  /** A follower, or `owner` for the account itself. */
  personId: string;
  text: string;
  parentId?: string;
  adId?: string;
  /** false: no webhook (a comment that Meta filters; found by polling only). Default true. */
  notify?: boolean;
  /** Milliseconds of the simulator's clock; default now. */
  createdAt?: number;
}

export interface CommentView {
  commentId: string;
  mediaId: string;
  accountId: string;
  /** null: the account itself. */
  personId: string | null;
  username: string;
  name: string;
  text: string;
  createdAt: number;
  parentId: string | null;
  hidden: boolean;
  deleted: boolean;
  likeCount: number;
  live: boolean;
  privatelyReplied: boolean;
  /** Written by the product through the API. */
  viaApi: boolean;
  picture: string;
  replies: CommentView[];
}

export interface DirectMessageInput {
  accountId: string;
  personId: string;
  text?: string;
  attachments?: MessageAttachment[];
  replyToMessageId?: string;
  quickReplyPayload?: string;
}

export type MessageAttachment =
  | { type: 'image' | 'video' | 'audio' | 'file'; url: string }
  | { type: 'ig_post' | 'ig_reel'; mediaId: string }
  | { type: 'ephemeral' }
  | { type: 'unsupported' };

export interface TapInput {
  personId: string;
  messageId: string;
  /** Index, payload or title of a button or quick reply of that message. */
  button: number | string;
}

export interface TapResult {
  kind: 'web_url' | 'postback' | 'quick_reply';
  /** For web_url: where the phone should go. */
  url?: string;
  payload?: string;
}

export interface MessageView {
  messageId: string;
  from: 'account' | 'person';
  at: number;
  /** The message object as it was sent over the Send API, or its likeness for inbound ones. */
  message: Record<string, unknown>;
  text: string;
  buttons: { kind: 'web_url' | 'postback' | 'quick_reply'; title: string; url?: string; payload?: string }[];
  privateReply: boolean;
  commentId: string | null;
  storyId: string | null;
  viaApi: boolean;
  deleted: boolean;
  seenAt: number | null;
  reaction: string | null;
}

export interface ThreadView {
  accountId: string;
  platform: Platform;
  accountName: string;
  accountUsername: string;
  accountPicture: string;
  personId: string;
  scopedId: string;
  conversationId: string;
  /** Where it lands: `requests` when the person does not follow and never answered. */
  folder: 'inbox' | 'requests';
  unread: number;
  /** Until when the account may write freely; null when closed. */
  windowOpenUntil: number | null;
  updatedAt: number;
  /** Oldest first. */
  messages: MessageView[];
}

export interface PostView {
  mediaId: string;
  accountId: string;
  platform: Platform;
  product: MediaProduct;
  mediaType: MediaType;
  caption: string;
  pictureUrl: string;
  permalink: string;
  createdAt: number;
  likeCount: number;
  commentsCount: number;
  /** Stories past 24 h and ended lives. */
  closed: boolean;
}

export interface AccountView {
  accountId: string;
  platform: Platform;
  username: string;
  name: string;
  pictureUrl: string;
  followersCount: number;
  mediaCount: number;
  biography: string;
  /** Instagram: the linked Page; Page: itself. */
  pageId: string | null;
  accountType: string;
  subscribed: { instagramLogin: string[] | null; facebookLogin: string[] | null };
}

export interface PersonView {
  personId: string;
  username: string;
  name: string;
  pictureUrl: string;
  relations: {
    accountId: string;
    scopedId: string;
    follows: boolean;
    followedBy: boolean;
    blocked: boolean;
    consent: boolean;
  }[];
}

export interface RelationPatch {
  follows?: boolean;
  followedBy?: boolean;
  blocked?: boolean;
  consent?: boolean;
  /** `inbox`: the person accepted a message request without answering it. */
  folder?: 'inbox' | 'requests';
}

// --- Faults -------------------------------------------------------------------------------------------------------------------------------

export interface FaultMatch {
  /** See `Operation`; e.g. `private_reply`, `message`, `comment_reply`, `media_list`. Absent = any Graph call. */
  operation?: Operation | Operation[];
  accountId?: string;
  /** Scoped id the call addresses. */
  recipientId?: string;
  personId?: string;
  commentId?: string;
  /** Webhook faults only: `comments`, `messages`, `message_echoes`, `feed`, … */
  field?: string;
}

export type FaultAction =
  /** A Graph error; `afterEffect`: the message was delivered all the same. Any row of the reference's table 4.3. */
  | { kind: 'error'; code: number; subcode?: number; message?: string; httpStatus?: number; afterEffect?: boolean }
  /** 1/1357046: sent, answer garbled. */
  | { kind: 'success_but_error' }
  /** 80002 (or another code) with x-business-use-case-usage naming the minutes to wait. */
  | { kind: 'rate_limited'; code?: number; subcode?: number; regainMinutes: number }
  | { kind: 'reset'; when: 'before' | 'after' }
  /** Wall-clock delay of the answer; the effect happens before or after the delay. */
  | { kind: 'slow'; delayMs: number; when?: 'before' | 'after' }
  /** Never answers. */
  | { kind: 'hang'; when: 'before' | 'after' }
  | { kind: 'no_message_id' }
  | { kind: 'html'; status?: number; when?: 'before' | 'after' }
  | { kind: 'garbled'; when?: 'before' | 'after' }
  /** The echo webhook is delivered and acknowledged before the send call is answered. */
  | { kind: 'echo_first' }
  | { kind: 'webhook_duplicate'; copies?: number }
  | { kind: 'webhook_delay'; delayMs: number }
  | { kind: 'webhook_drop' }
  /** Held back until the next update of the same account has been delivered. */
  | { kind: 'webhook_reorder' };

export interface FaultInput {
  match?: FaultMatch;
  action: FaultAction;
  /** How many matching calls it hits (default 1); 0 = until removed. */
  times?: number;
  /** Or: for how long on the simulator's clock (e.g. 1893063 for 30 minutes). */
  forMs?: number;
  /** Chance per matching call, from the seed (default 1). */
  probability?: number;
}

export interface FaultView extends FaultInput {
  faultId: string;
  hits: number;
}

// --- Settings -----------------------------------------------------------------------------------------------------------------------------

export interface Limits {
  /** true: no limit of rate is enforced and no usage headers are counted (benchmarks). */
  lifted: boolean;
  privateRepliesPerHour: number;
  livePrivateRepliesPerSecond: number;
  textSendsPerSecond: number;
  mediaSendsPerSecond: number;
  conversationCallsPerSecond: number;
  /** Non-messaging calls per account and rolling 24 hours. */
  platformCallsPerDay: number;
  /** Length of a public reply on Instagram (Meta's figure is unpublished). */
  publicReplyMaxCharacters: number;
}

export interface Switches {
  tapInPrivateReplyOpensWindow: boolean;
  storyMentionOpensWindow: boolean;
  quickRepliesInPrivateReply: boolean;
  templatesInPrivateReply: boolean;
  mediaInPrivateReply: boolean;
  multipleImages: boolean;
  /** Whether `from.id` of a comment is the IGSID of the later conversation. */
  commentFromIsScopedId: boolean;
  /** `/{ig-id}/messages` on graph.facebook.com. */
  instagramNodeOnGraphFacebook: boolean;
  exchangeShape: 'flat' | 'data';
  exchangeUserId: 'number' | 'string';
  exchangePermissions: 'array' | 'csv';
  meShape: 'flat' | 'data';
  /** `changes[]`, or `field` and `value` directly in the entry (Instagram Login only). */
  instagramEntryShape: 'changes' | 'flat';
  wrapWebhookInArray: boolean;
  /** Which secret signs Instagram-Login webhooks and signed requests. */
  instagramWebhookSecret: 'instagram' | 'meta';
  facebookLoginCommentIdKey: 'id' | 'comment_id';
  signatureHeaders: 'both' | 'sha256';
  echoes: boolean;
  /** The first message of somebody on Instagram comes as `message_edit` with `num_edit` 0, without its sender or with [C]. */
  firstMessageAsEdit: 'no' | 'without_sender' | 'with_sender';
  /** The comments an app with Standard Access gets: lists alone, webhooks too, or nothing but their number (`comments_count`) [?]. */
  commentsWithoutReview: 'read' | 'sent_and_read' | 'none';
  /** Messages for comments the simulator has never seen (benchmarks feed webhooks themselves). */
  acceptUnknownComments: boolean;
  /** The app has Facebook Login for Business: its dialog takes `config_id` and refuses `scope` and `auth_type=rerequest`. */
  loginForBusiness: boolean;
}

export interface WebhookSettings {
  /** Wall clock; Meta's is 5,000. */
  timeoutMs: number;
  /** Waits after each failed attempt on the simulator's clock. */
  retryDelaysMs: number[];
  /** Messaging updates: failing for so long unsubscribes the account. */
  unsubscribeAfterMs: number;
  alertAfterMs: number;
  /** Other updates are dropped after so long. */
  giveUpAfterMs: number;
  /** Up to how many waiting updates share one POST (Meta: up to 1000, not guaranteed). */
  maxBatch: number;
  maxInFlight: number;
}

export interface UsageOverride {
  accountId: string;
  type: 'instagram' | 'messenger' | 'pages';
  percent: number;
  regainMinutes?: number;
}

export interface Settings {
  limits: Limits;
  switches: Switches;
  webhooks: WebhookSettings;
  ledger: LedgerMode;
  /** Figures shown in usage headers instead of the counted ones; at 100 the calls are refused (80002 / 80006 / 80001). */
  usage: UsageOverride[];
  appUsagePercent: number | null;
}

export interface SettingsPatch {
  limits?: Partial<Limits>;
  switches?: Partial<Switches>;
  webhooks?: Partial<WebhookSettings>;
  ledger?: LedgerMode;
  usage?: UsageOverride[];
  appUsagePercent?: number | null;
}

// --- Ledger -----------------------------------------------------------------------------------------------------------------------------

/** `full`: every call; `compact`: counters and deliveries per comment only. */
export type LedgerMode = 'full' | 'compact';

export type Operation =
  | 'private_reply'
  | 'message'
  | 'sender_action'
  | 'comment_reply'
  | 'comment_hide'
  | 'comment_delete'
  | 'comment_read'
  | 'comment_list'
  | 'reply_list'
  | 'comment_like'
  | 'media_list'
  | 'media_read'
  | 'story_list'
  | 'live_list'
  | 'insights'
  | 'me'
  | 'account_read'
  | 'page_read'
  | 'page_list'
  | 'permissions'
  | 'permission_delete'
  | 'profile_read'
  | 'conversation_list'
  | 'conversation_read'
  | 'message_read'
  | 'subscribe'
  | 'unsubscribe'
  | 'subscription_read'
  | 'app_subscription'
  | 'messenger_profile'
  | 'debug_token'
  | 'code_exchange'
  | 'token_exchange'
  | 'token_refresh'
  | 'unimplemented';

export interface GraphLedgerEntry {
  seq: number;
  kind: 'graph';
  /** Simulator's clock. */
  at: number;
  operation: Operation;
  flavour: LoginFlavour;
  method: string;
  path: string;
  accountId: string | null;
  commentId: string | null;
  recipientId: string | null;
  personId: string | null;
  messageId: string | null;
  text: string | null;
  status: number;
  errorCode: number | null;
  errorSubcode: number | null;
  /** Whether the follower really got a message (or the post really got the reply), whatever the caller was told. */
  delivered: boolean;
  /** `answered`, or what became of the answer instead. */
  answer: 'answered' | 'reset' | 'hung';
  fault: string | null;
}

export interface WebhookLedgerEntry {
  seq: number;
  kind: 'webhook';
  at: number;
  flavour: LoginFlavour;
  accountId: string | null;
  field: string;
  /** Comment id or mid of the (first) update. */
  subjectId: string | null;
  updates: number;
  attempt: number;
  outcome:
    | 'ok'
    | 'status'
    | 'timeout'
    | 'connection'
    | 'handshake_failed'
    | 'dropped'
    | 'gave_up'
    | 'unsubscribed'
    | 'alert'
    | 'test';
  status: number | null;
}

export type LedgerEntry = GraphLedgerEntry | WebhookLedgerEntry;

export interface LedgerQuery {
  kind?: 'graph' | 'webhook';
  operation?: Operation;
  accountId?: string;
  commentId?: string;
  recipientId?: string;
  delivered?: boolean;
  /** Only entries with a greater `seq`. */
  after?: number;
  limit?: number;
}

export interface LedgerSummary {
  graphCalls: number;
  byOperation: Record<string, number>;
  errors: Record<string, number>;
  privateRepliesDelivered: number;
  messagesDelivered: number;
  commentRepliesDelivered: number;
  webhookAttempts: number;
  webhookAcked: number;
  webhookFailed: number;
  /** Comments whose writer got more than one private reply, or more than one public reply through the API. Always empty at Meta for the first. */
  doubledPrivateReplies: string[];
  doubledCommentReplies: string[];
}

/** The outcome of one comment, from the ledger's point of view; present in both ledger modes. */
export interface CommentDeliveries {
  commentId: string;
  privateReplies: number;
  publicReplies: number;
  /** Simulator's clock at the first delivered private reply. */
  firstPrivateReplyAt: number | null;
}

/** One call of the control API, as `POST /batch` takes them. */
export interface BatchCall {
  method: string;
  /** After `/control`. */
  path: string;
  body?: unknown;
}

export interface StreamEvent {
  type:
    | 'comment'
    | 'comment_changed'
    | 'message'
    | 'message_changed'
    | 'post'
    | 'person'
    | 'account'
    | 'clock'
    | 'reset';
  at: number;
  accountId?: string;
  personId?: string;
  mediaId?: string;
  commentId?: string;
  messageId?: string;
}
