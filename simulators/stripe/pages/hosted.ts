/** Stripe's pages, as a payer meets them: checkout, an invoice, and the bank's question in between. */

import { ACCOUNT_STATES, setState, visitLink } from '../resources/accounts.ts';
import {
  attach,
  makeBankAccount,
  makeCard,
  TEST_ACCOUNTS,
  TEST_CARDS,
  updateCustomer,
} from '../resources/customers.ts';
import { attempt } from '../resources/invoices.ts';
import { pay, returnAddress, totalWith } from '../resources/sessions.ts';
import { settleOutcome } from '../resources/subscriptions.ts';
import { Params } from '../wire/params.ts';
import { Refusal } from '../wire/refusal.ts';
import type { InvoiceRow, PortalSessionRow, SessionRow } from '../wire/rows.ts';
import type { World } from '../world.ts';
import { escaped, htmlPage, money } from './html.ts';

export type PageReply = { status: number; html?: string; location?: string };

/** @returns null: there is no such page */
export function servePage(world: World, path: string, form: URLSearchParams | null): PageReply | null {
  const [, kind, id = '', what] = path.split('/');
  const session = kind === 'pay' ? world.sessions.find(id) : undefined;
  if (session !== undefined) return checkout(world, session, form);
  const invoice = kind === 'invoice' ? world.invoices.find(id) : undefined;
  if (invoice !== undefined) return what === 'pdf' ? receipt(invoice) : invoicePage(world, invoice, form);
  const visit = kind === 'portal' ? world.portalSessions.find(id) : undefined;
  if (visit !== undefined) return portalPage(world, visit, form);
  const visited = kind === 'onboarding' ? visitLink(world, id, form !== null) : undefined;
  if (visited !== undefined) return onboarding(world, visited, form);
  const intent = kind === 'confirm' ? world.paymentIntents.find(id) : undefined;
  if (intent === undefined) return null;
  if (form === null) return show('Your bank asks', question(`/confirm/${id}`, {}));
  confirm(world, id, form.get('answer') === 'yes');
  return show('Thank you', '<p>You can close this page.</p>');
}

/** What Stripe asks of a creator, played by choosing what comes of it. */
function onboarding(
  world: World,
  visited: NonNullable<ReturnType<typeof visitLink>>,
  form: URLSearchParams | null,
): PageReply {
  const { account, useCase } = visited;
  if (account === null) return { status: 303, location: useCase.refresh_url };
  if (form !== null) {
    const state = ACCOUNT_STATES.find((one) => one === form.get('state'));
    if (state !== undefined && form.get('act') === 'submit') setState(world, account.id, state);
    return { status: 303, location: useCase.return_url };
  }
  const states = ['ready', ...ACCOUNT_STATES.filter((one) => one !== 'ready' && one !== 'closed')];
  return show(
    'Your business',
    `<p>${escaped(account.display_name ?? account.id)}</p><form method="post"><label>What comes of it<select name="state">${states
      .map((one) => `<option>${one}</option>`)
      .join('')}</select></label>
<button name="act" value="submit">Submit</button><button class="quiet" name="act" value="later">Save for later</button></form>`,
  );
}

/** @param isConfirmed false: the bank was told no */
export function confirm(world: World, intentId: string, isConfirmed: boolean): void {
  const intent = world.paymentIntents.get(intentId);
  const invoice = world.invoices
    .all()
    .find((one) => one.payments.data.some(({ payment }) => payment.payment_intent === intentId));
  if (intent.status !== 'requires_action' || invoice?.status !== 'open') return;
  const method = intent.payment_method!;
  if (!isConfirmed) {
    world.change(intent, { status: 'requires_payment_method', next_action: null }, 'payment_intent.payment_failed');
    return;
  }
  payInvoice(world, invoice, method, true);
}

function payInvoice(world: World, invoice: InvoiceRow, method: string, isConfirmed: boolean) {
  const outcome = attempt(world, invoice, { method, isConfirmed });
  const subscription = world.subscriptions.find(invoice.parent?.subscription_details.subscription ?? '');
  const isGood = outcome.kind === 'paid' || outcome.kind === 'processing';
  if (subscription !== undefined && isGood) settleOutcome(world, subscription, invoice, outcome);
  return outcome;
}

function show(title: string, body: string, status = 200): PageReply {
  return { status, html: htmlPage(title, body) };
}

function checkout(world: World, session: SessionRow, form: URLSearchParams | null): PageReply {
  if (session.status === 'complete') return { status: 303, location: returnAddress(session) };
  if (session.status === 'expired') return show('This page has expired', '<p>Nothing was charged.</p>', 410);
  const ask = (total: number, said: Record<string, string>, error?: string, status?: number) =>
    show(payLabel(session), payForm(session, total, said, error), status);
  if (form === null) return ask(session.amount_total ?? 0, {});
  const typed = (name: string) => (form.get(name) ?? '').trim();
  const fields = {
    email: typed('email'),
    name: typed('name'),
    number: typed('number').replaceAll(' ', ''),
    code: typed('code'),
  };
  try {
    if (form.get('act') === 'code') return ask(totalWith(world, session, fields.code), fields);
    const answer = typed('answer');
    if (answer === 'no') return ask(session.amount_total ?? 0, fields, 'Your bank did not confirm.', 402);
    const done = pay(world, session, { ...fields, isConfirmed: answer === 'yes' });
    if (done === 'confirm') return show('Your bank asks', question(`/pay/${session.id}`, fields));
    return { status: 303, location: returnAddress(session) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return ask(session.amount_total ?? 0, fields, error.message, error.status);
  }
}

function payLabel({ mode }: SessionRow): string {
  return mode === 'payment' ? 'Pay' : 'Subscribe';
}

function payForm(session: SessionRow, total: number, said: Record<string, string>, error = ''): string {
  const input = (name: string, label: string, type = 'text') =>
    `<label>${label}<input name="${name}" type="${type}" value="${escaped(said[name] ?? '')}"></label>`;
  const email = session.customer === null ? input('email', 'Email', 'email') : '';
  const back = session.cancel_url === null ? '' : `<p><a href="${escaped(session.cancel_url)}">Back</a></p>`;
  const code = session.allow_promotion_codes
    ? `${input('code', 'Promotion code')}<button class="quiet" name="act" value="code">Apply</button>`
    : '';
  return `${error && `<p class="error" role="alert">${escaped(error)}</p>`}<p>Total due today: <b>${money(total, session.currency ?? 'usd')}</b></p>
<form method="post">${email}${input('name', 'Name')}${methodInput(said.number)}${code}<button name="act" value="pay">${payLabel(session)}</button></form>${back}`;
}

function methodInput(number = '4242424242424242'): string {
  const all = [...Object.entries(TEST_CARDS), ...Object.entries(TEST_ACCOUNTS)];
  const known = all.map(([one, { kind }]) => `<option value="${one}">${kind}</option>`).join('');
  return `<label>Card number or IBAN<input name="number" list="known" value="${escaped(number)}"></label><datalist id="known">${known}</datalist>`;
}

function question(action: string, fields: Record<string, string>): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  return `<p>Is this payment yours?</p><form method="post" action="${action}">${hidden.join('')}
<button name="answer" value="yes">Confirm</button><button class="quiet" name="answer" value="no">Refuse</button></form>`;
}

function invoicePage(world: World, invoice: InvoiceRow, form: URLSearchParams | null): PageReply {
  const title = `Invoice ${invoice.number}`;
  const total = money(invoice.amount_due, invoice.currency);
  if (invoice.status !== 'open') return show(title, `<p>${total}. It is ${invoice.status}.</p>`);
  const ask = (error: string) =>
    `${error && `<p class="error" role="alert">${escaped(error)}</p>`}<p><b>${total}</b></p><form method="post">${methodInput()}<button>Pay</button></form>`;
  if (form === null) return show(title, ask(''));
  try {
    const number = (form.get('number') ?? '').replaceAll(' ', '');
    const customer = world.customers.get(invoice.customer);
    const isAccount = TEST_ACCOUNTS[number] !== undefined;
    const method = isAccount
      ? makeBankAccount(world, number, customer.id)
      : attach(world, makeCard(world, number, null).id, customer);
    const outcome = payInvoice(world, invoice, method.id, false);
    if (outcome.kind === 'confirm')
      return { status: 303, location: `/confirm/${invoice.payments.data[0]!.payment.payment_intent}` };
    if (outcome.kind === 'declined') return show(title, ask('Your card was declined.'), 402);
    keepMethod(world, invoice, method.id);
    return { status: 303, location: `/invoice/${invoice.id}` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return show(title, ask(error.message), error.status);
  }
}

/** What paid is tried first the next time. */
function keepMethod(world: World, invoice: InvoiceRow, method: string): void {
  const subscription = world.subscriptions.find(invoice.parent?.subscription_details.subscription ?? '');
  if (subscription !== undefined) {
    world.change(subscription, { default_payment_method: method }, 'customer.subscription.updated');
  }
}

function portalPage(world: World, visit: PortalSessionRow, form: URLSearchParams | null): PageReply {
  const customer = world.customers.get(visit.customer);
  const { features } = world.portalConfigurations.get(visit.configuration);
  const back = visit.return_url === null ? '' : `<p><a href="${escaped(visit.return_url)}">Back</a></p>`;
  const canRename = features.customer_update.enabled && features.customer_update.allowed_updates.includes('email');
  const email = canRename
    ? `<label>Email<input name="email" type="email" value="${escaped(customer.email ?? '')}"></label>`
    : '';
  const invoices = features.invoice_history.enabled
    ? world.invoices.all().filter((invoice) => invoice.customer === customer.id && invoice.status !== 'draft')
    : [];
  const history = invoices.map(
    ({ number, total, currency, status, hosted_invoice_url }) =>
      `<li><a href="${escaped(hosted_invoice_url ?? '')}">${escaped(number ?? '')}</a> ${money(total, currency)} ${status}</li>`,
  );
  const ask = (says: string) =>
    `${says}${history.length > 0 ? `<h2>Invoices</h2><ul>${history.join('')}</ul>` : ''}<form method="post">${email}${features.payment_method_update.enabled ? methodInput() : ''}<button>Save</button></form>${back}`;
  if (form === null) return show('Your billing', ask(''));
  try {
    if (features.payment_method_update.enabled) {
      const method = attach(world, makeCard(world, (form.get('number') ?? '').replaceAll(' ', ''), null).id, customer);
      const settings = { ...customer.invoice_settings, default_payment_method: method.id };
      world.change(customer, { invoice_settings: settings }, 'customer.updated');
    }
    const typed = form.get('email');
    if (canRename && typed !== null) updateCustomer(world, customer, new Params({ email: typed }));
    return show('Your billing', ask('<p role="status">Saved.</p>'));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return show('Your billing', ask(`<p class="error" role="alert">${escaped(error.message)}</p>`), error.status);
  }
}

/** Not a PDF: a page in its place. */
function receipt(invoice: InvoiceRow): PageReply {
  const rows = invoice.lines.data.map(
    ({ description, amount }) => `<tr><td>${escaped(description ?? '')}<td>${money(amount, invoice.currency)}`,
  );
  return show(
    `Invoice ${invoice.number}`,
    `<table>${rows.join('')}</table><p><b>${money(invoice.total, invoice.currency)}</b> ${invoice.status}</p>`,
  );
}
