/**
 * Who asks for an address, read from the string that browsers and programs send with every request: a person, the preview of a
 * chat, or a robot; and for a person, the app they are in and their phone's system. The one table of these rules.
 */

/** Apps that open pages in a browser of their own; `other`: one that we do not know by name. */
export const IN_APP_BROWSERS = [
  'instagram',
  'facebook',
  'messenger',
  'threads',
  'tiktok',
  'snapchat',
  'x',
  'linkedin',
  'line',
  'telegram',
  'pinterest',
  'other',
] as const;
export type InAppBrowser = (typeof IN_APP_BROWSERS)[number];

/** As they stand in a sentence. */
export const APP_NAMES: Record<InAppBrowser, string> = {
  ...{ instagram: 'Instagram', facebook: 'Facebook', messenger: 'Messenger', threads: 'Threads', tiktok: 'TikTok' },
  ...{ snapchat: 'Snapchat', x: 'X', linkedin: 'LinkedIn', line: 'LINE', telegram: 'Telegram', pinterest: 'Pinterest' },
  other: 'this app',
};

export const PHONE_SYSTEMS = ['ios', 'android'] as const;
export type PhoneSystem = (typeof PHONE_SYSTEMS)[number];

export type Agent = {
  who: 'person' | 'previewer' | 'bot';
  /** Null: an ordinary browser. */
  app: InAppBrowser | null;
  /** Null: a desktop, or an iPad that says it is one. */
  system: PhoneSystem | null;
};

/** Fetch a page to show a card of it in a chat. */
const PREVIEWERS =
  /facebookexternalhit|facebookcatalog|facebot|meta-external|whatsapp|twitterbot|slackbot|slack-imgproxy|discordbot|telegrambot|linkedinbot|pinterestbot|pinterest\/0\.|skypeuripreview|viber|redditbot|applebot|embedly|iframely|snapchat url preview|bitlybot|vkshare|kakaotalk-scrap|line-poker|cardyb|mastodon\/|synapse\/|mattermost|microsoftpreview/i;
/** Cubot is a maker of phones, and Baidu has an app, too. Only programs print an address about themselves. */
const BOTS =
  /(?<!\bcu)bot\b|crawl|spider|slurp|scan|monitor|uptime|preview|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|googleother|google-(?:inspectiontool|read-aloud|safety|adwords|site-verification|pagerenderer)|googleimageproxy|feedfetcher|bingpreview|yandex(?!search)|compatible; baidu|ahrefs|semrush|gptbot|chatgpt-user|oai-search|claudebot|claude-user|perplexity|bytespider|meta-webindexer|ccbot|archiver|validator|[+;( ]https?:\/\//i;
/** Programs and libraries say so first. */
const PROGRAMS =
  /^(?:curl|wget|python|go-http-client|java|okhttp|apache-httpclient|axios|node|undici|libwww|lwp|ruby|php|postman|insomnia|httpie|http|dart|guzzle|dalvik|cfnetwork)\b|\bcfnetwork\//i;

/** In this order: an app's string may carry another one's mark. Tokens of public detectors and their reports [C 2026-04]. */
const APPS: readonly [InAppBrowser, RegExp][] = [
  // Threads is built on Instagram and says both.
  ['threads', /\bBarcelona\b/],
  ['instagram', /\bInstagram\b/],
  ['messenger', /\b(?:Orca-Android|MessengerForiOS|MessengerLiteForiOS|FB4M)\b|FBAN\/Messenger/],
  ['facebook', /\bFB(?:AN|AV|_IAB|IOS|4A)\b/],
  ['tiktok', /musical_ly|BytedanceWebview|\btrill\b|\bTikTok/i],
  ['snapchat', /\bSnapchat\b/],
  ['x', /\bTwitter(?:Android| for )/],
  ['linkedin', /\bLinkedInApp\b/],
  ['line', /\bLine\/\d/],
  ['telegram', /\bTelegram-(?:Android|iOS)\b/],
  ['pinterest', /\bPinterest(?: for |\/(?:iOS|Android))/i],
  [
    'other',
    /; wv\)|\b(?:MicroMessenger|KAKAOTALK|NAVER\(inapp|baiduboxapp|BaiduHD|Reddit\/|DiscordBrowser|Weibo|QQ\/)/i,
  ],
];

/** @param agent the whole string, `''` where none was sent: a program's */
export function readAgent(agent: string): Agent {
  const who = whoIs(agent);
  const system = systemOf(agent);
  return { who, system, app: who === 'person' ? appOf(agent, system) : null };
}

function whoIs(agent: string): Agent['who'] {
  if (PREVIEWERS.test(agent)) return 'previewer';
  return agent === '' || PROGRAMS.test(agent) || BOTS.test(agent) ? 'bot' : 'person';
}

function systemOf(agent: string): PhoneSystem | null {
  if (/\bAndroid\b/.test(agent)) return 'android';
  // iPads say Macintosh; in an app they give themselves away.
  return /\b(?:iPhone|iPad|iPod|iPadOS)\b/.test(agent) || (/\bMacintosh\b/.test(agent) && /\bMobile\/\w/.test(agent))
    ? 'ios'
    : null;
}

function appOf(agent: string, system: PhoneSystem | null): InAppBrowser | null {
  const named = APPS.find(([, token]) => token.test(agent));
  if (named !== undefined) return named[0];
  // A page within an app has no browser's name at the end. That Instagram has one now [C 2026-04] makes no difference: it is named.
  return system === 'ios' && /AppleWebKit/.test(agent) && !/Safari\//.test(agent) ? 'other' : null;
}
