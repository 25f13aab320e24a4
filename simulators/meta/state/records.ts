import type {
  AppView,
  LoginFlavour,
  MediaProduct,
  MediaType,
  Platform,
  TokenDeath,
  TokenKind,
} from '../control/types.ts';

/** Everything the simulator remembers, as plain JSON: a snapshot is these records and nothing else. */

export type AppRecord = AppView;

export interface FacebookUser {
  id: string;
  name: string;
  email: string;
  /** Tasks per Page they have a role on. */
  tasks: Record<string, string[]>;
  /** Their choice in the consent dialog; null before the first login. */
  grant: { granted: string[]; declined: string[]; pageIds: string[]; instagramAccountIds: string[] } | null;
}

/** An Instagram professional account or a Facebook Page. */
export interface Account {
  id: string;
  platform: Platform;
  username: string;
  name: string;
  picture: string;
  biography: string;
  website: string;
  followersCount: number;
  followsCount: number;
  /** Oldest first. */
  mediaIds: string[];
  messengerProfile: Record<string, unknown>;
  /** Instagram: the linked Page; Page: the linked Instagram account. */
  linkedId: string | null;
  /** Per-asset webhook subscription made with an Instagram-Login token (Instagram) … */
  instagramLoginFields: string[] | null;
  /** … and with a Page token (Page; it also carries the linked Instagram account's events). */
  pageFields: string[] | null;
  // Instagram only
  /** The other id of `/me`, also used in signed requests; never in webhooks. */
  appScopedId: string;
  /** `self_ig_scoped_id` of the owner's own comments. */
  selfScopedId: string;
  accountType: 'BUSINESS' | 'MEDIA_CREATOR' | 'PERSONAL';
  isPrivate: boolean;
  messageAccess: boolean;
  appRole: 'ok' | 'no_role' | 'no_role_silent';
  // Page only
  businessOwned: boolean;
  policyBlocked: boolean;
}

export interface Person {
  id: string;
  username: string;
  name: string;
  picture: string;
  verified: boolean;
  followersCount: number;
}

/** One person towards one account: relation and conversation. */
export interface Contact {
  accountId: string;
  personId: string;
  /** IGSID or PSID: the person's id in this account's world only. */
  scopedId: string;
  /** `from.id` of their comments; the same unless the switch `commentFromIsScopedId` is off. */
  commentFromId: string;
  follows: boolean;
  followedBy: boolean;
  blocked: boolean;
  /** They wrote or tapped: the account may read their profile. */
  consent: boolean;
  /** Opens the 24-hour window; 0 = never. */
  windowFrom: number;
  folder: 'inbox' | 'requests';
  conversationId: string;
  messageIds: string[];
  updatedAt: number;
}

export interface Media {
  id: string;
  accountId: string;
  product: MediaProduct;
  mediaType: MediaType;
  caption: string;
  picture: string;
  shortcode: string;
  createdAt: number;
  likeCount: number;
  views: number;
  originalMediaId: string | null;
  commentsDisabled: boolean;
  /** Set when a live ends. */
  endedAt: number | null;
  deleted: boolean;
  /** All comments and replies, oldest first. */
  commentIds: string[];
}

export interface Comment {
  id: string;
  mediaId: string;
  accountId: string;
  /** null: the account itself. */
  personId: string | null;
  text: string;
  createdAt: number;
  parentId: string | null;
  adId: string | null;
  hidden: boolean;
  deleted: boolean;
  likeCount: number;
  viaApi: boolean;
  replyIds: string[];
  /** The mid of its one private reply. */
  privateReplyId: string | null;
}

export interface Message {
  id: string;
  accountId: string;
  personId: string;
  from: 'account' | 'person';
  at: number;
  message: Record<string, unknown>;
  privateReply: boolean;
  commentId: string | null;
  storyId: string | null;
  viaApi: boolean;
  deleted: boolean;
  seenAt: number | null;
  reaction: string | null;
  edits: number;
}

export interface Token {
  value: string;
  kind: TokenKind;
  life: 'short' | 'long';
  /** Instagram account, Facebook user or Page. */
  subjectId: string;
  /** Facebook kinds: the person behind it. */
  userId: string | null;
  scopes: string[];
  issuedAt: number;
  /** 0 = never. */
  expiresAt: number;
  death: TokenDeath | null;
  /** Assets granted to a Facebook user token: null = all. */
  pageIds: string[] | null;
  instagramAccountIds: string[] | null;
}

export interface AuthorizationCode {
  code: string;
  flavour: 'instagram' | 'facebook';
  subjectId: string;
  redirectUri: string;
  scopes: string[];
  pageIds: string[];
  instagramAccountIds: string[];
  issuedAt: number;
  used: boolean;
}

/** One thing Meta has to tell about one account. Several may share a POST. */
export interface Update {
  /** Which login's subscription it goes out for; decides shape and secret. */
  flavour: LoginFlavour;
  object: 'instagram' | 'page';
  accountId: string;
  field: string;
  /** Comment id or mid. */
  subjectId: string | null;
  kind: 'changes' | 'messaging';
  /** `entry.time`: seconds for changes, milliseconds for messaging. */
  time: number;
  item: Record<string, unknown>;
}
