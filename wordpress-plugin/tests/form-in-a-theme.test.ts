/// <reference lib="dom" />
/** Creator HQ's own printed form in a page of a real theme: every state of it, as narrow as it gets, and by keyboard. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FormDesign } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { launchBrowser } from '#e2e/browser.ts';
import { printForm } from '#server/features/forms/print-form.ts';
import { type Blog, startBlog } from './blog.ts';

const { design } = MADE_FORMS[0]!;
const ARABIC = {
  ...design.texts[0]!,
  ...{ language: 'ar', heading: 'احفظ هذه الوصفة', description: 'نرسلها إلى بريدك.', button: 'أرسلوها إليّ' },
  ...{ emailLabel: 'بريدك الإلكتروني', newsletter: 'نعم، أرسلوا إليّ وصفات جديدة' },
};
/** 1280 px at 400 % are 320. */
const NARROW: BrowserContextOptions = { viewport: { width: 320, height: 640 } };
const WAYS: [string, BrowserContextOptions, Partial<FormDesign>][] = [
  ['at 320 px', NARROW, {}],
  ['from right to left', NARROW, { texts: [ARABIC] }],
  ['in the theme’s own colors', NARROW, { look: { ...design.look, kind: 'theme' } }],
  ['in forced colors', { ...NARROW, forcedColors: 'active' }, {}],
  ['at desktop width, in one line', { viewport: { width: 1280, height: 800 } }, { layout: 'inline' }],
];
/** Many looks by axe, on a machine that may have other things to do. */
const PATIENCE_MS = 180_000;
/** Of each of two pages. */
const LOADS = 25;

let blog: Blog;
let browser: Browser;

beforeAll(async () => {
  [blog, browser] = await Promise.all([startBlog(), launchBrowser()]);
  blog.hub.forms = WAYS.map(([name, , changed], at) => {
    const key = `FormInAThemeFormInAThe${at}`.slice(-22);
    return printForm({ key, kind: 'save', name, version: 1, design: { ...design, ...changed } });
  });
  await blog.wordpress.php(`do_action('creator_hq_daily');`);
  for (const [at, { key }] of blog.hub.forms.entries()) {
    await blog.post(`Way ${at}`, `<p>Hello</p>[creator_hq_form id="${key}"]<p>Below it</p>`);
  }
});
afterAll(async () => {
  await browser.close();
  expect(await blog.wordpress.complaints()).toEqual([]);
  await blog.close();
});

async function open(path: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  await page.goto(`${blog.wordpress.url}${path}`);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

async function check(page: Page, state: string): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), state).toBeLessThanOrEqual(0);
  // The theme is not ours.
  const axe = new AxeBuilder({ page: page as never }).setLegacyMode().include('creator-hq-form');
  const { violations, passes } = await axe.options({ resultTypes: ['violations'] }).analyze();
  expect(passes.length, state).toBeGreaterThan(5);
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    state,
  ).toEqual([]);
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${state.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
  }
}

test.each(WAYS.map((way, at) => [way[0], way[1], at] as const))(
  'every state is readable and nowhere too wide, %s',
  { timeout: PATIENCE_MS },
  async (way, options, at) => {
    await using opened = await open(`/way-${at}/`, options);
    const { page } = opened;
    const form = page.locator('creator-hq-form');
    const press = async (email: string) => {
      await form.locator('input[name=email]').fill(email);
      await form.locator('button[type=submit]').click();
    };
    await check(page, `${way}: ready`);
    await press('rosa@localhost');
    await expect.poll(() => page.getByRole('status').textContent()).toContain('does not look right');
    await check(page, `${way}: wrong`);
    await press('rosa@example.com');
    await expect.poll(() => page.getByRole('status').textContent()).toBe(design.texts[0]!.thanks);
    await check(page, `${way}: sent`);
  },
);

test('neither it nor the text around it moves while the page loads', async () => {
  await using opened = await open('/way-0/', NARROW);
  // The theme itself moves some of its own when its fonts come.
  const moved = await opened.page.evaluate(`new Promise((resolve) => {
    const moved = [];
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) for (const { node } of sources) {
        const element = node?.nodeType === 1 ? node : node?.parentElement;
        if (element?.closest('.wp-block-post-content, creator-hq-form')) moved.push(element.outerHTML.slice(0, 100));
      }
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)));
  })`);
  expect(moved).toEqual([]);
});

test('a page with it is as fast as one without: no call, one query more at most, nothing moves', {
  timeout: PATIENCE_MS,
}, async () => {
  await blog.post('Without it', '<p>Hello</p><p>Below it</p>');
  // The theme reads the neighbors of a post.
  await blog.post('After it', '<p>Hello</p>');
  const paths = ['/way-0/', '/without-it/'] as const;
  type Request = Awaited<ReturnType<Blog['wordpress']['requests']>>[number];
  const seen: Record<string, Request[]> = { '/way-0/': [], '/without-it/': [] };
  await blog.wordpress.requests();
  for (let load = 0; load < LOADS * 2; load++) {
    const response = await fetch(`${blog.wordpress.url}${paths[load % 2]}`);
    await response.text();
    expect(response.headers.get('set-cookie')).toBe(null);
  }
  for (const request of await blog.wordpress.requests()) seen[request.path]!.push(request);
  const [withIt, without] = paths.map((path) => seen[path]!) as [Request[], Request[]];
  expect([withIt.length, without.length]).toEqual([LOADS, LOADS]);
  expect([...withIt, ...without].flatMap(({ calls }) => calls)).toEqual([]);
  const median = (requests: Request[], of: 'queries' | 'files' | 'ms') =>
    requests.map((request) => request[of]).sort((one, other) => one - other)[(LOADS - 1) / 2]!;
  expect(median(withIt, 'queries') - median(without, 'queries')).toBeLessThanOrEqual(1);
  // Stands for the time, which other work on this machine changes.
  expect(median(withIt, 'files') / median(without, 'files')).toBeLessThanOrEqual(1.25);

  type Watched = { shifts: number; ours: number; longTasks: number; oursLong: number[] };
  const inBrowser: Record<string, Watched[]> = { '/way-0/': [], '/without-it/': [] };
  for (let load = 0; load < 10; load++) {
    const path = paths[load % 2]!;
    await using opened = await open('/wp-includes/images/blank.gif', NARROW);
    await opened.page.addInitScript(`
      window.watched = { shifts: 0, ours: 0, longTasks: 0, oursLong: [] };
      const watch = (type, heard) => new PerformanceObserver((list) => list.getEntries().forEach(heard)).observe({ type, buffered: true });
      watch('layout-shift', ({ sources }) => {
        watched.shifts++;
        const elements = sources.map(({ node }) => node?.nodeType === 1 ? node : node?.parentElement);
        if (elements.some((element) => (element?.getRootNode().host ?? element)?.closest('.wp-block-post-content, creator-hq-form'))) watched.ours++;
      });
      watch('longtask', () => watched.longTasks++);
      watch('long-animation-frame', ({ scripts }) => {
        for (const { sourceURL, duration } of scripts) if (sourceURL.includes('/creator-hq/') && duration > 50) watched.oursLong.push(duration);
      });`);
    await opened.page.goto(`${blog.wordpress.url}${path}`);
    const watched = await opened.page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0, watched))))',
    );
    inBrowser[path]!.push(watched as Watched);
  }
  const [inIt, notInIt] = paths.map((path) => inBrowser[path]!);
  expect([...inIt!, ...notInIt!].map(({ ours }) => ours)).toEqual(Array.from({ length: 10 }, () => 0));
  const sum = (of: 'shifts' | 'longTasks') =>
    [inIt, notInIt].map((loads) => loads!.reduce((all, one) => all + one[of], 0));
  console.log(
    `A page with the form against one without: PHP ${median(withIt, 'ms').toFixed(1)} against ${median(without, 'ms').toFixed(1)} ms (${(median(withIt, 'ms') / median(without, 'ms')).toFixed(3)} times), ` +
      `${median(withIt, 'queries')} against ${median(without, 'queries')} queries, ${median(withIt, 'files')} against ${median(without, 'files')} files; ` +
      `in 5 loads ${sum('shifts').join(' against ')} layout shifts, ${sum('longTasks').join(' against ')} long tasks, of form.js ${inIt!.flatMap(({ oursLong }) => oursLong).length}.`,
  );
});

test('it is filled in and sent by keyboard alone', async () => {
  blog.hub.submissions.length = 0;
  await using opened = await open('/way-0/', NARROW);
  const { page } = opened;
  const focused = () =>
    page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('name') ?? null);
  for (let presses = 0; (await focused()) !== 'email' && presses < 30; presses++) await page.keyboard.press('Tab');
  await page.keyboard.type('keys@example.com');
  // As it is seen: the button, then the box.
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  expect(await focused()).toBe('newsletter');
  for (const key of ['Space', 'Shift+Tab', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => page.getByRole('status').textContent()).toBe(design.texts[0]!.thanks);
  expect(blog.hub.submissions).toMatchObject([{ email: 'keys@example.com', newsletter: true }]);
});
