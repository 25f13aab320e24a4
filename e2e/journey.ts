/** The base of every journey: the real program with simulators on, a browser at a phone's or a desk's size, and the checks that each screen must pass. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import pg from 'pg';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { expect as playwrightExpect } from 'playwright/test';
import { inject } from 'vitest';
import { findRunningPostgres } from '#server/db/embedded/supervisor.ts';
import { freePort, startScript } from '#server/testing/processes.ts';
import { MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import { launchBrowser } from './browser.ts';

export type Device = 'phone' | 'desktop';
export const DEVICES: Device[] = ['phone', 'desktop'];

/** As people have them: clicks of a "headless" browser would rightly not be counted. */
const SCREENS: Record<Device, BrowserContextOptions> = {
  phone: {
    userAgent:
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  },
  desktop: {
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
    viewport: { width: 1280, height: 900 },
  },
};

/**
 * How long something may take to show, in milliseconds. Costs nothing when it shows at once; a machine that is busy with
 * other tests is slow, not wrong.
 */
const PATIENCE = 30_000;
const expect = playwrightExpect.configure({ timeout: PATIENCE });

export const PASSWORD = 'a pinch of smoked salt';

/** Runs in the browser, as text: this file is checked with Node's types. */
const WHAT_STICKS_OUT = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return null;
  const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  return scrollWidth + ' > ' + clientWidth + ': ' + wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 200)).join('\\n');
})()`;
/** Movements that follow on each other (a dialog behind a closing menu) are waited for too. */
const UNTIL_NOTHING_MOVES = `(async () => {
  const moving = () => document.getAnimations()
    .filter(({ effect, playState }) => playState === 'running' && effect?.getTiming().iterations !== Infinity);
  for (let under = moving(); under.length > 0; under = moving()) {
    await Promise.allSettled(under.map((animation) => animation.finished));
  }
})()`;

export type RunningApp = {
  url: string;
  phoneUrl: string;
  control: MetaSimulatorControl;
  browser: Browser;
  /** Where it keeps its database: for the program's own commands. */
  dataDir: string;
  /** Changes its rows: what would be waited for comes at once. */
  query(text: string): Promise<void>;
  /**
   * A browser of its own, without cookies.
   *
   * @param alsoAs the journey is walked once, and what is looked at has that device's size too
   */
  visit(device: Device, alsoAs?: Device): Promise<Visit>;
  close(): Promise<void>;
};

/**
 * Starts the program on a folder of its own and free ports, with a browser beside it.
 *
 * @param settings more environment variables, as in docs/configuration.md
 * @param options.firstStart the folder is empty, as on a new machine; otherwise its database has its tables already
 */
export async function startApp(
  settings: Record<string, string> = {},
  { firstStart = false } = {},
): Promise<RunningApp> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-journey-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  if (!firstStart) await copyFolder(inject('dataFolderTemplate'), dataDir);
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  const program = await startScript(
    'server/main.ts',
    ['--short-demo'],
    {
      PORT: String(port),
      BASE_URL: url,
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATORS: 'on',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    (line) => line.includes(`is ready: ${url}`),
  );
  starting.defer(() => program.stop());
  const browser = await launchBrowser();
  starting.defer(() => browser.close());
  const running = starting.move();
  return {
    url,
    phoneUrl: `${simulatorUrl}/phone/`,
    control: new MetaSimulatorControl(simulatorUrl),
    browser,
    dataDir,
    query: (text) => query(dataDir, text),
    visit: (device, alsoAs) => Visit.begin(browser, url, device, alsoAs),
    close: () => running.disposeAsync(),
  };
}

async function query(dataDir: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: (await findRunningPostgres(dataDir))! });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Not by Node's `cp`: PostgreSQL wants its files to keep their owner. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', `${from}/.`, to]);
}

/** One person in front of one screen. Whatever the browser complains about is remembered and fails `end`. */
export class Visit {
  readonly page: Page;
  readonly device: Device;
  private readonly alsoAs: Device | undefined;
  private readonly context: BrowserContext;
  private readonly complaints: string[] = [];
  /** Asking who is logged in is answered 401 while nobody is, and the browser reports that by itself. */
  private readonly expected: RegExp[] = [/401 \(Unauthorized\) \(.*\/api\/v1\/auth\/me\)$/];

  private constructor(context: BrowserContext, page: Page, device: Device, alsoAs: Device | undefined) {
    this.context = context;
    this.page = page;
    this.device = device;
    this.alsoAs = alsoAs;
    this.watch(page);
    context.on('page', (other) => this.watch(other));
  }

  static async begin(browser: Browser, baseURL: string, device: Device, alsoAs?: Device): Promise<Visit> {
    const context = await browser.newContext({
      ...SCREENS[device],
      baseURL,
      locale: 'en-US',
      // A dialog that fades while axe reads its colours has none of them: once seen on a slow machine.
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE);
    // Where creators' links lead: a journey leaves no machine.
    await context.route('https://example.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><html lang="en"><title>Recipe</title><h1>The recipe</h1>',
      }),
    );
    return new Visit(context, await context.newPage(), device, alsoAs);
  }

  private watch(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(String(error.stack ?? error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(`${message.text()} (${message.location().url})`);
    });
  }

  /** The browser itself reports every refused call as an error; a journey that provokes one says so. */
  expectComplaint(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** Another window of the same person. */
  newPage(): Promise<Page> {
    return this.context.newPage();
  }

  /** Checks for every screen: nothing scrolls sideways, and axe finds nothing serious. */
  async checkScreen(page = this.page, device = this.device): Promise<void> {
    await settle(page);
    const where = `${new URL(page.url()).pathname} on a ${device}`;
    const sideways = await page.evaluate<string | null>(WHAT_STICKS_OUT);
    expect(sideways, `${where} scrolls sideways`).toBeNull();
    await this.askAxe(page, where);
  }

  /**
   * The same in the light and the dark theme. With SCREENSHOTS set to a folder it leaves pictures there, for looking at.
   *
   * @param name names the pictures, and the screen when something is wrong
   */
  async checkBothThemes(name: string, page = this.page): Promise<void> {
    await this.checkAs(this.device, name, page);
    if (this.alsoAs === undefined) return;
    await page.setViewportSize(SCREENS[this.alsoAs].viewport!);
    await this.checkAs(this.alsoAs, name, page);
    await page.setViewportSize(SCREENS[this.device].viewport!);
  }

  private async checkAs(device: Device, name: string, page: Page): Promise<void> {
    await this.checkScreen(page, device);
    await this.takePicture(page, device, `${name}, light`);
    // On a phone the colours are the same.
    if (device !== 'desktop') return;
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page);
    // Only the colours differ.
    await this.askAxe(page, `${name} in the dark on a ${device}`, ['color-contrast']);
    await this.takePicture(page, device, `${name}, dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  private async askAxe(page: Page, where: string, rules?: string[]): Promise<void> {
    // In one go within the page, as there are no frames to ask: otherwise each time a second page is opened for the sum.
    const axe = new AxeBuilder({ page: page as never }).setLegacyMode().exclude('iframe');
    // Nor are the details of what is fine wanted, nor style sheets of elsewhere.
    axe.options({ resultTypes: ['violations'], preload: false });
    const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
    const bad = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n${nodes.map((node) => `  ${node.html.slice(0, 300)}\n  ${node.failureSummary}`).join('\n')}`,
      );
    expect(bad, `axe on ${where}`).toEqual([]);
  }

  /** With SCREENSHOTS set to a folder. */
  async takePicture(page: Page, device: Device, name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    const file = `${device} ${name}`.replaceAll(/[^a-z0-9]+/gi, '-');
    // Behind a dialog there is nothing to see.
    const fullPage = (await page.getByRole('dialog').count()) === 0;
    await page.screenshot({ path: path.join(folder, `${file}.png`), fullPage });
  }

  /** Ends the visit. @throws with what the browser complained about unexpectedly */
  async end(): Promise<void> {
    await this.context.close();
    const unexpected = this.complaints.filter((complaint) => !this.expected.some((pattern) => pattern.test(complaint)));
    expect(unexpected, 'the browser complained').toEqual([]);
  }
}

/** No spinner, no skeleton and no movement: what is on screen is what stays. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByText('Loading', { exact: false }).and(page.getByRole('status'))).toHaveCount(0);
  await page.evaluate(UNTIL_NOTHING_MOVES);
}

/** The newest mail to an address: follows the link in it. */
export async function followMailedLink(visit: Visit, to: string, link: string): Promise<void> {
  const { page } = visit;
  await page.goto('/mailbox');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('link').filter({ hasText: to }).first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByRole('link').filter({ hasText: to }).first().click();
  await page.frameLocator('iframe[title="The email"]').getByRole('link', { name: link }).first().click();
}

/**
 * Signs up and confirms the address; ends on account-setup.
 *
 * @param checkScreens off where another journey has looked at these screens
 */
export async function signUp(
  visit: Visit,
  person: { name: string; email: string },
  { checkScreens = true } = {},
): Promise<void> {
  const { page } = visit;
  await page.goto('/creator-hq/signup');
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  if (checkScreens) await visit.checkScreen();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  if (checkScreens) await visit.checkScreen();
  await followMailedLink(visit, person.email, 'Confirm');
  await expect(page).toHaveURL(/\/creator-hq\/account-setup$/);
}

/**
 * From account-setup: connects an account of the simulated Instagram and keeps its handle; ends on the home screen.
 *
 * @param checkScreens off where another journey has looked at these screens
 */
export async function connectInstagram(visit: Visit, username: string, { checkScreens = true } = {}): Promise<void> {
  const { page } = visit;
  await expect(page.getByRole('heading', { name: 'Connect your Instagram' })).toBeVisible();
  if (checkScreens) await visit.checkBothThemes('connect Instagram');
  await page.getByRole('link', { name: 'Connect with Instagram' }).click();
  await page.getByRole('link', { name: username }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('Instagram authenticated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: `Connected as @${username}` })).toBeVisible();
  await expect(page.getByLabel('Handle')).toHaveValue(username);
  if (checkScreens) await visit.checkBothThemes('connected');
  await page.getByRole('button', { name: 'Go to Creator HQ' }).click();
  await expect(page).toHaveURL(/\/creator-hq$/);
}

/** From account-setup: a creator account by its handle, with nothing connected; ends where accounts are connected. */
export async function chooseHandle({ page }: Visit, typed: string, handle = typed): Promise<void> {
  await page.getByRole('link', { name: 'Use Facebook instead, or connect later' }).click();
  await page.getByLabel('Handle').fill(typed);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: `Connect your account, @${handle}` })).toBeVisible();
}

/** On a phone the editor is three steps; with room it is one page. */
export async function goToStep(panel: Page | Locator, step: 'Keyword' | 'Message' | 'Turn it on'): Promise<void> {
  await expect(panel.getByRole('form', { name: /^(New automation|Automation )/ })).toBeVisible();
  const button = panel.getByRole('button', { name: new RegExp(`^\\d\\. ${step}$`) });
  if (await button.isVisible()) await button.click();
}

/** Settings most automations leave alone, on the last step; on wide screens always there. */
export async function openMore(panel: Page | Locator): Promise<void> {
  await goToStep(panel, 'Turn it on');
  const button = panel.getByRole('button', { name: 'More options' });
  if (await button.isVisible()) await button.click();
}

export async function enterDemo(visit: Visit): Promise<void> {
  await visit.page.goto('/creator-hq/login');
  await visit.page.getByRole('button', { name: 'Try the demo' }).click();
  await expect(visit.page).toHaveURL(/\/creator-hq$/);
}

/** Signs out by the account menu. What the screen still asks for while its session ends is answered 401. */
export async function signOut(visit: Visit): Promise<void> {
  visit.expectComplaint(/401 \(Unauthorized\) \(.*\/api\/v1\/creators\//);
  await visit.page.getByRole('button', { name: 'Account menu' }).click();
  await visit.page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** The server's own answer, changed on its way to the page. */
export async function changeAnswer(
  page: Page,
  address: string,
  change: (answer: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    await route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
  });
}

export { expect };
