/** The page of the API is somebody else's program: it must work under our policy and tell nobody of its visitors. */
import { afterAll, beforeAll, test } from 'vitest';
import { DEVICES, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test.each(DEVICES)('the page of the API works on a %s and asks nothing of others', async (device) => {
  const visit = await app.visit(device);
  const { page } = visit;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/api/docs#tag/automations');
  await expect(page.getByRole('heading', { name: 'Create an automation, turned off' })).toBeVisible();
  await expect(page.getByText('"$CREATOR_HQ').first()).toBeAttached();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  expect(new Set(asked.filter((url) => !url.startsWith('data:')))).toEqual(
    new Set(['/api/docs', '/api/docs/scalar.js', '/api/v1/openapi.json'].map((path) => app.url + path)),
  );
  await visit.end();
});

test('the type of a problem leads to its place on the page of the API', async () => {
  const visit = await app.visit('phone');
  const { page } = visit;
  await page.goto('/api/docs#not_found');
  await expect(page.getByText('404: Not found')).toBeInViewport();
  await visit.end();
});
