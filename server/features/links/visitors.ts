/** Who follows a link: a person, or a machine that looks at it for one. Only people count as clicks. */

const PREVIEWERS =
  /facebookexternalhit|facebookcatalog|facebot|meta-external|whatsapp|twitterbot|slackbot|slack-imgproxy|discordbot|telegrambot|linkedinbot|pinterestbot|skypeuripreview|viber|redditbot|applebot|embedly|iframely|snapchat url preview|bitlybot|vkshare/i;
/** Cubot is a maker of phones. */
const BOTS =
  /(?<!\bcu)bot\b|crawl|spider|slurp|scan|monitor|uptime|preview|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|googleother|google-inspectiontool|bingpreview|yandex|baidu|ahrefs|semrush|gptbot|claudebot|bytespider/i;
const PROGRAMS =
  /^(curl|wget|python|go-http-client|java|okhttp|apache-httpclient|axios|node|undici|libwww|lwp|ruby|php|postman|insomnia|httpie|http|dart|guzzle)\b/i;

/** Reasons stored with a click that does not count. */
export type NotCounted = 'head' | 'prefetch' | 'previewer' | 'bot' | 'no_user_agent';

/** Null for a person. */
export function notCountedBecause(request: {
  method: string;
  headers: Record<string, string | string[] | undefined>;
}): NotCounted | null {
  const header = (name: string) => String(request.headers[name] ?? '');
  if (request.method === 'HEAD') return 'head';
  // Browsers that fetch a page before anybody opened it.
  if (
    /prefetch|prerender|preview/i.test(
      `${header('sec-purpose')} ${header('purpose')} ${header('x-moz')} ${header('x-purpose')}`,
    )
  ) {
    return 'prefetch';
  }
  const agent = header('user-agent');
  if (agent === '') return 'no_user_agent';
  if (PREVIEWERS.test(agent)) return 'previewer';
  if (PROGRAMS.test(agent) || BOTS.test(agent)) return 'bot';
  return null;
}
