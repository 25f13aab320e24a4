/** An import whose process is killed again and again ends with each recipe once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { getRecipeImport, startRecipeImport } from '#contract/recipe-imports.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { startBigBlog } from './testing/big-blog.ts';

const RECIPES = 500;
/** At which request of the blog the process is killed: while pages are found, and in the midst of reading. */
const KILLED_AT = [2, 60, 61, 200, 450];
const LEASE_MS = 30_000;

test('500 recipes, killed five times: 500 are there, none of them twice', { timeout: 600_000 }, async () => {
  const app = await createTestApp();
  const blog = await startBigBlog();
  try {
    const pages = Array.from({ length: RECIPES }, (_, at) => `/recipe-${at}/`);
    for (const page of pages) blog.recipe(page, `Recipe ${page}`, '2 cups flour', '3 eggs', '1 tsp salt');
    blog.index('/sitemap_index.xml', '/a.xml', '/b.xml.gz');
    blog.sitemap('/a.xml', ...pages.slice(0, 300));
    // What two sitemaps list is one page.
    blog.packedSitemap('/b.xml.gz', ...pages.slice(290));
    const anna = await app.signUpAndIn();
    const creatorId = (await anna.createCreator()).id;
    const { body: begun } = await anna.call(startRecipeImport, { params: { creatorId }, body: { site: blog.url } });
    for (let life = 0; life <= KILLED_AT.length; life++) {
      const killedAt = KILLED_AT[life];
      const worker = spawn(process.execPath, [path.join(import.meta.dirname, 'testing/importing-process.ts')], {
        env: { ...process.env, DATABASE: app.db.connectionString, AHEAD_MS: String(life * (LEASE_MS + 60_000)) },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const ended = once(worker, 'exit');
      const before = blog.asked.length;
      blog.onAsked(() => {
        if (killedAt !== undefined && blog.asked.length >= Math.max(killedAt, before + 1)) worker.kill('SIGKILL');
      });
      const [code, signal] = await ended;
      expect([code, signal]).toEqual(killedAt === undefined ? [0, null] : [null, 'SIGKILL']);
    }
    const params = { creatorId, recipeImportId: begun.id };
    expect((await anna.call(getRecipeImport, { params })).body).toMatchObject({
      ...{ state: 'done', found: RECIPES, made: RECIPES, waiting: 0, notRead: 0, toCheck: 0 },
    });
    const { rows } = await sql`
      select count(*)::int as recipes, count(distinct url)::int as addresses, (
        select count(*)::int from recipe_ingredients where creator_id = ${creatorId} and line_count = 3
      ) as lists
      from recipes where creator_id = ${creatorId}
    `.execute(app.db.engine);
    expect(rows).toEqual([{ recipes: RECIPES, addresses: RECIPES, lists: RECIPES }]);
    // Only what was being read when it was killed is asked for again.
    expect(blog.asked.filter((one) => one.startsWith('/recipe-')).length).toBeLessThanOrEqual(
      RECIPES + KILLED_AT.length,
    );
  } finally {
    await blog.close();
    await app.close();
  }
});
