import { describe, expect, test } from 'vitest';
import { notCountedBecause } from './visitors.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 400.0';
const with_ = (agent: string) => ({ method: 'GET', headers: { 'user-agent': agent } });

describe('who counts', () => {
  test.each([
    PHONE,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 15; Cubot X90) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 [FBAN/FB4A;FBAV/500.0]',
    'Opera/9.80 (Android; like python and curl) Presto/2.12',
  ])('a person: %s', (agent) => {
    expect(notCountedBecause(with_(agent))).toBeNull();
  });
});

describe('who does not count', () => {
  test.each([
    ...['facebookexternalhit/1.1', 'facebookcatalog/1.0', 'Facebot', 'meta-externalagent/1.1', 'WhatsApp/2.23.20.0'],
    ...['Twitterbot/1.0', 'Slackbot-LinkExpanding 1.0', 'Slack-ImgProxy (+https://api.slack.com/robots)'],
    ...['Discordbot/2.0', 'TelegramBot (like TwitterBot)', 'LinkedInBot/1.0', 'Pinterestbot/1.0'],
    ...['SkypeUriPreview Preview/0.5', 'Viber/13.3', 'redditbot/1.0', 'Applebot/0.1', 'Embedly/0.2', 'Iframely/1.3'],
    ...['Snapchat URL Preview Service', 'bitlybot/3.0', 'vkShare; +http://vk.com/dev/Share'],
  ])('the preview of %s', (agent) => {
    expect(notCountedBecause(with_(agent))).toBe('previewer');
    expect(notCountedBecause(with_(`Mozilla/5.0 ${agent}`))).toBe('previewer');
  });

  test.each([
    ...['Googlebot/2.1', 'SomeCrawler', 'Baiduspider', 'Yahoo! Slurp', 'LinkScanner', 'SiteMonitor', 'UptimeRobot'],
    ...['Link Preview Service', 'HeadlessChrome/140.0', 'PhantomJS', 'Puppeteer', 'Playwright/1.5', 'selenium/4'],
    ...['Chrome-Lighthouse', 'GoogleOther', 'Google-InspectionTool/1.0', 'BingPreview/1.0b', 'YandexAccessibility'],
    ...['Baidu', 'AhrefsSiteAudit', 'SemrushTester', 'GPTBot-x', 'ClaudeBot-x', 'Bytespider'],
  ])('the machine %s', (agent) => {
    expect(notCountedBecause(with_(`Mozilla/5.0 (compatible; ${agent})`))).toBe('bot');
  });

  test.each([
    ...[
      'curl/8.5.0',
      'Wget/1.2',
      'python-requests/2',
      'Go-http-client/2.0',
      'Java/21',
      'okhttp/4',
      'Apache-HttpClient/5',
    ],
    ...[
      'axios/1.7',
      'node',
      'undici',
      'libwww-perl/6',
      'LWP::Simple',
      'Ruby',
      'PHP/8',
      'Postman Runtime',
      'insomnia/9',
    ],
    ...['HTTPie/3', 'http', 'Dart/3 (dart:io)', 'GuzzleHttp/7'].map((agent) => agent.replace('GuzzleHttp', 'guzzle')),
  ])('the program %s', (agent) => {
    expect(notCountedBecause(with_(agent))).toBe('bot');
  });

  test('a request for the head only, whoever asks', () => {
    expect(notCountedBecause({ ...with_(PHONE), method: 'HEAD' })).toBe('head');
    expect(notCountedBecause({ ...with_(''), method: 'HEAD' })).toBe('head');
  });

  test.each(['sec-purpose', 'purpose', 'x-moz', 'x-purpose'])('a browser that looks ahead, by %s', (name) => {
    for (const value of ['prefetch', 'Prerender', 'preview']) {
      const headers = { 'user-agent': PHONE, [name]: value };
      expect(notCountedBecause({ method: 'GET', headers })).toBe('prefetch');
    }
    expect(notCountedBecause({ method: 'GET', headers: { 'user-agent': PHONE, [name]: 'navigate' } })).toBeNull();
  });

  test('whoever has no name', () => {
    expect(notCountedBecause(with_(''))).toBe('no_user_agent');
    expect(notCountedBecause({ method: 'GET', headers: {} })).toBe('no_user_agent');
  });
});
