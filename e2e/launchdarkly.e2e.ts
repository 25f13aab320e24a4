/** Flags from LaunchDarkly where its client id is set. The service is the test itself. */
import { afterAll, beforeAll, test } from 'vitest';
import { enterDemo, expect, type RunningApp, startApp } from './journey.ts';

const CLIENT_ID = 'client-side-id';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ FEATURE_FLAG_CLIENT_ID: CLIENT_ID });
});
afterAll(() => app?.close());

test('with a client id LaunchDarkly decides the flags, streams their changes and is sent events', async () => {
  const visit = await app.visit('desktop');
  const asked: URL[] = [];
  await visit.page.route('https://*.launchdarkly.com/**', (route) => {
    const url = new URL(route.request().url());
    asked.push(url);
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-expose-headers': 'date',
    };
    if (url.hostname.startsWith('clientstream')) {
      const flags = { mealPlansEnabled: { value: true, version: 1, variation: 0, trackEvents: true } };
      const body = `event: put\ndata: ${JSON.stringify(flags)}\n\n`;
      return route.fulfill({ headers: { ...headers, 'content-type': 'text/event-stream' }, body });
    }
    const flags = { mealPlansEnabled: { value: true, version: 1, variation: 0, trackEvents: true } };
    return route.fulfill({ headers, json: url.hostname.startsWith('app.') ? flags : {} });
  });
  await enterDemo(visit);
  const menu = visit.page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Meal Plans' })).toBeVisible();
  const hosts = () =>
    asked.filter(({ href }) => href.includes(CLIENT_ID)).map(({ hostname }) => hostname.split('.')[0]);
  await expect.poll(() => [...new Set(hosts())].sort()).toEqual(['app', 'clientstream', 'events']);
  await visit.end();
});
