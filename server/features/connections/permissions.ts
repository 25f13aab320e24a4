/** Permissions and webhooks we ask Meta for, and those we cannot do without. */

export const INSTAGRAM_LOGIN_SCOPES = [
  'instagram_business_basic',
  'instagram_business_manage_comments',
  'instagram_business_manage_messages',
  'instagram_business_manage_insights',
];

/** Without it stories and posts have no figures of Instagram's; everything else works. */
const GOOD_TO_HAVE = ['instagram_business_manage_insights'];

/** The union of what Meta's pages name for comments, private replies and Pages (reference 1.3). */
export const FACEBOOK_LOGIN_SCOPES = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_manage_metadata',
  'pages_messaging',
  'pages_manage_engagement',
  'pages_read_user_content',
  'instagram_basic',
  'instagram_manage_comments',
  'instagram_manage_messages',
  'instagram_manage_insights',
  // Without it Facebook hides Pages that belong to a business.
  'business_management',
];

/** How an account is connected: which of its tokens speaks, and for what. */
export type Kind = { platform: 'instagram' | 'facebook'; login: 'instagram' | 'facebook' };

const NEEDED_FOR_PAGE = ['pages_show_list', 'pages_read_engagement', 'pages_manage_metadata', 'pages_messaging'];

function neededPermissions({ platform, login }: Kind): string[] {
  if (login === 'instagram') return INSTAGRAM_LOGIN_SCOPES.filter((scope) => !GOOD_TO_HAVE.includes(scope));
  return platform === 'instagram'
    ? [...NEEDED_FOR_PAGE, 'instagram_basic', 'instagram_manage_comments', 'instagram_manage_messages']
    : [...NEEDED_FOR_PAGE, 'pages_manage_engagement', 'pages_read_user_content'];
}

export function missingPermissions(kind: Kind, granted: string[]): string[] {
  return neededPermissions(kind).filter((scope) => !granted.includes(scope));
}

/** Fields to subscribe to. Instagram sends an account every field of the app once it has one (reference 2.1). */
export function wantedWebhooks(login: Kind['login']): string[] {
  return login === 'instagram'
    ? [
        'comments',
        'live_comments',
        'messages',
        'message_edit',
        'message_echoes',
        'messaging_postbacks',
        'messaging_seen',
      ]
    : ['feed', 'messages', 'message_echoes', 'messaging_postbacks', 'message_reads', 'messaging_policy_enforcement'];
}

/** Without these comments or answers are not heard of; the others add convenience. */
export function missingWebhooks({ platform, login }: Kind, subscribed: string[]): string[] {
  // Any one field of the Page brings Instagram's webhooks when the account is connected through it.
  if (login === 'facebook' && platform === 'instagram') return subscribed.length > 0 ? [] : ['feed'];
  const needed =
    login === 'instagram'
      ? ['comments', 'messages', 'messaging_postbacks']
      : ['feed', 'messages', 'messaging_postbacks'];
  return needed.filter((field) => !subscribed.includes(field));
}
