/**
 * What only subscribers or members read: the page has walls, the same for everybody, and the parts behind them are fetched for a
 * browser with a pass. Without one nothing is asked.
 */
const TIMEOUT_MS = 12_000;
/** The plugin sets them beside the passes themselves, which scripts cannot read. Each reads what is for those before, too. */
const SUBSCRIBER = /(?:^|; )chq_open=1/;
/** Until when they are a member, 0 of other readers; then posts that are open besides, and 0 where any may be. */
const READER = /(?:^|; )chq_member=(\d+)((?:\.\d+)*)/;
/** Posts that this browser read as a member within half a day. */
const COOKING = /(?:^|; )chq_cooking=([\d.]+)/;
const PARAMETER = 'chq-pass';

/** `walls`: what those say that stay, by for whom they are; `says`: what stands above what opened; `note`: below. */
type Answer = { walls?: Record<string, string> } & (
  | { result: 'open'; parts: (string | null)[]; head: string; says?: string; note?: string }
  | { result: 'locked'; message: string }
);

function walls(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-chq-gate]')];
}

export function isGated(): boolean {
  return walls().length > 0;
}

/** On load: for who has a pass, or came by a link with one. */
export function openAgain(): void {
  if (!isGated()) return;
  const url = new URL(location.href);
  const pass = url.searchParams.get(PARAMETER) ?? '';
  if (pass !== '') {
    url.searchParams.delete(PARAMETER);
    history.replaceState(history.state, '', url);
  }
  const isKnown = walls().some(({ dataset: { chqFor, chqGate } }) => mayOpen(chqFor ?? '', chqGate ?? ''));
  const cooking = COOKING.exec(document.cookie)?.[1]?.split('.') ?? [];
  const isCooked = cooking.includes(walls()[0]!.dataset.chqGate ?? '');
  if (pass !== '' || isKnown || isCooked) void open(pass);
}

function mayOpen(who: string, post: string): boolean {
  const reader = READER.exec(document.cookie);
  if (reader === null) return who === 'subscribers' && SUBSCRIBER.test(document.cookie);
  const posts = reader[2]!.split('.');
  return who === 'subscribers' || who === 'readers' || reader[1] !== '0' || posts.includes('0') || posts.includes(post);
}

/** A button of a wall; where nobody answers, the page itself is asked. */
async function press(form: HTMLFormElement): Promise<void> {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  await open('', '', form.dataset);
  // What it stands in is made anew by an answer.
  if (form.isConnected) HTMLFormElement.prototype.submit.call(form);
}

/** As the phone does it, else to be pasted. */
async function share(button: HTMLButtonElement): Promise<void> {
  const link = button.closest('.chq-pass')!.querySelector('input')!;
  try {
    if (navigator.share !== undefined) return await navigator.share({ url: link.value, title: document.title });
    await navigator.clipboard.writeText(link.value);
    button.textContent = button.dataset.chqShare ?? '';
  } catch {
    link.select();
  }
}

function note(html: string, last: Element | undefined): void {
  const present = document.querySelector('.chq-pass');
  if (present === null) last?.after(running(html));
  else present.replaceWith(running(html));
  const button = document.querySelector<HTMLButtonElement>('[data-chq-share]');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => void share(button));
  button.focus();
  void share(button);
}

export function listen(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.chqAct === undefined) return;
    event.preventDefault();
    void press(form);
  });
}

/**
 * @param says stands above what opened
 * @param at where to ask: a wall, or a button that does something first
 * @returns whether it is open now
 */
export async function open(pass = '', says = '', at = walls()[0]?.dataset): Promise<boolean> {
  if (at === undefined) return false;
  const fields = { post: at.chqPost ?? at.chqGate ?? '', pass, act: at.chqAct ?? '' };
  const answer =
    (await ask(at.chqOpen, JSON.stringify(fields), 'application/json')) ??
    (await ask(
      at.chqAjax,
      new URLSearchParams({ ...fields, action: 'creator_hq_open' }).toString(),
      'application/x-www-form-urlencoded',
    ));
  for (const wall of walls()) {
    const says = answer?.walls?.[wall.dataset.chqFor ?? ''];
    if (says !== undefined) wall.querySelector('.chq-wall')?.replaceChildren(running(says));
  }
  if (answer?.result !== 'open') return false;
  document.head.append(running(answer.head));
  const line = answer.says || says;
  const opens = walls().filter((wall) => typeof answer.parts[Number(wall.dataset.chqPart)] === 'string');
  if (line !== '') opens[0]?.before(statusOf(line));
  if (answer.note) note(answer.note, opens.at(-1));
  // Null: that one stays.
  for (const wall of opens) wall.replaceWith(running(answer.parts[Number(wall.dataset.chqPart)]!));
  if (opens.length === 0) return true;
  startCards();
  document.querySelector<HTMLElement>('[data-chq-says]')?.focus();
  document.dispatchEvent(new CustomEvent('chq:opened'));
  return true;
}

/** Where the first wall was: who listens to the page goes on there. */
function statusOf(text: string): HTMLElement {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.dataset.chqSays = '';
  line.tabIndex = -1;
  line.textContent = text;
  return line;
}

/** Without the fetch, as a browser without this script does it. */
export function openNatively(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = location.pathname + location.search;
  form.innerHTML = '<input type="hidden" name="creator-hq-open" value="1">';
  document.body.append(form);
  form.submit();
}

/** Null: whoever answered is not our plugin. */
async function ask(address: string | undefined, body: string, type: string): Promise<Answer | null> {
  if (!address) return null;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': type, accept: 'application/json' },
      body,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await response.json()) as Partial<Answer> | null;
    return answer?.result === 'open' || answer?.result === 'locked' ? (answer as Answer) : null;
  } catch {
    return null;
  }
}

type CardPlugins = {
  WPRecipeMaker?: { recipe?: { initFeatures?: () => void } };
  TastyRecipes?: { cookMode?: { init?: () => void } };
};

/** Where the page has the scripts of a recipe plugin already: what they offer for cards that come later [C]. Others start by themselves. */
function startCards(): void {
  const { WPRecipeMaker, TastyRecipes } = window as CardPlugins;
  WPRecipeMaker?.recipe?.initFeatures?.();
  TastyRecipes?.cookMode?.init?.();
}

/** Scripts of HTML run only when they are made anew; those that the page has already do not run twice. */
function running(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const known of template.content.querySelectorAll('link[id],style[id],script[id]')) {
    if (document.getElementById(known.id)) known.remove();
  }
  for (const script of template.content.querySelectorAll('script')) {
    const made = document.createElement('script');
    for (const { name, value } of script.attributes) made.setAttribute(name, value);
    made.async = false;
    made.text = script.text;
    script.replaceWith(made);
  }
  return template.content;
}
