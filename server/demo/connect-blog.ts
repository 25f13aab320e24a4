/** Connects the demo creator's blog, as somebody who pastes the API key into the plugin's settings. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeKey } from '#server/features/api-keys/api-keys.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { DEMO, ensureDemoPeople } from '#server/features/people/demo.ts';
import { makeLive } from '#server/features/sites/sites.ts';
import type { Blog } from '#simulators/web/blog/blog.ts';

/** The key that the blog had before is used again; a new one is made where there is none, or somebody replaced it. */
export async function connectBlog(deps: AppDeps, blog: Pick<Blog, 'connect' | 'url'>): Promise<void> {
  const { userId, creatorId } = await ensureDemoPeople(deps);
  await signIn(deps, blog, { userId, creatorId });
  // On another port than at the last start, it looks like a copy of itself.
  await deps.db.withCreator(creatorId, async (trx) => {
    const site = await trx.selectFrom('sites').select('id').where('url', '=', blog.url).executeTakeFirst();
    if (site !== undefined) await makeLive(deps, trx, creatorId, site.id);
  });
}

async function signIn(
  deps: AppDeps,
  blog: Pick<Blog, 'connect'>,
  { userId, creatorId }: { userId: string; creatorId: string },
): Promise<void> {
  const keyFile = join(deps.config.dataDir, 'simulators', 'blog-api-key');
  const kept = await readFile(keyFile, 'utf8').catch(() => null);
  if (kept !== null && (await blog.connect(kept))) return;
  const user = { id: userId, name: DEMO.name, email: DEMO.email };
  const { key } = await deps.db.engine.transaction().execute((trx) => makeKey(deps, trx, { creatorId, user }));
  await writeFile(keyFile, key, { mode: 0o600 });
  await blog.connect(key);
}
