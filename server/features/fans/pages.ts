/** Pages of a creator's members: HTML of the server, without script, for any phone. */
import { amountLabel } from '#contract/amounts.ts';
import { LEAVING_REASONS } from '#contract/members.ts';
import type { Tier } from '#contract/tiers.ts';
import { Html, hashOf, html } from '#server/http/html.ts';
import { type Code, lowered, takenOffInWords } from './codes.ts';

const STYLE = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #faf7f2; }
main { box-sizing: border-box; width: 100%; max-width: 28rem; padding: 2rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.75rem; }
h2 { font-size: 1.15rem; margin: 0; }
p { margin: 0.5rem 0; }
.creator { font-weight: 600; margin: 0 0 1rem; }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input:not([type=radio]), textarea { box-sizing: border-box; width: 100%; min-height: 48px; padding: 0.5rem 0.75rem; border: 1px solid #77706a; border-radius: 8px; font: inherit; color: inherit; background: #fff; }
fieldset { margin: 1rem 0; padding: 0; border: 0; }
legend { float: inline-start; width: 100%; padding: 0 0 0.5rem; font-size: 1.15rem; font-weight: 600; } legend + * { clear: both; }
.choice { display: flex; gap: 0.75rem; align-items: center; min-height: 48px; margin: 0.5rem 0; padding: 0.5rem 0.9rem; border: 1px solid #b9b1a8; border-radius: 8px; font-weight: 400; cursor: pointer; }
.choice:has(:checked) { border-color: #1e6b4a; box-shadow: inset 0 0 0 1px #1e6b4a; }
.choice input { width: 1.2rem; height: 1.2rem; flex: none; accent-color: #1e6b4a; }
.choice b { margin-inline-start: auto; white-space: nowrap; }
.tier { margin: 1.5rem 0; padding: 1rem 1.1rem; border: 1px solid #ded6cb; border-radius: 12px; background: #fff; }
.tier img { display: block; width: 100%; max-height: 14rem; margin: 0 0 0.75rem; border-radius: 8px; object-fit: cover; }
.address { display: block; font-size: 1.2rem; }
.code { font-size: 1.5rem; letter-spacing: 0.3em; }
button, .button { box-sizing: border-box; display: inline-block; width: 100%; min-height: 48px; margin: 1rem 0 0; padding: 0.6rem 1.5rem; border: 0; border-radius: 8px; background: #1e6b4a; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.quiet { background: none; color: inherit; box-shadow: inset 0 0 0 1px #88807a; }
:focus-visible { outline: 3px solid currentcolor; outline-offset: 3px; }
summary { padding: 0.6rem 0; cursor: pointer; } s { font-weight: 400; opacity: 0.8; } .sr { position: absolute; clip-path: inset(50%); }
.wrong { padding: 0.75rem 1rem; border-radius: 8px; background: #b3261e1f; }
.small, footer { font-size: 0.9rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 0.75rem 0; }
dt { opacity: 0.8; } dd { margin: 0; text-align: end; }
footer { margin-top: 2rem; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
a { color: inherit; } footer a, .line a { display: inline-block; padding: 0.6rem 0; margin-inline-end: 1.25rem; }
.device { display: flex; align-items: center; gap: 1rem; justify-content: space-between; }
.device button { width: auto; margin: 0.25rem 0; white-space: nowrap; }
@media (prefers-color-scheme: dark) { body { color: #efe9e1; background: #1d1a17; } input:not([type=radio]), textarea, .tier { background: #2b2622; border-color: #a39b93; } .choice:has(:checked) { border-color: #6fc39b; box-shadow: inset 0 0 0 1px #6fc39b; } }
`;

/** @param formAction where forms lead, after redirects too: Chrome heeds it there */
export function pagePolicy(formAction = "'self'"): string {
  return [
    ...["default-src 'none'", `style-src ${hashOf(STYLE)}`, `form-action ${formAction}`, "base-uri 'none'"],
    "frame-ancestors 'none'",
  ].join('; ');
}

type Page = { handle: string; title: string; wrong?: string | undefined };

const TITLES = { account: 'Your membership', members: 'Enter as a member', readers: 'Read on for free' };

export function emailPage(
  handle: string,
  { email = '', wrong, forWhat = 'members' }: { email?: string; wrong?: string; forWhat?: keyof typeof TITLES } = {},
): string {
  return page(
    { handle, title: TITLES[forWhat], wrong },
    html`<p>Type ${forWhat === 'readers' ? 'your email address' : 'the email address of your membership'}. We send a code there.</p>
<form method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${email}">
<button>Send me a code</button>
</form>${footer(handle)}`,
  );
}

export type CodeGoesTo = 'members' | 'present_member' | 'anyone';

/** @param state sealed; what was asked for */
export function codePage(
  handle: string,
  { email, state, wrong, toWhom = 'members' }: { email: string; state: string; wrong?: string; toWhom?: CodeGoesTo },
): string {
  const address = html`<strong>${email}</strong>`;
  const says = {
    members: html`If there is a membership for ${address}, a code is on its way there.`,
    present_member: html`${address} is a member already. A code is on its way there.`,
    anyone: html`A code is on its way to ${address}.`,
  };
  return page(
    { handle, title: 'Type the code', wrong },
    html`<p>${says[toWhom]} Keep this page open, and type it here.</p>
<form method="post">
<label for="code">Code</label>
<input id="code" class="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="14" required>
<input type="hidden" name="state" value="${state}">
<button>Enter</button>
</form>
<form method="post"><input type="hidden" name="again" value="1"><input type="hidden" name="typed" value="${email}"><button class="quiet">Use another address, or another code</button></form>`,
  );
}

/** Leads on by itself; where that is switched off, by its button. @param url of the blog */
export function enteredPage(handle: string, url: string): string {
  return page(
    { handle, title: 'You’re in' },
    html`<p>You go back to the recipe now.</p><a class="button" href="${url}">Read on</a>`,
    html`<meta http-equiv="refresh" content="0;url=${url}">`,
  );
}

/**
 * @param given.url that leads to the recipe; null: they came from no blog
 * @param given.mendUrl where a mistyped address is changed; null: it is not
 */
export function joinedPage(
  handle: string,
  { email, url, mendUrl }: { email: string; url: string | null; mendUrl: string | null },
): string {
  return page(
    { handle, title: 'You’re a member' },
    html`<p>Your membership is for <strong class="address">${email}</strong> A confirmation is on its way there.</p>
${url === null ? html`<p>On the blog, press “Enter as a member” and type this address.</p>` : html`<a class="button" href="${url}">Back to the recipe</a>`}
${mendUrl !== null && html`<details><summary>Wrong address? Change it</summary><form method="post" action="${mendUrl}">${newAddress()}</form></details>`}${footer(handle)}`,
  );
}

export type JoinTier = Pick<
  Tier,
  'id' | 'name' | 'description' | 'pictureUrl' | 'currency' | 'month' | 'year' | 'trialDays'
>;

/** `typed`: as it was; `code`: null where it takes nothing off. */
export type JoinCode = { typed: string; code: Code | null; wrong?: string };

/**
 * @param given.said what was typed before; `query`: of the address, so that the way back to the blog is kept; `paidUntil`: the day,
 *   where they paid elsewhere, which holds for their address alone
 */
export function joinPage(
  handle: string,
  {
    tiers,
    isOpen,
    isClosed,
    said,
    wrong,
    query,
    paidUntil = null,
    code: { typed, code, wrong: wrongCode } = { typed: '', code: null },
  }: {
    tiers: JoinTier[];
    isOpen: boolean;
    isClosed: boolean;
    said: { email?: string; choice?: string; sure?: string };
    wrong?: string;
    query: string;
    paidUntil?: string | null;
    code?: JoinCode;
  },
): string {
  if (isClosed) {
    const says = 'The creator closes their memberships, and takes no new members.';
    return page({ handle, title: 'Closed for new members' }, html`<p>${says}</p>${footer(handle)}`);
  }
  if (!isOpen || tiers.length === 0) {
    const says = 'You can’t become a member here yet. Come back soon.';
    return page({ handle, title: 'Not open yet' }, html`<p>${says}</p>${footer(handle)}`);
  }
  const choices = tiers.flatMap((tier) =>
    (['month', 'year'] as const).flatMap((interval) => (tier[interval] === null ? [] : { tier, interval })),
  );
  const values = choices.map(({ tier, interval }) => `${tier.id} ${interval}`);
  const sameTier = values.find((value) => value.split(' ')[0] === said.choice?.split(' ')[0]);
  const first = values.find((value) => value === said.choice) ?? sameTier ?? values[0];
  const total = paidUntil !== null || tiers.some(({ trialDays }) => trialDays > 0);
  return page(
    { handle, title: 'Become a member', wrong: wrong ?? wrongCode },
    html`<p>Read what is for members only, without ads. Cancel any time.</p>
${paidUntil !== null && html`<p><strong>You’ve paid until ${paidUntil}. Nothing is charged before.</strong></p>`}
${code !== null && html`<p class="tier" role="status">Code <b>${code.code}</b>: ${takenOffInWords(code)}${code.newOnly && ', for new members only'}.</p>`}<form method="post" action="${query}">
${tiers.map(
  (
    tier,
  ) => html`<fieldset class="tier"><legend>${tier.name}</legend>${tier.pictureUrl !== null && html`<img src="${tier.pictureUrl}" alt="">`}${tier.description !== '' && html`<p>${tier.description}</p>`}
${(['month', 'year'] as const).map((interval) => {
  const amount = tier[interval];
  if (amount === null) return null;
  const value = `${tier.id} ${interval}`;
  const less = code === null ? null : lowered(code, tier, amount);
  return html`<label class="choice"><input type="radio" name="choice" value="${value}"${value === first && html` checked`}>${interval === 'month' ? 'Monthly' : 'Yearly'}<b>${less !== null && less !== amount && html`<s><span class="sr">Before: </span>${amountLabel(amount, tier.currency)}</s> `}${amountLabel(less ?? amount, tier.currency)}</b></label>`;
})}${tier.trialDays > 0 && (code === null || lowered(code, tier, 0) === null) && html`<p class="small">The first ${tier.trialDays} days are free for new members.</p>`}</fieldset>`,
)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${said.email ?? ''}"${paidUntil !== null && html` readonly`}>
${said.sure !== undefined && html`<input type="hidden" name="sure" value="${said.sure}">`}<button>${total ? 'Go on to Stripe' : 'Join and pay'}</button>
<p class="small">You pay on Stripe’s page. Prices include taxes. It renews by itself until you cancel.</p>
<details${typed !== '' && html` open`}><summary>Have a code?</summary><label for="code">Code</label><input id="code" name="code" autocomplete="off" maxlength="100" value="${typed}"><button class="quiet" name="act" value="code" formnovalidate>Use code</button></details>
</form>
<p class="line"><a href="/join/${encodeURIComponent(handle)}/account">I’m a member already</a> <a href="/join/${encodeURIComponent(handle)}/gift">Give it to someone</a></p>${footer(handle)}`,
  );
}

export type FanAccount = {
  email: string;
  tier: string | null;
  /** What they pay; null: nothing. */
  price: string | null;
  /** In words: what happens next, and when. */
  says: string;
  isLate: boolean;
  /** They canceled, and did not say why. */
  asksWhy: boolean;
  canCancel: boolean;
  canKeep: boolean;
  isPaid: boolean;
  /** A change for the end of what is paid. */
  canUnplan: boolean;
  /** What it can be changed to. */
  choices: { value: string; label: string; price: string }[];
  /** Back to the blog that they came from. */
  backUrl: string | null;
  devices: { id: string; says: string; isThis: boolean }[];
};

export function accountPage(handle: string, account: FanAccount, said: string | null): string {
  const base = `/join/${encodeURIComponent(handle)}`;
  const act = (what: string, label: string, quiet = true) =>
    html`<form method="post"><button name="act" value="${what}"${quiet && html` class="quiet"`}>${label}</button></form>`;
  return page(
    { handle, title: 'Your membership' },
    html`${said !== null && html`<p class="wrong" role="status">${said}</p>`}
<section class="tier"><h2>${account.tier ?? 'No membership'}</h2>
<dl><dt>Email</dt><dd>${account.email}</dd>${account.price !== null && html`<dt>Price</dt><dd>${account.price}</dd>`}</dl>
<p>${account.says}</p>
${account.backUrl !== null && html`<a class="button" href="${account.backUrl}">Back to the recipe</a>`}${account.isLate && act('pay', 'Pay now', false)}${account.canKeep && act('keep', 'Keep my membership', false)}${account.canUnplan && act('keep', `Stay with ${account.tier}`)}${account.isPaid && act('card', 'Card, address and invoices')}${account.canCancel && act('cancel', 'Cancel membership')}${account.tier === null && html`<a class="button" href="${base}">Become a member</a>`}</section>
${
  account.asksWhy &&
  html`<form method="post" class="tier"><h2>Why do you leave?</h2>
<p class="small">You don’t have to say. The creator sees it.</p>
${Object.entries(LEAVING_REASONS).map(([value, label]) => html`<label class="choice"><input type="radio" name="reason" value="${value}" required>${label}</label>`)}
<button class="quiet" name="act" value="why">Tell them</button></form>`
}${
  account.choices.length > 0 &&
  html`<form method="post" class="tier"><h2>Change your membership</h2>
${account.choices.map(({ value, label, price }, at) => html`<label class="choice"><input type="radio" name="choice" value="${value}"${at === 0 && html` checked`}>${label}<b>${price}</b></label>`)}
<button class="quiet" name="act" value="preview">See what it costs</button></form>`
}
<section><h2>Where you’re logged in</h2>
${account.devices.map(
  ({ id, says, isThis }) =>
    html`<form method="post" class="device"><span>${says}${isThis && ' (this one)'}</span><input type="hidden" name="device" value="${id}"><button class="quiet" name="act" value="sign_out">Log out</button></form>`,
)}</section>
<section class="tier"><h2>Your data</h2>
<a class="button quiet" href="${base}/account/email">Change your email address</a>
<a class="button quiet" href="${base}/account/data" download>Download your data</a>
<a class="button quiet" href="${base}/account/delete">Delete your data</a></section>${footer(handle)}`,
  );
}

function newAddress(email = ''): Html {
  return html`<label for="email">New email address</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${email}">
<button>Send a code there</button>`;
}

export function addressPage(handle: string, { email, wrong }: { email?: string; wrong?: string }): string {
  return page(
    { handle, title: 'Change your email address', wrong },
    html`<p>We send a code to the new address. Once you’ve typed it, your membership is there.</p>
<form method="post">${newAddress(email)}</form>${footer(handle)}`,
  );
}

/** @param given.change that was asked for */
export function addressCodePage(
  handle: string,
  { email, change, wrong }: { email: string; change: string; wrong?: string },
): string {
  return page(
    { handle, title: 'Type the code', wrong },
    html`<p>A code is on its way to <strong>${email}</strong>. Keep this page open, and type it here.</p>
<form method="post">
<label for="code">Code</label>
<input id="code" class="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="14" required>
<input type="hidden" name="change" value="${change}"><input type="hidden" name="email" value="${email}">
<button>Change my address</button>
</form>
<details><summary>Another address, or another code</summary><form method="post">${newAddress(email)}</form></details>`,
  );
}

export function undoAddressPage(handle: string): string {
  return page(
    { handle, title: 'That was not you?' },
    html`<p>Your membership comes back to your address, and no one is logged in any longer.</p><form method="post"><button>That was not me</button></form>`,
  );
}

/** @param given.ends what becomes of their membership; null: there is none */
export function deletePage(handle: string, { ends, wrong }: { ends: string | null; wrong?: string }): string {
  return page(
    { handle, title: 'Delete everything about you?', wrong },
    html`${ends !== null && html`<p><strong>${ends}</strong></p>`}
<p>What is held about you for @${handle} is deleted for good: your address, your membership and its story, and where you’re logged in. If you wrote to them on Instagram and they know that it’s you, that goes, too. The sums of what you paid stay in their books, without your name.</p>
<form method="post"><button>Delete everything</button></form><a class="button quiet" href="/join/${encodeURIComponent(handle)}/account">Keep it</a>${footer(handle)}`,
  );
}

/** Before anything is charged. */
export function changePage(
  handle: string,
  {
    to,
    says,
    lines,
    token,
    isNow,
  }: { to: string; says: string[]; lines: [string, string][]; token: string; isNow: boolean },
): string {
  return page(
    { handle, title: `Change to ${to}` },
    html`<section class="tier">${lines.length > 0 && html`<dl>${lines.map(([label, amount]) => html`<dt>${label}</dt><dd>${amount}</dd>`)}</dl>`}${says.map((one) => html`<p>${one}</p>`)}
<form method="post"><input type="hidden" name="token" value="${token}"><button name="act" value="change">${isNow ? 'Change it now' : 'Plan this change'}</button><button class="quiet">Back</button></form></section>${footer(handle)}`,
  );
}

export function endPage(
  handle: string,
  {
    what,
    said = {},
    wrong,
  }: { what: 'cancel' | 'withdraw'; said?: { email?: string; name?: string; of?: string }; wrong?: string },
): string {
  const cancels = what === 'cancel';
  return page(
    { handle, title: cancels ? 'Cancel membership here' : 'Withdraw from contract here', wrong },
    html`<p>${cancels ? 'You read on until the end of what is paid, and nothing more is charged.' : 'Within 14 days of paying: your membership ends, or the gift that you gave, as long as it hasn’t begun. You get back all you paid.'} You don’t have to log in.</p>
<form method="post">${
      !cancels &&
      html`<fieldset><legend>What you withdraw from</legend>${(['membership', 'gift'] as const).map((of) => html`<label class="choice"><input type="radio" name="of" value="${of}"${of === (said.of ?? 'membership') && html` checked`}>${of === 'gift' ? 'A gift that I gave' : 'My membership'}</label>`)}</fieldset>`
    }
<label for="name">Your name</label><input id="name" name="name" autocomplete="name" maxlength="100" value="${said.name ?? ''}">
<label for="email">${cancels ? 'Email address of the membership' : 'Your email address'}</label><input id="email" name="email" type="email" autocomplete="email" required value="${said.email ?? ''}">
<button>${cancels ? 'Cancel now' : 'Confirm withdrawal'}</button>
</form>${footer(handle)}`,
  );
}

/** The same whether there is a membership or not. */
export function endedPage(handle: string, { what, at }: { what: 'cancel' | 'withdraw'; at: Date }): string {
  const moment = `${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 16)} UTC`;
  return page(
    { handle, title: what === 'cancel' ? 'Your cancellation was received' : 'Your withdrawal was received' },
    html`<p>On ${moment}. If there is a ${what === 'cancel' ? 'membership' : 'contract'} for this address, a confirmation with its content is on its way there.</p>${footer(handle)}`,
  );
}

export function keepPage(handle: string): string {
  return page(
    { handle, title: 'Keep your membership?' },
    html`<p>It was canceled, or withdrawn from. If that wasn’t you, keep it.</p><form method="post"><button>Keep my membership</button></form>`,
  );
}

export function sayingPage(handle: string, title: string, says: string, link?: { label: string; url: string }): string {
  return page(
    { handle, title },
    html`<p>${says}</p>${link !== undefined && html`<a class="button" href="${link.url}">${link.label}</a>`}`,
  );
}

export function footer(handle: string): Html {
  const base = `/join/${encodeURIComponent(handle)}`;
  return html`<footer><a href="${base}/account">Your membership</a><a href="${base}/cancel">Cancel membership here</a><a href="${base}/withdraw">Withdraw from contract here</a></footer>`;
}

export function page({ handle, title, wrong }: Page, content: Html, head: Html | null = null): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
${new Html(`<style>${STYLE}</style>`)}
</head>
<body><main><p class="creator"><bdi>@${handle}</bdi></p><h1>${title}</h1>${wrong !== undefined && html`<p class="wrong" role="alert">${wrong}</p>`}${content}</main></body>
</html>
`.text;
}
