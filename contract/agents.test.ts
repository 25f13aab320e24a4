import { describe, expect, test } from 'vitest';
import { type InAppBrowser, type PhoneSystem, readAgent } from './agents.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const PIXEL =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A.250205.002; wv) AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME_VIEW = 'Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36';

/** As phones send them; versions as of 2024 to 2026. */
const IN_APPS: [InAppBrowser, PhoneSystem, string][] = [
  [
    'instagram',
    'ios',
    `${IPHONE} Mobile/22F76 Instagram 384.0.0.28.86 (iPhone15,3; iOS 18_5; en_US; en; scale=3.00; 1290x2796; 745207184)`,
  ],
  [
    'instagram',
    'ios',
    `${IPHONE} Mobile/22F76 Instagram 424.0.0.31.64 (iPhone17,1; iOS 18_5; de_DE; de; scale=3.00; 1206x2622; 801234567) NW/3 Safari/604.1`,
  ],
  [
    'instagram',
    'ios',
    'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 350.1.0.29.94 (iPad13,4; iPadOS 17_6; en_GB; en-GB; scale=2.00; 1668x2388; 640000000)',
  ],
  [
    'instagram',
    'ios',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 390.0.0.28.85 (iPad14,3; iPadOS 18_5; en_US)',
  ],
  [
    'instagram',
    'android',
    `${PIXEL} ${CHROME_VIEW} Instagram 384.0.0.46.83 Android (35/15; 420dpi; 1080x2424; Google/google; Pixel 9; tokay; tokay; en_US; 745000000)`,
  ],
  [
    'instagram',
    'android',
    'Mozilla/5.0 (Linux; Android 14; SM-S928B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.122 Mobile Safari/537.36 Instagram 336.0.0.35.90 Android (34/14; 600dpi; 1440x3120; samsung; SM-S928B; e3q; qcom; es_ES; 613000000; IABMV/1)',
  ],
  [
    'threads',
    'ios',
    `${IPHONE} Mobile/22F76 Barcelona 384.0.0.25.109 (iPhone16,2; iOS 18_5; en_US; en; scale=3.00; 1290x2796; 745000001)`,
  ],
  [
    'threads',
    'android',
    `${PIXEL} ${CHROME_VIEW} Barcelona 384.0.0.42.80 Android (35/15; 420dpi; 1080x2424; Google/google; Pixel 9)`,
  ],
  ['threads', 'ios', `${IPHONE} Mobile/15E148 Instagram 300.0.0.0 Barcelona 300.0.0.0 (iPhone14,2; iOS 17_0; en_US)`],
  [
    'facebook',
    'ios',
    `${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/515.0.0.43.89;FBBV/737000000;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5;FBRV/0;IABMV/1]`,
  ],
  [
    'facebook',
    'ios',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/450.0.0.38.108;FBDV/iPad13,16;FBMD/iPad;FBSN/iPadOS;FBSV/17.4]',
  ],
  ['facebook', 'android', `${PIXEL} ${CHROME_VIEW} [FB_IAB/FB4A;FBAV/515.0.0.46.83;IABMV/1;]`],
  [
    'facebook',
    'android',
    'Mozilla/5.0 (Linux; Android 15; Cubot X90) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 [FBAN/FB4A;FBAV/500.0]',
  ],
  ['facebook', 'android', `${PIXEL} ${CHROME_VIEW} [FB_IAB/EMA;FBLC/pt_BR;FBAV/440.0.0.10.118;]`],
  [
    'messenger',
    'ios',
    `${IPHONE} Mobile/22F76 [FBAN/MessengerForiOS;FBAV/514.0.0.30.107;FBBV/736000000;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/18.5]`,
  ],
  ['messenger', 'android', `${PIXEL} ${CHROME_VIEW} [FB_IAB/Orca-Android;FBAV/514.0.0.42.84;]`],
  ['messenger', 'ios', `${IPHONE} Mobile/15E148 [FBAN/MessengerLiteForiOS;FBAV/340.0.0.33.112;FBDV/iPhone12,1]`],
  [
    'tiktok',
    'ios',
    `${IPHONE} Mobile/15E148 musical_ly_40.3.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US BytedanceWebview/d8a21c6`,
  ],
  [
    'tiktok',
    'ios',
    `${IPHONE} Mobile/15E148 trill_390306 BytedanceWebview/d8a21c6 musical_ly_39.3.0 AppName/musical_ly`,
  ],
  [
    'tiktok',
    'android',
    `${PIXEL} ${CHROME_VIEW} trill_2023903030 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/39.3.3 ByteLocale/en BytedanceWebview/d8a21c6 TTWebView/0751130016`,
  ],
  ['tiktok', 'android', `${PIXEL} ${CHROME_VIEW} musical_ly_2024001030 AppName/musical_ly BytedanceWebview/d8a21c6`],
  ['snapchat', 'ios', `${IPHONE} Mobile/15E148 Snapchat/13.45.0.51 (like Safari/8621.2.5.10.10, panda)`],
  ['snapchat', 'android', `${PIXEL} ${CHROME_VIEW} Snapchat/13.44.0.40 (Pixel 9; Android 15#13000000#35; gzip; )`],
  ['x', 'ios', `${IPHONE} Mobile/22F76 Twitter for iPhone/11.6`],
  ['x', 'ios', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 Twitter for iPhone/10.65`],
  ['x', 'android', `${PIXEL} ${CHROME_VIEW} TwitterAndroid`],
  ['x', 'android', `${PIXEL} ${CHROME_VIEW} Twitter for Android/11.3.0-release.0`],
  ['linkedin', 'ios', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30.4510`],
  ['linkedin', 'android', `${PIXEL} ${CHROME_VIEW} [LinkedInApp]/4.1.1080`],
  ['line', 'ios', `${IPHONE} Mobile/15E148 Safari Line/15.9.0`],
  ['line', 'android', `${PIXEL} ${CHROME_VIEW} Line/15.9.1/IAB`],
  ['telegram', 'android', `${PIXEL} ${CHROME_VIEW} Telegram-Android/11.9.2 (Google Pixel 9; Android 15; SDK 35; HIGH)`],
  ['pinterest', 'ios', `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
  ['pinterest', 'android', `${PIXEL} ${CHROME_VIEW} [Pinterest/Android]`],
  ['pinterest', 'android', `${PIXEL} ${CHROME_VIEW} Pinterest for Android/13.20.0`],
  ['other', 'ios', `${IPHONE} Mobile/15E148`],
  ['other', 'ios', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.59(0x18003b2f) NetType/WIFI Language/zh_CN`],
  ['other', 'android', `${PIXEL} ${CHROME_VIEW}`],
  ['other', 'android', `${PIXEL} ${CHROME_VIEW} KAKAOTALK 2410130`],
  ['other', 'ios', `${IPHONE} Mobile/15E148 NAVER(inapp; search; 2000; 12.12.1; 15PROMAX)`],
  [
    'other',
    'android',
    'Mozilla/5.0 (Linux; Android 13; M2102J20SG Build/TKQ1; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/97.0.4692.98 Mobile Safari/537.36 T7/13.57 baiduboxapp/13.57.5.10 (Baidu; P1 13)',
  ],
  ['other', 'ios', `${IPHONE} Mobile/15E148 Reddit/Version 2025.20.0/Build 625000/iOS Version 18.5`],
];

const BROWSERS: [PhoneSystem | null, string][] = [
  ['ios', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['ios', `${IPHONE} CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1`],
  ['ios', `${IPHONE} FxiOS/139.0 Mobile/15E148 Safari/605.1.15`],
  ['ios', `${IPHONE} GSA/370.0.760000000 Mobile/15E148 Safari/604.1`],
  ['ios', `${IPHONE} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
  [
    'ios',
    'Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
  ],
  [
    'android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  ],
  [
    'android',
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
  ],
  ['android', 'Mozilla/5.0 (Android 15; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0'],
  [
    'android',
    'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  ],
  [
    'android',
    'Mozilla/5.0 (Linux; arm_64; Android 13; SM-A525F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 YaBrowser/25.6.0.76.00 SA/3 Mobile Safari/537.36',
  ],
  ['android', 'Opera/9.80 (Android; like python and curl) Presto/2.12'],
  [
    null,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  ],
  [
    null,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
  ],
  [
    null,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  [null, 'Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0'],
  [
    null,
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
  ],
];

const PREVIEWERS = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'facebookexternalhit/1.1;line-poker/1.0',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'facebookcatalog/1.0',
  'Facebot',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'WhatsApp/2.23.20.0 A',
  'WhatsApp/2.2336.9 N',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
  'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534.36 (KHTML, like Gecko) Snapchat URL Preview Service',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'Mastodon/4.4.0 (http.rb/5.2.0; +https://mastodon.social/)',
  'Viber/13.3.0',
  'bitlybot/3.0 (+http://bit.ly/)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
];

const ROBOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Snap URL fetcher (+https://snapchat.com/robots)',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'okhttp/4.12.0',
  'Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9 Build/AP4A.250205.002)',
  'MobileSafari/8621.2.5.10.10 CFNetwork/3826.500.131 Darwin/24.5.0',
  'Mozilla/5.0 (compatible; DuckDuckBot/1.1; +https://duckduckgo.com/duckduckbot)',
  '',
];

describe('who asks', () => {
  test.each(IN_APPS)('a person in %s on %s: %s', (app, system, agent) => {
    expect(readAgent(agent)).toEqual({ who: 'person', app, system });
  });

  test.each(BROWSERS)('a person in a browser on %s: %s', (system, agent) => {
    expect(readAgent(agent)).toEqual({ who: 'person', app: null, system });
  });

  test.each(PREVIEWERS)('a preview: %s', (agent) => {
    expect(readAgent(agent)).toMatchObject({ who: 'previewer', app: null });
  });

  test.each(ROBOTS)('a robot: %s', (agent) => {
    expect(readAgent(agent)).toMatchObject({ who: 'bot', app: null });
  });

  test('strings of any length are read in one go', () => {
    for (const filler of ['Instagram ', 'Macintosh ', 'bot', '; wv', ' http:/']) {
      expect(() => readAgent(filler.repeat(20_000))).not.toThrow();
    }
  });
});
