/** Where nothing can be paid, no email speaks of money: not in its words, and none about plans is sent. Fans' is a creator's business. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JobDeps } from '#server/features/app-deps.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { JOBS } from './testing/billing-world.ts';

/** Recipes have meal plans: none of that is money for us. */
const OF_MONEY = /\b(?:(?<!meal )plans?|upgrade|invoices?|subscription|pay(?:s|ing|ment)?|prices?)\b/i;
const WRITES_MAILS = /\b(?:mailLater|tellOwners|letter: \{|subject:)/;
const TEXTS = /'((?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)* (?:[^`\\]|\\.)*)`/g;
const DAY_S = 86_400;

test('no email outside of billing has a word of it', () => {
  const root = path.join(import.meta.dirname, '../..');
  const files = globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !/(?:^|\/)(?:billing|fans|testing|db)\//.test(file))
    .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }))
    .filter(({ source }) => WRITES_MAILS.test(source));
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap(({ file, source }) =>
    [...source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').matchAll(TEXTS)]
      .map(([, quoted, template]) => quoted ?? template!)
      .filter((text) => OF_MONEY.test(text.replaceAll(/\$\{[^}]*\}/g, '')))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('of all that would be told of plans nothing is sent', async () => {
  const app = await createTestApp();
  try {
    const anna = await app.signUpAndIn();
    const { id: creatorId } = await anna.createCreator();
    await insertConnection(app.db, creatorId, { followers_count: 40_000 });
    // As an install has it on which plans were sold until yesterday.
    const now = app.clock.now();
    await app.db.engine
      .updateTable('subscriptions')
      .set({ plan_id: 'creator-plan', status: 'past_due', stripe_subscription_id: 'sub_1', late_since: now })
      .where('creator_id', '=', creatorId)
      .execute();
    const before = await app.db.engine.selectFrom('mails').select('kind').execute();
    for (let day = 0; day < 45; day += 3) {
      await app.clock.advance(3 * DAY_S * 1000);
      while ((await runDue(JOBS, app.deps as JobDeps)) > 0);
    }
    expect(await app.db.engine.selectFrom('mails').select('kind').execute()).toEqual(before);
  } finally {
    await app.close();
  }
});
