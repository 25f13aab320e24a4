import type { AppView, Settings } from '../control/types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DAY_MS = 24 * HOUR;

/** Meta's published figures (reference 4.1) and, where sources disagree, the harsher reading. */
export function defaultSettings(): Settings {
  return {
    limits: {
      lifted: false,
      privateRepliesPerHour: 750, // [D]
      livePrivateRepliesPerSecond: 100, // [D]
      textSendsPerSecond: 100, // [?] one page of Meta's says 100, another 300
      mediaSendsPerSecond: 10, // [D]
      conversationCallsPerSecond: 2, // [D]
      platformCallsPerDay: 4_800_000, // [D] 4800 × impressions; here as if 1000 impressions a day
      publicReplyMaxCharacters: 300, // [R]
    },
    switches: {
      tapInPrivateReplyOpensWindow: true, // [?] reference 3.4
      storyMentionOpensWindow: true, // [C]
      quickRepliesInPrivateReply: true, // [?]
      templatesInPrivateReply: true, // [C]
      mediaInPrivateReply: false, // [?]
      multipleImages: true, // [D] since 2026-05-06
      commentFromIsScopedId: true, // [?]
      instagramNodeOnGraphFacebook: false, // [?]
      exchangeShape: 'flat', // [C]; documented: data
      exchangeUserId: 'number', // [C] a trap for JSON.parse
      exchangePermissions: 'array', // [C]
      meShape: 'flat', // [C]
      instagramEntryShape: 'changes', // [?]
      wrapWebhookInArray: false,
      instagramWebhookSecret: 'instagram', // [?]
      facebookLoginCommentIdKey: 'id', // [?] Meta's sample app reads `id`, docs say `comment_id`
      signatureHeaders: 'both', // [?] whether sha1 is still sent
      echoes: true,
      firstMessageAsEdit: 'no', // [C] apps in development or without Advanced Access
      commentsWithoutReview: 'read', // [D] Advanced Access for webhooks; role accounts of published apps got them [C], empty lists too [C]
      acceptUnknownComments: false,
      loginForBusiness: false,
    },
    webhooks: {
      timeoutMs: 5 * SECOND, // [D] Messenger platform
      // [D] says "immediately, then a few more times at falling frequency"; the figures are ours.
      retryDelaysMs: [
        0,
        10 * SECOND,
        MINUTE,
        5 * MINUTE,
        15 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        4 * HOUR,
        8 * HOUR,
        12 * HOUR,
      ],
      unsubscribeAfterMs: HOUR, // [D]
      alertAfterMs: 15 * MINUTE, // [D]
      giveUpAfterMs: 36 * HOUR, // [D]
      maxBatch: 1,
      maxInFlight: 32,
    },
    ledger: 'full',
    usage: [],
    appUsagePercent: null,
  };
}

export const INSTAGRAM_FIELDS = [
  'comments',
  'live_comments',
  'mentions',
  'messages',
  'message_echoes',
  'messaging_postbacks',
  'messaging_seen',
  'message_reactions',
  'messaging_referral',
  'message_edit',
  'messaging_optins',
  'messaging_handover',
  'standby',
  'story_insights',
];

export const PAGE_FIELDS = [
  'feed',
  'mention',
  'messages',
  'messaging_postbacks',
  'message_deliveries',
  'message_reads',
  'message_echoes',
  'message_reactions',
  'messaging_referrals',
  'messaging_optins',
  'messaging_policy_enforcement',
  'standby',
];

/** A live app with Advanced Access, subscribed to every field, whose numbers look like Meta's. */
export function defaultApp(): AppView {
  return {
    metaAppId: '1410209087654321',
    metaAppSecret: '5f0c1e7a9b3d4c2e8f6a7b1c0d9e8f7a',
    instagramAppId: '2207318871234567',
    instagramAppSecret: 'c3a9e8d7f6b5a4c3d2e1f0a9b8c7d6e5',
    name: 'Creator HQ (simulated)',
    mode: 'live',
    access: 'advanced',
    humanAgent: false,
    verifyToken: 'creator-hq-verify',
    webhookUrl: null,
    redirectUris: [],
    requireAppSecretProof: false,
    deauthorizeUrl: null,
    dataDeletionUrl: null,
    fields: { instagram: [...INSTAGRAM_FIELDS], page: [...PAGE_FIELDS], permissions: ['connected'] },
  };
}
