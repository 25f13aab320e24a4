/** The page of a sponsor's pin, for the brand: how many saw it and went to a shop, by day. Read only, and without a name of anybody. */
import { sql } from 'kysely';
import type { AppDeps } from '#server/features/app-deps.ts';
import { creatorName } from '#server/features/creators/creator-name.ts';
import { countDays, type PinDays, sumOf } from '#server/features/pins/pin-days.ts';
import { PROOF_CODE_LENGTH } from '#server/features/pins/pins.ts';
import { html } from '#server/http/html.ts';
import { type Page, pageOf, plainPage } from './list-page.ts';

type Row = {
  creator_id: string;
  id: string;
  time_zone: string;
  product: string;
  foods: string[];
  disclosure: string;
  from: string;
  to: string;
  days: PinDays;
  isEnded: boolean;
  creatorName: string;
};
type Proof = Omit<Row, 'isEnded'>;

export const PROOF_ENDED = plainPage(
  'This page has ended',
  'The creator ended this report. Ask them if you need its figures.',
);

/** @returns null for a code of no pin */
export async function findProof(
  { db, clock }: Pick<AppDeps, 'db' | 'clock'>,
  code: string,
): Promise<Proof | 'ended' | null> {
  if (code.length !== PROOF_CODE_LENGTH || !/^[0-9A-Za-z]+$/.test(code)) return null;
  const { rows } = await sql<Row>`
    select p.creator_id, p.id, p.time_zone, p.product, p.foods, p.disclosure, p.from_day::text as from, p.to_day::text as to,
      p.days, p.proof_ended_at is not null as "isEnded", ${creatorName(sql`p.creator_id`)} as "creatorName"
    from sponsor_pins p where p.proof_code = ${code}
  `.execute(db.engine);
  const [found] = rows;
  if (found === undefined) return null;
  if (found.isEnded) return 'ended';
  return { ...found, days: await countDays(db.engine, found, found.days, clock.now()) };
}

export function proofPage({ product, foods, disclosure, from, to, time_zone: timeZone, days, ...of }: Proof): Page {
  const { seen, went } = sumOf(days);
  const byDay = Object.entries(days).toSorted(([a], [b]) => (a < b ? 1 : -1));
  const content = html`<main>
<h1><bdi>${product}</bdi></h1>
<p class="by">On shopping lists of <bdi>${of.creatorName}</bdi>, marked “<bdi>${disclosure}</bdi>”, for ${foods.join(', ')}.</p>
<p class="small">${dayInWords(from)} to ${dayInWords(to)}, days of ${timeZone.replaceAll('_', ' ')}.</p>
<dl class="sums"><div><dt>People who saw it</dt><dd>${inDigits(seen)}</dd></div><div><dt>People who went to a shop</dt><dd>${inDigits(went)}</dd></div></dl>
${
  byDay.length === 0
    ? html`<p class="empty">No one has seen it yet.</p>`
    : html`<table><thead><tr><th scope="col">Day</th><th scope="col">Saw it</th><th scope="col">Went to a shop</th></tr></thead><tbody>${byDay.map(
        ([day, counted]) =>
          html`<tr><th scope="row">${dayInWords(day)}</th><td>${inDigits(counted.seen)}</td><td>${inDigits(counted.went)}</td></tr>`,
      )}</tbody></table>`
}
<p class="small">Each person counts once a message and day, or once a minute where no message led them there; bots are left out. What they bought, shops do not tell.</p>
</main>`;
  return pageOf(product, 'en', null, content, null, 'sponsor report');
}

function inDigits(count: number): string {
  return count.toLocaleString('en-US');
}

function dayInWords(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', {
    ...{ timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' },
  });
}
