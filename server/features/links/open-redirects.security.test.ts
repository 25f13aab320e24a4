import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAppLink } from '#contract/app-links.ts';
import { appLink } from '#server/testing/inputs.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

const PAN = 'https://shop.example/pan?size=24';
const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 424.0.0.31.64 (iPhone17,1; iOS 18_5) Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';
const WANTED = [
  ...['https://evil.example', '//evil.example', '/\\evil.example', 'https:evil.example', 'evil.example'],
  ...['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'intent://evil.example#Intent;end'],
  ...['https://shop.example@evil.example', 'https://shop.example.evil.example', 'https://ѕhop.example'],
  ...['\r\nLocation: https://evil.example', '"><script src=//evil.example></script>'],
];

let app: TestApp;
let path: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test' } });
  const anna = await app.signUpAndIn();
  const { id: creatorId } = await anna.createCreator();
  const body = appLink('Pan', { address: PAN }) as never;
  path = new URL((await anna.call(createAppLink, { params: { creatorId }, body })).body.shortUrl).pathname;
});
afterAll(() => app?.close());

/** Every way in which somebody may say where they want a link to lead. */
function crafted(): { url: string; headers: Record<string, string> }[] {
  return WANTED.flatMap((wanted) => {
    const said = encodeURIComponent(wanted);
    const urls = [
      ...[`${path}/${said}`, `${path}//${said}`, `${path}/bio/${said}`, `${path}?${said}`, `${path}%2f${said}`],
      ...['url', 'to', 'next', 'redirect_uri', 'address', 'elsewhere'].map((name) => `${path}/bio?${name}=${said}`),
      ...[`/l/${said}`, `/l/../${said}`, `/l//${said}${path}`],
    ];
    const header = said.replaceAll('%', '');
    return [
      ...urls.map((url) => ({ url, headers: {} })),
      ...['host', 'x-forwarded-host', 'forwarded', 'referer', 'x-original-url'].map((name) => ({
        url: path,
        headers: { [name]: `${header}.evil.example` },
      })),
    ];
  });
}

test.each([
  ['a desktop', DESKTOP],
  ['Instagram', INSTAGRAM],
])('200 crafted requests lead to the link’s own address or nowhere, in %s', async (_, agent) => {
  const requests = crafted();
  expect(requests.length).toBeGreaterThan(200);
  let led = 0;
  for (const { url, headers } of requests) {
    const {
      status,
      headers: told,
      text,
    } = await app.visitor().send({
      method: 'GET',
      url,
      headers: { 'user-agent': agent, ...headers },
    });
    expect(status, url).toBeLessThan(500);
    expect([undefined, PAN], url).toContain(told.location);
    if (told.location === PAN || text.includes('data-attempts')) led += 1;
    expect(text, url).not.toMatch(/evil\.example|javascript:|<script src|ѕhop/);
  }
  expect(led).toBeGreaterThan(100);
});
