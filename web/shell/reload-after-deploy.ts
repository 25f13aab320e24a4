/**
 * A deploy takes the code files of the version before away. A tab from before it then fails to fetch a screen it has not
 * shown yet; reloading the page brings the new version.
 */
const KEY = 'reloaded for a new version';

type Browser = {
  /** The page as the server has it now. @throws without an answer */
  fetchPage(): Promise<string>;
  /** Addresses of the scripts that this tab runs, as they stand in its page. */
  ownScripts: readonly string[];
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  reload(): void;
};

/**
 * After a screen's code could not be fetched: is there a new version, this tab loads it, once.
 * @returns false when that is not it (no connection, the same version, or it was tried for this version already)
 */
export async function reloadAfterDeploy(browser: Browser): Promise<boolean> {
  const page = await browser.fetchPage().catch(() => null);
  if (page === null || browser.ownScripts.length === 0) return false;
  if (browser.ownScripts.every((script) => page.includes(script))) return false;
  try {
    const before = browser.ownScripts.join(' ');
    if (browser.storage.getItem(KEY) === before) return false;
    browser.storage.setItem(KEY, before);
  } catch {
    return false; // storage may be forbidden, and without it this could go on for ever
  }
  browser.reload();
  return true;
}

/** This tab, for `reloadAfterDeploy`. */
export function thisBrowser(pagePath: string): Browser {
  return {
    fetchPage: async () => {
      const answer = await fetch(pagePath, { cache: 'no-store', headers: { accept: 'text/html' } });
      if (!answer.ok) throw new Error(`The page answered ${answer.status}`);
      return answer.text();
    },
    ownScripts: [...document.querySelectorAll('script[type="module"][src]')].map(
      (script) => script.getAttribute('src') ?? '',
    ),
    storage: sessionStorage,
    reload: () => location.reload(),
  };
}
