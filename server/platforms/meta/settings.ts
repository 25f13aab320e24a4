/** The Meta app of this installation, and how fast it may call. */
import type { SettingsReader } from '#server/settings-reader.ts';

export type MetaSettings = ReturnType<typeof readMetaSettings>;

export function readMetaSettings(read: SettingsReader) {
  return {
    meta: {
      appId: read.text('META_APP_ID'),
      appSecret: read.text('META_APP_SECRET'),
      verifyToken: read.text('META_VERIFY_TOKEN'),
      instagramAppId: read.text('INSTAGRAM_APP_ID'),
      instagramAppSecret: read.text('INSTAGRAM_APP_SECRET'),
      /** A configuration of Facebook Login for Business: it names the permissions in place of a list of ours. */
      loginConfigId: read.text('META_LOGIN_CONFIG_ID'),
      /** Secrets Meta may still sign with while one is changed. */
      oldAppSecrets: (read.text('META_OLD_APP_SECRETS') ?? '').split(/[\s,]+/).filter((secret) => secret !== ''),
      graphVersion: read.matching('META_GRAPH_VERSION', 'v27.0', /^v\d+\.\d+$/, 'Write it like v27.0.'),
      graphUrl: read.webAddress('META_GRAPH_URL', 'https://graph.facebook.com'),
      dialogUrl: read.webAddress('META_DIALOG_URL', 'https://www.facebook.com'),
      instagramGraphUrl: read.webAddress('INSTAGRAM_GRAPH_URL', 'https://graph.instagram.com'),
      instagramApiUrl: read.webAddress('INSTAGRAM_API_URL', 'https://api.instagram.com'),
      instagramDialogUrl: read.webAddress('INSTAGRAM_DIALOG_URL', 'https://www.instagram.com'),
    },
    /** Meta allows this app a person's own answer for seven days (the Human Agent permission). */
    metaHumanAgent: read.onOff('META_HUMAN_AGENT', false),
    limits: {
      privateRepliesPerHour: read.integer('PRIVATE_REPLIES_PER_HOUR', 750, 1, 100_000_000),
      publicRepliesPerHour: read.integer('PUBLIC_REPLIES_PER_HOUR', 750, 1, 100_000_000),
      messagesPerSecond: read.integer('MESSAGES_PER_SECOND', 100, 1, 100_000),
    },
  };
}

export function isMetaSet({ meta }: MetaSettings): boolean {
  return meta.appId !== null || meta.instagramAppId !== null;
}

/** Settings an app needs before Meta can call it. */
export function requireMetaSecrets(read: SettingsReader, { meta }: MetaSettings): void {
  read.pair('META_APP_ID', 'META_APP_SECRET', 'It stands in the Meta app dashboard under Settings > Basic.');
  read.pair(
    'INSTAGRAM_APP_ID',
    'INSTAGRAM_APP_SECRET',
    'It stands in the Meta app dashboard under Instagram > API setup with Instagram login.',
  );
  if (meta.verifyToken === null) {
    read.refuse(
      'META_VERIFY_TOKEN',
      'is missing, so Meta cannot confirm the webhook address.',
      'Choose any long random text and enter the same one in the Meta app dashboard under Webhooks.',
    );
  }
}
