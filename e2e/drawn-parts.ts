/** Which parts of a page React draws, as its own developer tools find out: also in the built program. */
import type { Locator, Page } from 'playwright';
import { expect } from './journey.ts';

/** Runs in the browser, as text. Of every component that is drawn it notes the first element. */
const WATCH = `(() => {
  const COMPONENTS = [0, 1, 11, 14, 15];
  const PERFORMED_WORK = 1;
  const HOST = 5;
  const drawn = (globalThis.drawn = []);
  const isComponent = ({ tag }) => COMPONENTS.includes(tag);
  const isDrawn = ({ alternate, flags }) => !alternate || (flags & PERFORMED_WORK) !== 0;
  // Null where it draws nothing itself and what it surrounds stays as it is.
  const elementOf = (fiber) => {
    for (let one = fiber; one && (!isComponent(one) || isDrawn(one)); one = one.child) {
      if (one.tag === HOST) return one.stateNode;
    }
    return null;
  };
  const compare = (fiber) => {
    const before = fiber.alternate;
    const element = isComponent(fiber) && isDrawn(fiber) ? elementOf(fiber) : null;
    if (element) drawn.push(element);
    if (!before || fiber.child === before.child) return;
    for (let child = fiber.child; child; child = child.sibling) compare(child);
  };
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_, root) => compare(root.current),
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    checkDCE() {},
  };
})()`;

/** Before the page is opened. */
export async function watchDrawing(page: Page): Promise<void> {
  await page.addInitScript(WATCH);
  await page.clock.install();
}

/** From here on the clock stands: nothing is drawn because time passes or the server has news. */
export async function holdNews(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
  // Earlier requests are answered.
  await expect(async () => {
    await page.evaluate('drawn.length = 0');
    await page.evaluate('fetch("/api/v1/auth/me").then((answer) => answer.text())');
    expect(await page.evaluate('drawn.length')).toBe(0);
  }).toPass();
}

/** Parts drawn while something is done, except in these places: as far as it still stands, by its name or first words. */
export async function drawnElsewhere(page: Page, places: Locator[], act: () => Promise<void>): Promise<string[]> {
  for (const place of places) {
    await place.evaluateAll((elements) => {
      for (const one of elements as unknown as { dataset: Record<string, string> }[]) one.dataset.mayBeDrawn = '';
    });
  }
  await page.evaluate('drawn.length = 0');
  await act();
  const found = await page.evaluate<string[]>(`drawn
    .filter((element) => element.isConnected && !element.closest('[data-may-be-drawn]'))
    .map((element) => element.localName + ' ' + (element.getAttribute('aria-label') ?? element.textContent.slice(0, 50)))`);
  await page.evaluate(
    `document.querySelectorAll('[data-may-be-drawn]').forEach((one) => one.removeAttribute('data-may-be-drawn'))`,
  );
  return [...new Set(found)];
}
