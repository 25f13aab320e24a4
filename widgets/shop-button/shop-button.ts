/**
 * "Shop ingredients" where its script tag stands, on a page whose recipe has a list:
 *
 *     <div style="min-height:48px"><script async src="https://hq.example/widgets/shop-button.js" data-creator="ID"></script></div>
 *
 * Without a list, or when anything here fails, nothing is there. It sets no cookie, stores nothing, and moves nothing: the box
 * around it holds the place. `data-page` names another page than this one, `data-label` other words.
 */
const FILE = '/widgets/shop-button.js';
const TIMEOUT_MS = 8_000;
const LABELS: Record<string, string> = {
  de: 'Zutaten einkaufen',
  en: 'Shop ingredients',
  es: 'Comprar ingredientes',
  fr: 'Acheter les ingrédients',
  it: 'Acquista gli ingredienti',
  pt: 'Comprar ingredientes',
};
const STYLE = `a{box-sizing:border-box;display:inline-flex;align-items:center;min-height:44px;padding:8px 20px;border-radius:8px;
background:#14532d;color:#fff;font:600 16px/1.25 system-ui,sans-serif;text-decoration:none}
a:focus-visible{outline:3px solid #14532d;outline-offset:2px}a:hover{background:#166534}
@media (forced-colors:active){a{border:1px solid ButtonText}}@media print{a{display:none}}`;

async function show(tag: HTMLScriptElement): Promise<void> {
  const hub = tag.src.slice(0, tag.src.indexOf(FILE));
  const { creator = '', page = canonical(), label = LABELS[languageOf(tag)] ?? LABELS.en! } = tag.dataset;
  const response = await fetch(`${hub}/s/for?${new URLSearchParams({ creator, page })}`, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) return;
  const { url, name } = (await response.json()) as { url: string; name: string };
  if (!url.startsWith(`${hub}/s/`)) return;
  tag.after(button(url, label, name));
}

/** Nothing of what was asked of the page, such as who shared it, but where the page itself says that it matters. */
function canonical(): string {
  const said = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? '';
  return said.startsWith(`${location.origin}/`) ? said : location.origin + location.pathname;
}

function languageOf(tag: HTMLElement): string {
  return (tag.closest<HTMLElement>('[lang]')?.lang ?? '').slice(0, 2).toLowerCase();
}

/** In a shadow: the theme's links look otherwise. */
function button(url: string, label: string, name: string): HTMLElement {
  const host = document.createElement('span');
  const link = document.createElement('a');
  link.href = url;
  link.rel = 'nofollow';
  link.textContent = label;
  link.setAttribute('aria-label', `${label}: ${name}`);
  const style = document.createElement('style');
  style.textContent = STYLE;
  host.attachShadow({ mode: 'open' }).append(style, link);
  return host;
}

for (const tag of document.querySelectorAll<HTMLScriptElement>(`script[src*="${FILE}"][data-creator]`)) {
  if (tag.dataset.shown !== undefined) continue;
  tag.dataset.shown = '';
  show(tag).catch(() => {});
}
