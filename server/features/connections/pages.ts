/** Pages that a Facebook sign-in lets us use, and connecting the chosen ones with their Instagram accounts. */
import type { ConnectProblem } from '#contract/connections.ts';
import { AppError } from '#server/errors.ts';
import { failureDetail, type ReadResult } from '#server/platforms/meta/client.ts';
import type { Page } from '#server/platforms/meta/types.ts';
import { openOrNull } from '#server/secrets.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { readFacebookAddon } from './facebook-addon.ts';
import { missingPermissions } from './permissions.ts';
import * as queries from './queries.ts';
import { type AccountFacts, ConnectedElsewhere, storeConnection, storeToken } from './store-connection.ts';
import { subscribe } from './webhooks.ts';

type PageProblem = { code: ConnectProblem; says: string };

export type GrantedPage = { page: Page; problem: PageProblem | null };

type Failure = Extract<ReadResult<unknown>, { ok: false }>;

const PAGES_AT_MOST = 1000;
/** Agencies look after hundreds of Pages that they never meant to give us: each is one question to Facebook. */
const CANDIDATES_AT_MOST = 50;

export type Granted = {
  pages: GrantedPage[];
  /** Pages and Instagram accounts are ticked in two lists at Facebook: one can be granted without the other. */
  instagramIds: string[];
};

/**
 * Every Page the person ticked, with what stands in the way of connecting it.
 *
 * @param login.addon with the Facebook Addon a Page is of use without an Instagram account
 */
export async function findGranted(
  { meta }: Pick<ConnectionDeps, 'meta'>,
  login: { token: string; scopes: string[]; addon: boolean },
): Promise<({ ok: true } & Granted) | { ok: false; failure: Failure }> {
  const pages: Page[] = [];
  let after: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof meta.accounts>> = await meta.accounts({
      token: login.token,
      ...(after !== null && { after }),
    });
    if (!answer.ok) return { ok: false, failure: answer };
    pages.push(...answer.data.items);
    after = answer.data.after;
  } while (after !== null && pages.length < PAGES_AT_MOST);

  // The list leaves out Pages of a business when `business_management` was not granted, and now and then others:
  // the token's own description names every Page it was granted for.
  const described = await meta.debugToken(login.token);
  const targetsOf = (name: string) =>
    described.ok ? (described.data.granular_scopes?.find(({ scope }) => scope === name)?.target_ids ?? []) : [];
  const listed = new Set(pages.map(({ id }) => id));
  const candidates = new Map(targetsOf('pages_show_list').map((id) => [id, null as string | null]));
  if (login.scopes.includes('business_management')) {
    for (const { id, name } of await pagesOfBusinesses(meta, login.token)) candidates.set(id, name ?? null);
  }
  const hidden: GrantedPage[] = [];
  for (const [id, name] of [...candidates].filter(([id]) => !listed.has(id)).slice(0, CANDIDATES_AT_MOST)) {
    const page = await meta.pageToken({ token: login.token, pageId: id });
    hidden.push(
      page.ok && page.data.access_token
        ? { page: page.data, problem: problemOf(page.data, login.addon) }
        : { page: page.ok ? page.data : { id, name }, problem: problemOfHidden(login.scopes) },
    );
  }
  return {
    ok: true,
    pages: [...pages.map((page) => ({ page, problem: problemOf(page, login.addon) })), ...hidden],
    instagramIds: targetsOf('instagram_basic'),
  };
}

/** Best effort: whoever has no business, or may not see it, still has the Pages of the plain list. */
async function pagesOfBusinesses(meta: ConnectionDeps['meta'], token: string): Promise<Pick<Page, 'id' | 'name'>[]> {
  const businesses = await meta.businesses({ token });
  if (!businesses.ok) return [];
  const found: Pick<Page, 'id' | 'name'>[] = [];
  for (const { id } of businesses.data.items) {
    for (const edge of ['owned_pages', 'client_pages'] as const) {
      const pages = await meta.businessPages({ token, businessId: id, edge });
      if (pages.ok) found.push(...pages.data.items);
    }
  }
  return found;
}

function problemOf(page: Page, addon: boolean): PageProblem | null {
  if (!page.access_token) {
    return {
      code: 'page_not_granted',
      says: 'You didn’t share this Page with Creator HQ. Connect with Facebook again, choose "Edit access", and select this Page and its Instagram account.',
    };
  }
  if (page.tasks && !mayManage(page.tasks)) {
    return {
      code: 'missing_permissions',
      says: 'Your role on this Page doesn’t let you send messages or reply to comments. Ask someone with full control of the Page to give you the tasks "Messages" and "Community activity".',
    };
  }
  if (!page.instagram_business_account && !addon) {
    return {
      code: 'no_linked_instagram',
      says: 'This Page has no linked Instagram professional account, or you didn’t select it. Link it in the Page’s settings under "Linked accounts", then connect with Facebook again. Or turn on the Facebook Addon in Settings to connect only the Page.',
    };
  }
  return null;
}

function problemOfHidden(scopes: string[]): PageProblem {
  return scopes.includes('business_management')
    ? {
        code: 'page_not_granted',
        says: 'Facebook doesn’t let Creator HQ use this Page. Connect with Facebook again and select it.',
      }
    : {
        code: 'pages_hidden',
        says: 'This Page belongs to a business, and Facebook hides it from us. Connect with Facebook again and leave "Manage your business" checked.',
      };
}

/** Newer Pages name their tasks `PROFILE_PLUS_…` (reference 1.3). */
function mayManage(tasks: string[]): boolean {
  const plain = tasks.map((task) => task.replace(/^PROFILE_PLUS_/, ''));
  const all = plain.includes('MANAGE') || plain.includes('FULL_CONTROL');
  return all || (plain.includes('MESSAGING') && plain.includes('MODERATE'));
}

/** The message when not one Page can be chosen; null when one can. */
export function problemOfAll({ pages, instagramIds }: Granted, scopes: string[]): ConnectProblem | null {
  if (pages.length === 0 && instagramIds.length > 0 && scopes.includes('business_management')) {
    return 'page_not_granted';
  }
  if (pages.length === 0) return scopes.includes('business_management') ? 'no_pages' : 'pages_hidden';
  if (pages.some(({ problem }) => problem === null)) return null;
  return pages[0]?.problem?.code ?? null;
}

/** @throws AppError not_connected, needs_reconnect, platform_unreachable */
export async function listGranted(deps: ConnectionDeps, creatorId: string) {
  const { pages } = await readGranted(deps, creatorId);
  const connected = await deps.db.withCreator(creatorId, (trx) => queries.findShown(trx, creatorId));
  const isConnected = (pageId: string) =>
    connected.some((row) => row.disconnected_at === null && row.page_id === pageId && row.platform === 'facebook');
  return pages.map(({ page, problem }) => ({
    pageId: page.id,
    name: page.name ?? page.id,
    pictureUrl: page.picture?.data?.url ?? null,
    connected: isConnected(page.id),
    problem: problem?.says ?? null,
    instagram: page.instagram_business_account
      ? {
          accountId: page.instagram_business_account.id,
          username: page.instagram_business_account.username ?? '',
          avatarUrl: page.instagram_business_account.profile_picture_url ?? null,
        }
      : null,
  }));
}

/**
 * Connects each chosen Page and its Instagram account; one that fails does not keep the others from it.
 *
 * @throws AppError not_connected, needs_reconnect, platform_unreachable
 */
export async function choose(
  deps: ConnectionDeps,
  creatorId: string,
  choice: { pageIds: string[]; userId: string },
): Promise<{ connectionIds: string[]; problems: { pageId: string; detail: string }[] }> {
  const { pages, scopes, facebookUserId } = await readGranted(deps, creatorId);
  const connectionIds: string[] = [];
  const problems: { pageId: string; detail: string }[] = [];
  for (const pageId of new Set(choice.pageIds)) {
    const granted = pages.find(({ page }) => page.id === pageId);
    if (granted === undefined) {
      problems.push({ pageId, detail: 'You didn’t share this Page with Creator HQ.' });
    } else if (granted.problem !== null) {
      problems.push({ pageId, detail: granted.problem.says });
    } else {
      const by = { userId: choice.userId, facebookUserId, scopes };
      const result = await connectPage(deps, creatorId, granted.page, by);
      if (typeof result === 'string') problems.push({ pageId, detail: result });
      else connectionIds.push(...result);
    }
  }
  return { connectionIds, problems };
}

/** @returns the ids of the Page's and, where there is one, the Instagram account's connections, or why not, in words */
async function connectPage(
  deps: ConnectionDeps,
  creatorId: string,
  page: Page,
  by: { userId: string; facebookUserId: string; scopes: string[] },
): Promise<string[] | string> {
  const { db, meta, clock, log } = deps;
  const token = page.access_token;
  const linked = page.instagram_business_account;
  if (!token) return 'Facebook didn’t share this Page completely. Connect with Facebook again.';
  const instagram = linked ? await meta.pageInstagram({ token, accountId: linked.id }) : null;
  if (instagram !== null && !instagram.ok) {
    log.warn({ creatorId, pageId: page.id, detail: failureDetail(instagram) }, 'an account cannot be read by its Page');
    return 'Facebook doesn’t let us read this Page’s Instagram account. Connect with Facebook again and select the Page and its Instagram account.';
  }
  const missing = (platform: 'instagram' | 'facebook') =>
    missingPermissions({ platform, login: 'facebook' }, by.scopes);
  const shared = { pageId: page.id, facebookUserId: by.facebookUserId };
  const accounts: AccountFacts[] = [
    {
      ...shared,
      platform: 'facebook',
      accountId: page.id,
      username: page.name ?? page.id,
      name: page.name ?? null,
      avatarUrl: page.picture?.data?.url ?? null,
      followersCount: page.followers_count ?? null,
      missingPermissions: missing('facebook'),
    },
  ];
  if (instagram !== null) {
    accounts.push({
      ...shared,
      platform: 'instagram',
      accountId: instagram.data.id,
      username: instagram.data.username,
      name: instagram.data.name ?? null,
      avatarUrl: instagram.data.profile_picture_url ?? null,
      followersCount: instagram.data.followers_count ?? null,
      missingPermissions: missing('instagram'),
    });
  }
  let connectionIds: string[];
  try {
    connectionIds = await db.withCreator(creatorId, async (trx) => {
      const stored: string[] = [];
      for (const facts of accounts) stored.push(await storeConnection(deps, trx, creatorId, facts, by.userId));
      await storeToken(deps, trx, creatorId, {
        kind: 'FACEBOOK_BUSINESS_PAGE',
        subjectId: page.id,
        token,
        scopes: by.scopes,
        // A Page's token made from a long-lived sign-in has no end date (reference 1.1).
        expiresAt: null,
      });
      return stored;
    });
  } catch (error) {
    if (error instanceof ConnectedElsewhere) {
      return 'This Page or its Instagram account is connected to another creator here. Disconnect it there first.';
    }
    if (error instanceof AppError && error.code === 'quota_reached') return error.message;
    throw error;
  }
  const page_ = { via: 'page' as const, senderId: page.id, token };
  for (const [index, { platform }] of accounts.entries()) {
    const { missing, detail } = await subscribe(meta, { ...page_, platform });
    const id = connectionIds[index]!;
    if (missing.length > 0) log.warn({ connectionId: id, missing, detail }, 'webhooks are missing after connecting');
    await db.withCreator(creatorId, (trx) =>
      queries.updateConnection(
        trx,
        { creator_id: creatorId, id },
        { missing_webhooks: missing, webhooks_checked_at: clock.now(), checked_at: clock.now() },
      ),
    );
    await deps.connectionChanged({ creatorId, connectionId: id });
  }
  return connectionIds;
}

async function readGranted(
  deps: ConnectionDeps,
  creatorId: string,
): Promise<{ pages: GrantedPage[]; scopes: string[]; facebookUserId: string }> {
  const [login] = await deps.db.withCreator(creatorId, (trx) => queries.findFacebookUserTokens(trx, creatorId));
  if (login === undefined) throw new AppError('not_connected', 'Connect with Facebook first.');
  const token = openOrNull(deps.keys.encryptionKeys, login.secret);
  if (token === null) throw new AppError('needs_reconnect', 'Connect with Facebook again.');
  const addon = await readFacebookAddon(deps, creatorId);
  const granted = await findGranted(deps, { token, scopes: login.scopes, addon });
  if (granted.ok) return { pages: granted.pages, scopes: login.scopes, facebookUserId: login.subject_id };
  const { verdict } = granted.failure;
  if (verdict.kind === 'reauthenticate') {
    await deps.db.withCreator(creatorId, (trx) =>
      queries.invalidateToken(trx, login, verdict.reason, deps.clock.now()),
    );
    throw new AppError('needs_reconnect', 'Facebook signed us out. Connect with Facebook again.');
  }
  throw new AppError('platform_unreachable', 'Facebook didn’t show us your Pages. Try again in a moment.', {
    cause: failureDetail(granted.failure),
  });
}
