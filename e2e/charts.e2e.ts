import { afterAll, beforeAll, describe, test } from 'vitest';
import { changeAnswer, DEVICES, enterDemo, expect, type RunningApp, startApp } from './journey.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

/** Runs in the browser: how many names below the columns begin before the one to their left has ended. */
const NAMES_THAT_TOUCH = `(() => {
  const names = document.querySelector('[role=slider]').parentElement.nextElementSibling.querySelectorAll('span span');
  const boxes = [...names].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  return boxes.filter((box, at) => at > 0 && box.left < boxes[at - 1].right).length;
})()`;

/** Runs in the browser: how wide the bars with a value are, in pixels. */
const THINNEST_BAR = `(() => {
  const bars = [...document.querySelectorAll('[role=slider] > span > span')].map((one) => one.getBoundingClientRect());
  return Math.min(...bars.filter(({ height }) => height > 0).map(({ width }) => width));
})()`;

type Day = { day: string; comments: number; sent: number };

describe.each(DEVICES)('on a %s', (device) => {
  test('a chart shows all days that its tab names and tells their values by pointer, tap and keyboard', async () => {
    const visit = await app.visit(device);
    const { page } = visit;
    await enterDemo(visit);
    let days: Day[] = [];
    await changeAnswer(page, '**/figures?*', (answer) => {
      days = (answer as { days: Day[] }).days.map((day, at) => ({ ...day, comments: at * 7, sent: at * 3 }));
      return { ...answer, days };
    });
    await page.goto('/creator-hq/comment-for-dm/posts-and-reels');
    await page
      .getByRole('link', { name: /COOKIE|cookie/ })
      .first()
      .click();
    // No tab waits beyond the edge where nobody looks for it.
    await expect(page.getByRole('tab', { name: 'Results' })).toBeInViewport({ ratio: 0.95 });
    await page.getByRole('tab', { name: 'Results' }).click();
    await expect(page.getByRole('heading', { name: 'Last 30 days' })).toBeVisible();
    const chart = page.getByRole('slider', { name: 'Comments and messages sent per day: values' });
    await expect(chart).toHaveAttribute('aria-valuemax', '30');
    await expect(page.getByRole('table', { name: 'Comments and messages sent per day' }).getByRole('row')).toHaveCount(
      31,
    );
    await expect(page.getByText('400', { exact: true }).first()).toHaveCSS('font-size', '12px');
    await chart.scrollIntoViewIfNeeded();
    expect(await page.evaluate(NAMES_THAT_TOUCH)).toBe(0);

    const { width, height } = (await chart.boundingBox())!;
    const first = { x: width / 60, y: height / 2 };
    await (device === 'phone' ? chart.tap({ position: first }) : chart.hover({ position: first }));
    await expect(page.getByText(/: 0 comments, 0 sent$/)).toBeVisible();
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByText(/: 196 comments, 84 sent$/)).toBeVisible();
    await expect(chart).toHaveAttribute('aria-valuetext', /: 196 comments, 84 sent$/);
    await visit.checkBothThemes('chart of a post');

    await page.emulateMedia({ forcedColors: 'active' });
    const bars = chart.locator('> span').last().locator('> span');
    await expect(bars.first()).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(bars.last()).toHaveCSS('background-color', 'rgb(0, 0, 0)');
    await visit.checkScreen();
    await page.emulateMedia({ forcedColors: 'none' });

    await page.goto('/creator-hq');
    await expect(page.getByRole('slider')).toBeVisible();
    await visit.checkBothThemes('chart at home');
    await page.getByLabel('Period').selectOption('90');
    await expect(page.getByRole('slider')).toHaveAttribute('aria-valuemax', '90');
    await visit.checkBothThemes('chart of 90 days');
    expect(await page.evaluate(THINNEST_BAR)).toBeGreaterThan(1);
    expect(await page.evaluate(NAMES_THAT_TOUCH)).toBe(0);
    await page.goto('/creator-hq/settings?tab=profile');
    await expect(page.getByLabel('Time zone')).toHaveValue(/./);
    await visit.checkBothThemes('time zone');
    await visit.end();
  });
});
