/** Locks of the live blog's categories, tags and posts, read and changed there by a signed call: see `HubLocks.php`. */
import * as z from 'zod/mini';
import type { BodyOf, ResponseOf } from '#contract/endpoint.ts';
import { BlogLocks, type changeBlogLock, FINDINGS, type listBlogLocks } from '#contract/locks.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { type CallingDeps, callSite } from '#server/features/sites/site-calls.ts';
import { findSite, notePostsLocked } from '#server/features/sites/sites.ts';
import { needSite } from './locks.ts';

type Deps = CallingDeps & { db: Database };

const Told = z.object({ whom: z.array(z.string()), items: BlogLocks.shape.items });
const Changed = z.object({ question: z.string(), posts: z.object({ locked: z.int(), all: z.int() }) });
const NAMES: Record<string, string> = {
  subscribers: 'Subscribers',
  readers: 'Readers who enter their email',
  members: 'Members',
};

/** @throws AppError not_found: no WordPress is connected; not_possible_now, with what to do: it does not answer */
export async function listLocksOfBlog(
  deps: Deps,
  creatorId: string,
  search: string,
): Promise<ResponseOf<typeof listBlogLocks>> {
  const { whom, items } = await ask(deps, creatorId, { what: 'locks', search }, Told);
  const tiers = await deps.db.withCreator(creatorId, (trx) => namesOfTiers(trx, creatorId));
  return { items, whom: whom.map((rule) => ({ rule, name: NAMES[rule] ?? tiers.get(rule) ?? rule })) };
}

/** @returns a question where the blog asks first @throws AppError as above */
export async function changeLockOfBlog(
  deps: Deps,
  creatorId: string,
  change: BodyOf<typeof changeBlogLock>,
): Promise<ResponseOf<typeof changeBlogLock>> {
  const call = { what: 'lock' as const, ...change, at: deps.clock.now().getTime() };
  const { question, posts } = await ask(deps, creatorId, call, Changed);
  await deps.db.withCreator(creatorId, (trx) => notePostsLocked(trx, creatorId, posts));
  return { question: question === '' ? null : question };
}

async function ask<Shape extends z.ZodMiniType>(
  deps: Deps,
  creatorId: string,
  call: { what: 'locks' | 'lock'; [part: string]: unknown },
  shape: Shape,
): Promise<z.infer<Shape>> {
  const siteId = await deps.db.withCreator(creatorId, (trx) => needSite(deps, trx, creatorId));
  const site = await findSite(deps, { creatorId, siteId });
  const told = site === null ? { trouble: 'unreachable' as const } : await callSite(deps, site, call);
  const said = shape.safeParse(told.trouble === null ? told.body : null);
  if (said.success) return said.data;
  // One that is too old knows of no such call.
  const { says, remedy } = FINDINGS[told.trouble ?? 'no_plugin'];
  throw new AppError('not_possible_now', `${says} ${remedy}`);
}

async function namesOfTiers(trx: CreatorTransaction, creatorId: string): Promise<Map<string, string>> {
  const tiers = await trx.selectFrom('tiers').select(['id', 'name']).where('creator_id', '=', creatorId).execute();
  return new Map(tiers.map(({ id, name }) => [`tier:${id}`, `Members of ${name} and above`]));
}
