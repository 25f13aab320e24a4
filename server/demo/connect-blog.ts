/** Connects the demo creator's blog, as somebody who pastes the API key into the plugin's settings. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeKey } from '#server/features/api-keys/api-keys.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { DEMO, ensureDemoPeople } from '#server/features/people/demo.ts';
import type { Blog } from '#simulators/web/blog/blog.ts';

/** The key that the blog had before is used again; a new one is made where there is none, or somebody replaced it. */
export async function connectBlog(deps: AppDeps, blog: Pick<Blog, 'connect'>): Promise<void> {
  const keyFile = join(deps.config.dataDir, 'simulators', 'blog-api-key');
  const kept = await readFile(keyFile, 'utf8').catch(() => null);
  if (kept !== null && (await blog.connect(kept))) return;
  const { userId, creatorId } = await ensureDemoPeople(deps);
  const user = { id: userId, name: DEMO.name, email: DEMO.email };
  const { key } = await deps.db.engine.transaction().execute((trx) => makeKey(deps, trx, { creatorId, user }));
  await writeFile(keyFile, key, { mode: 0o600 });
  await blog.connect(key);
}
