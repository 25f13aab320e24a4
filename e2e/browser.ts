import { existsSync } from 'node:fs';
import os from 'node:os';
import { type Browser, chromium } from 'playwright';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where the npm package `@sparticuz/chromium` has a Chromium for: it is built for Linux on x64 only. */
const CAN_BRING_ONE = os.platform() === 'linux' && os.arch() === 'x64';

/**
 * Starts a Chromium: the one named by CHROME_PATH, an installed one, or the one in the npm package `@sparticuz/chromium`.
 * Pages should be opened in contexts with a locale (`browser.newContext({ locale: 'en-US' })`): in the packaged one they
 * otherwise see the locale `en-US@posix`, which `Intl` refuses.
 *
 * @param options.debuggingPort opens the DevTools protocol on a port of 127.0.0.1, for Lighthouse
 * @param options.windowless prefers the packaged one, a headless shell, to an installed one. Others draw a whole browser
 *   window even while nobody sees it: tabs, buttons and all, on the processors that are being measured
 * @throws when there is none for this machine, saying how to get one
 */
export async function launchBrowser(options: { debuggingPort?: number; windowless?: boolean } = {}): Promise<Browser> {
  const installed = installedBrowser();
  const isPackaged =
    CAN_BRING_ONE && (installed === undefined || (options.windowless === true && !process.env.CHROME_PATH));
  if (!isPackaged && installed === undefined) {
    throw new Error(
      `The browser tests need Chromium, and there is none for ${os.platform()} on ${os.arch()} to bring along. Install Chrome or Chromium, or set CHROME_PATH.`,
    );
  }
  return chromium.launch({
    executablePath: isPackaged ? await packagedBrowser() : installed,
    args: [
      // Tests are about us: no updates, suggestions or reports to the browser's maker.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--disable-sync',
      '--no-default-browser-check',
      '--no-first-run',
      '--no-pings',
      // Requests a test does not answer itself fail here as on a machine without a network.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      // Containers often have a /dev/shm of 64 MB only.
      '--disable-dev-shm-usage',
      // Chromium refuses to run as root with its sandbox.
      ...(process.getuid?.() === 0 || isPackaged ? ['--no-sandbox'] : []),
      ...(options.debuggingPort ? [`--remote-debugging-port=${options.debuggingPort}`] : []),
    ],
  });
}

function installedBrowser(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named && !existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
  return named || INSTALLED.find((file) => existsSync(file));
}

async function packagedBrowser(): Promise<string> {
  // Read while the package is imported: makes it unpack the system libraries (libnss3 …) that it brings, and use them.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  // NOTE: its `args` stay unused: one of them makes the browser die with its first context, another hides CORS errors.
  return packaged.executablePath();
}
