/** The two families never mix: asking for both in one dialog gives "Invalid Scopes". */
export const INSTAGRAM_SCOPES = [
  'instagram_business_basic',
  'instagram_business_manage_messages',
  'instagram_business_manage_comments',
  'instagram_business_content_publish',
  'instagram_business_manage_insights', // [C]
];

export const FACEBOOK_SCOPES = [
  'public_profile',
  'email',
  'business_management',
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_metadata',
  'pages_manage_engagement',
  'pages_messaging',
  'instagram_basic',
  'instagram_manage_comments',
  'instagram_manage_messages',
  'instagram_manage_insights',
  'instagram_manage_engagement', // [D] 2026-04-22, likes
  'ads_management',
  'ads_read',
];

export function splitScopes(text: string): string[] {
  return text.split(/[\s,]+/).filter((scope) => scope !== '');
}
