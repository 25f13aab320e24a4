/** Opening that is tested: a link of its own to each app link, which asks on the creator's phone whether the app came up. The one writer of `opening_tests`. */
import { timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { OpeningTest } from '#contract/app-links.ts';
import type { Opening } from '#contract/opening-rules.ts';
import type { Clock } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import type { CreatorHash } from '#server/features/contacts/creator-secret.ts';

/** What the page's two buttons say. */
export const ANSWERS = ['worked', 'failed'] as const;

const PREFIX = 'test-';
const MARK_CHARACTERS = 16;

/** Stands behind the code, in place of a channel: nobody who has the link can answer for its creator. */
export function testPart(hash: CreatorHash, code: string): string {
  return PREFIX + hash('opening_test', code).slice(0, MARK_CHARACTERS);
}

export function looksLikeTest(part: string | undefined): part is string {
  return part?.startsWith(PREFIX) === true;
}

export function isTestOf(hash: CreatorHash, code: string, part: string): boolean {
  const [given, wanted] = [Buffer.from(part), Buffer.from(testPart(hash, code))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export async function saveAnswer(
  { db, clock }: { db: { engine: Kysely<Tables> }; clock: Clock },
  of: { creatorId: string; app: string; system: string; opening: Opening; worked: boolean },
): Promise<void> {
  const { opening } = of;
  const answer = { worked: of.worked, rule: ruleOf(opening), tested_at: clock.now() };
  await db.engine
    .insertInto('opening_tests')
    .values({
      ...{ creator_id: of.creatorId, app: of.app, system: of.system, target: opening.target?.id ?? '', ...answer },
    })
    .onConflict((conflict) => conflict.columns(['creator_id', 'app', 'system', 'target']).doUpdateSet(answer))
    .execute();
}

/** "instagram, 2026-09": the way that is tried first, and the month from which it is known. */
function ruleOf({ attempts: [first] }: Opening): string {
  return first === undefined ? '' : `${first.href.split(':')[0]}, ${first.month}`;
}

/** @param target its id; '' for an address that no app opens */
export async function answersFor(
  db: Kysely<Tables>,
  creatorId: string,
  target: string,
): Promise<OpeningTest['answers']> {
  const { rows } = await sql<Omit<OpeningTest['answers'][number], 'testedAt'> & { testedAt: Date }>`
    select app, system, worked, rule, tested_at as "testedAt" from opening_tests
    where creator_id = ${creatorId} and target = ${target} order by app, system
  `.execute(db);
  return rows.map((row) => ({ ...row, testedAt: row.testedAt.toISOString() }));
}
