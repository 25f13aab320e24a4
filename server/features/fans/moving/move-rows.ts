/** What a row of a file of members says, and what becomes of it: the same before the run and in it. */
import type { MoveTool, MoveUse, MoveVerdict } from '#contract/member-moves.ts';
import { cleanName } from '#server/features/contacts/address-contacts.ts';
import { guessBy, keyOf, readAddress, timeOf, toolBy } from '#server/features/contacts/importing/columns.ts';

/**
 * Names as the tools write them, in lower case without spaces and signs: Substack's `email,active_subscription,expiry,plan`, Patreon's
 * `Name,Email,…,Tier,…,Charge Frequency,…,Next Charge Date`, Memberful's `Full Name,Email,Plan,…,Expiration Date`, Ghost's
 * `email,name,…,complimentary_plan,stripe_customer_id,…,tiers`; none was tried with a file of today [?].
 */
const USES: [use: Exclude<MoveUse, 'ignore'>, names: string[]][] = [
  ['email', ['email', 'emailaddress', 'mail', 'memberemail', 'subscriberemail']],
  ['name', ['name', 'fullname', 'membername', 'displayname']],
  ['tier', ['tier', 'tiers', 'plan', 'planname', 'membership', 'level', 'subscription', 'product']],
  ['paid_until', ['paiduntil', 'expiry', 'expirydate', 'expirationdate', 'expiresat', 'expires', 'expiration']],
  ['paid_until', ['nextchargedate', 'nextpaymentdate', 'nextpayment', 'nextbillingdate', 'renewsat', 'renewaldate']],
  ['paid_until', ['currentperiodend', 'currentperiodendutc', 'accessexpirationdate', 'enddate', 'until']],
  ['interval', ['interval', 'chargefrequency', 'billinginterval', 'billingperiod', 'frequency', 'cadence', 'period']],
];
/** All of these: the tool. */
const TOOLS: [tool: MoveTool, names: string[]][] = [
  ['patreon', ['email', 'patronstatus']],
  ['patreon', ['email', 'chargefrequency', 'nextchargedate']],
  ['substack', ['email', 'activesubscription', 'expiry']],
  ['ghost', ['email', 'complimentaryplan', 'labels']],
  ['memberful', ['fullname', 'email', 'plan', 'expirationdate']],
];

export function guessMoveUses(names: string[], samples: string[][]): MoveUse[] {
  return guessBy(USES, names, samples);
}

export function guessMoveTool(names: string[]): MoveTool | null {
  return toolBy(TOOLS, names);
}

const DAY_MS = 86_400_000;
const LONGEST_TEXT = 200;
/** A day beyond is a slip: Stripe begins no subscription that is charged so late. */
const LATEST_DAYS = 730;

export type SaidRow = {
  line: number;
  email: string | null;
  emailKey: string | null;
  name: string | null;
  tierName: string;
  interval: 'month' | 'year' | null;
  paidUntil: Date | null;
  /** Null: it can be read. */
  why: string | null;
};

export function readMoveRow({ line, cells }: { line: number; cells: string[] }, uses: MoveUse[], now: Date): SaidRow {
  const cell = (use: MoveUse) => (uses.indexOf(use) === -1 ? '' : (cells[uses.indexOf(use)] ?? '').trim());
  const { found, written, why } = readAddress(cell('email'));
  const day = cell('paid_until');
  const paidUntil = endOf(day, now);
  return {
    ...{ line, email: found?.address ?? (written === '' ? null : written.slice(0, LONGEST_TEXT)) },
    ...{ emailKey: found?.key ?? null, name: cleanName(cell('name')), paidUntil },
    tierName: cell('tier').slice(0, LONGEST_TEXT).toWellFormed(),
    interval: intervalOf(cell('interval')),
    why: why ?? (paidUntil === null ? whyNoDay(day) : null),
  };
}

/** A day alone is paid for to its end. */
function endOf(written: string, now: Date): Date | null {
  const at = timeOf(written, new Date(now.getTime() + LATEST_DAYS * DAY_MS));
  if (at === null || at.getTime() % DAY_MS !== 0) return at;
  return new Date(at.getTime() + DAY_MS - 1000);
}

function whyNoDay(written: string): string {
  if (written === '') return 'There is no day until which they paid.';
  return `“${written.slice(0, 40)}” isn’t a day within the next two years.`;
}

function intervalOf(written: string): SaidRow['interval'] {
  const key = keyOf(written);
  if (/^(year|annual|yr|12month)/.test(key)) return 'year';
  return /^(month|1month|mo$)/.test(key) ? 'month' : null;
}

/** What is known of an address here. `until`: of what was given to them; `Infinity`: for good. */
export type Known = { pays: boolean; untilMs: number };
type Verdict = { verdict: MoveVerdict; why: string | null };

/** Of a row that no other one of the file takes the place of. */
export function verdictOf(
  { paidUntil, tierName }: { paidUntil: Date; tierName: string },
  { tierId, known, now }: { tierId: string | null; known: Known | undefined; now: Date },
): Verdict {
  if (paidUntil <= now) return { verdict: 'past', why: null };
  if (known?.pays === true) return { verdict: 'member', why: null };
  if (known !== undefined && known.untilMs >= paidUntil.getTime()) return { verdict: 'already', why: null };
  if (tierId === null) {
    const why = tierName === '' ? 'Choose a tier.' : `Choose which of your tiers “${tierName}” is.`;
    return { verdict: 'no_tier', why };
  }
  return { verdict: 'new', why: null };
}

export type JudgedRow = SaidRow & Verdict & { tierId: string | null };

/** @param given.tiers by names in the file; `known` by the keys of addresses */
export function judgeRows(
  rows: SaidRow[],
  { tiers, known, now }: { tiers: ReadonlyMap<string, string | null>; known: ReadonlyMap<string, Known>; now: Date },
): JudgedRow[] {
  const counting = new Map<string, SaidRow & { paidUntil: Date }>();
  for (const row of rows) {
    if (row.why !== null || row.emailKey === null || row.paidUntil === null) continue;
    const before = counting.get(row.emailKey);
    if (before === undefined || before.paidUntil < row.paidUntil)
      counting.set(row.emailKey, { ...row, paidUntil: row.paidUntil });
  }
  return rows.map((row) => {
    const tierId = tiers.get(row.tierName) ?? null;
    const counts = row.why === null && row.emailKey !== null ? counting.get(row.emailKey) : undefined;
    if (counts === undefined) return { ...row, tierId, verdict: 'invalid' };
    if (counts.line !== row.line) return { ...row, tierId, verdict: 'double', why: `Line ${counts.line} counts.` };
    return { ...row, tierId, ...verdictOf(counts, { tierId, known: known.get(row.emailKey!), now }) };
  });
}
