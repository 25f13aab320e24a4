/**
 * Makes the printed forms of a page answer in place. Without this script, or when anything here fails, the browser sends the
 * form by itself and gets a page as its answer: nothing is lost, it only looks simpler.
 *
 * It touches nothing until a form is used: no request, no cookie, no storage.
 */
import { mayRecognize, recognize } from './ads.ts';
import { isGated, listen, open, openAgain, openNatively } from './gate.ts';

/** Programs are faster. People who are get held up unnoticed. */
const MIN_ELAPSED_MS = 1500;
/** The blog waits 4 seconds for Creator HQ. */
const TIMEOUT_MS = 12_000;
const WORKS_FOR_MS = 4_000;
const RESULTS = ['on_its_way', 'please_confirm', 'already_sent', 'later', 'refused', 'saved'];

/** `opens`: what only subscribers read, in this browser from now on. */
type Answer = { result: string; code?: string; message: string; opens?: boolean };

function attach(host: HTMLElement): void {
  // Older browsers, and forms that a script put into the page.
  const template = host.querySelector<HTMLTemplateElement>('template[shadowrootmode]');
  if (template && !host.shadowRoot) {
    host.attachShadow({ mode: 'open' }).append(template.content);
    template.remove();
  }
  const form = (host.shadowRoot ?? host).querySelector('form');
  const address = host.dataset.submit;
  if (!form || !address || form.dataset.attached) return;
  form.dataset.attached = '1';
  // The same press, however often it is tried, and also when the browser sends it.
  field(form, 'attempt').value = crypto.randomUUID?.() ?? '';
  form.addEventListener('submit', (event) => {
    if (form.dataset.native) return;
    event.preventDefault();
    // A second press while the first one is under way.
    if (form.getAttribute('aria-busy') === 'true') return;
    void send(form, address);
  });
}

async function send(form: HTMLFormElement, address: string): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit], button:not([type])');
  form.setAttribute('aria-busy', 'true');
  if (button) {
    button.style.minWidth = `${button.offsetWidth}px`;
    button.setAttribute('aria-disabled', 'true');
  }
  try {
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    if (fields.ads && !(await mayRecognize())) delete fields.ads;
    const answer = await ask(fields, address);
    if (answer === null) return sendNatively(form);
    if (fields.ads && answer.result !== 'refused') void recognize(fields.email ?? '');
    if (answer.opens) return void ((await open('', answer.message)) || openNatively());
    show(form, answer);
  } finally {
    form.removeAttribute('aria-busy');
    button?.removeAttribute('aria-disabled');
  }
}

/** Null: whoever answered is not our plugin. */
async function ask(fields: Record<string, string>, address: string): Promise<Answer | null> {
  try {
    const work = await workFor(fields);
    const early = MIN_ELAPSED_MS - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early + 20));
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...fields, work, elapsed: Math.round(performance.now()) }),
      // A pass is a cookie.
      credentials: isGated() ? 'same-origin' : 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await response.json()) as Partial<Answer> | null;
    return RESULTS.includes(answer?.result ?? '') && answer?.message ? (answer as Answer) : null;
  } catch {
    return null;
  }
}

/**
 * A tenth of a second or two of a phone's time, for this press and address alone: whoever has emails sent to thousands pays it
 * for each. Pages without https cannot, slow phones may give up, and what many of them send leaves in turn.
 */
async function workFor({ form, attempt, email = '' }: Record<string, string>): Promise<string | undefined> {
  if (!crypto.subtle) return undefined;
  const about = [form, attempt, email.trim().toLowerCase()].join('\n');
  const until = performance.now() + WORKS_FOR_MS;
  for (let found = 0; performance.now() < until; found++) {
    const tried = new TextEncoder().encode(`${about}\n${found}`);
    const [first, second] = new Uint8Array(await crypto.subtle.digest('SHA-256', tried));
    if (first === 0 && second! < 16) return String(found);
  }
  return undefined;
}

function sendNatively(form: HTMLFormElement): void {
  form.dataset.native = '1';
  // Not a press of the button: it may be disabled, and nothing is checked again.
  HTMLFormElement.prototype.submit.call(form);
}

function show(form: HTMLFormElement, answer: Answer): void {
  const input = field(form, 'email');
  const status = statusOf(form);
  status.textContent = answer.message;
  status.dataset.result = answer.result;
  input.setAttribute('aria-invalid', String(answer.code === 'invalid_email'));
  if (answer.code === 'invalid_email') input.focus();
  if (answer.result === 'refused') return;
  // Another address is another press.
  field(form, 'attempt').value = crypto.randomUUID?.() ?? '';
  input.value = '';
  status.tabIndex = -1;
  status.focus();
}

function statusOf(form: HTMLFormElement): HTMLElement {
  const present = form.querySelector<HTMLElement>('[role=status]');
  if (present) return present;
  const made = document.createElement('p');
  made.setAttribute('role', 'status');
  form.append(made);
  return made;
}

function field(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

for (const host of document.querySelectorAll<HTMLElement>('creator-hq-form')) {
  try {
    attach(host);
  } catch {
    // The form goes on working without this script.
  }
}
listen();
openAgain();
