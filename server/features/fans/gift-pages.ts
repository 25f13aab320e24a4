/** Pages for who gives a membership, and for who gets one. */
import { amountLabel } from '#contract/amounts.ts';
import { html } from '#server/http/html.ts';
import { GIFT_MONTHS, giftAmount, MOST_WORDS } from './gifts.ts';
import { footer, type JoinTier, page } from './pages.ts';
import { monthsInWords } from './passes.ts';

export type GiftFields = { choice?: string; to?: string; from?: string; day?: string; words?: string };

/** @param given.days that can be chosen, as `2027-06-03` */
export function giftPage(
  handle: string,
  {
    tiers,
    days,
    said,
    wrong,
  }: { tiers: JoinTier[]; days: { first: string; last: string }; said: GiftFields; wrong?: string },
): string {
  const choices = tiers.map((tier) => ({
    tier,
    spans: GIFT_MONTHS.flatMap((months) => {
      const amount = giftAmount(tier, months);
      return amount === null ? [] : [{ value: `${tier.id} ${months}`, months, amount }];
    }),
  }));
  const first = said.choice ?? choices[0]?.spans[0]?.value;
  return page(
    { handle, title: 'Give a membership', wrong },
    html`<p>You pay once, and it doesn’t renew. They get an email on the day you choose.</p>
<form method="post">
${choices.map(
  ({
    tier,
    spans,
  }) => html`<fieldset class="tier"><legend>${tier.name}</legend>${tier.description !== '' && html`<p>${tier.description}</p>`}
${spans.map(({ value, months, amount }) => html`<label class="choice"><input type="radio" name="choice" value="${value}"${value === first && html` checked`}>${monthsInWords(months)}<b>${amountLabel(amount, tier.currency)}</b></label>`)}</fieldset>`,
)}
<label for="to">Their email</label><input id="to" name="to" type="email" autocomplete="off" required value="${said.to ?? ''}">
<label for="day">When they get it</label><input id="day" name="day" type="date" required min="${days.first}" max="${days.last}" value="${said.day ?? days.first}">
<label for="words">Your words to them, if you like</label><textarea id="words" name="words" rows="4" maxlength="${MOST_WORDS}">${said.words ?? ''}</textarea>
<label for="from">Your email</label><input id="from" name="from" type="email" autocomplete="email" required value="${said.from ?? ''}">
<button>Pay for the gift</button>
<p class="small">You pay on Stripe’s page. Prices include taxes. Your receipt goes to your email.</p>
</form>${footer(handle)}`,
  );
}

/** From the mail. */
export function openGiftPage(handle: string, { tier, until }: { tier: string; until: string }): string {
  return page(
    { handle, title: `Your gift: ${tier}` },
    html`<p>You read what is for members until ${until}. You pay nothing, and it doesn’t renew.</p>
<p>On the blog, press “Enter as a member” and type the address that this email came to.</p>
<form method="post"><button>Open my membership</button></form>${footer(handle)}`,
  );
}
