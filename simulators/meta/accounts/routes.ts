import { DEFAULT_COMMENT_FIELDS, renderComment } from '../comments/node.ts';
import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok, type Route } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import { type Field, parseFields, project, type Readers } from '../graph/fields.ts';
import { page } from '../graph/pages.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Contact, FacebookUser, Token } from '../state/records.ts';
import type { World } from '../state/world.ts';
import { mayTouch, mintToken, noSuchObject, requireScope, requireToken } from '../tokens/tokens.ts';

export function accountRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  const ofNode = (call: GraphCall) => {
    call.account = world.accounts.get(call.node) ?? world.accountsByAppScopedId.get(call.node) ?? null;
  };
  const account: Route = { operation: 'account_read', describe: ofNode, handle: (call) => readAccount(platform, call) };
  const profile: Route = {
    operation: 'profile_read',
    describe: (call) => describeProfile(world, call),
    handle: (call) => readProfile(platform, call),
  };
  const user: Route = { operation: 'me', handle: (call) => readUser(platform, call, world.users.get(call.node)) };
  return {
    'GET me/': { operation: 'me', describe: (call) => describeMe(world, call), handle: (call) => me(platform, call) },
    'GET me/accounts': { operation: 'page_list', handle: (call) => listPages(platform, call) },
    'GET me/businesses': { operation: 'page_list', handle: (call) => listBusinesses(platform, call) },
    'GET */owned_pages': { operation: 'page_list', handle: (call) => listOwnedPages(platform, call) },
    'GET */client_pages': { operation: 'page_list', handle: (call) => listClientPages(platform, call) },
    'GET me/permissions': { operation: 'permissions', handle: (call) => permissions(platform, call) },
    'GET */': (_flavour, node) => {
      if (world.accounts.has(node) || world.accountsByAppScopedId.has(node)) return account;
      if (world.contactsByScopedId.has(node)) return profile;
      return world.users.has(node) ? user : undefined;
    },
  };
}

function describeMe(world: World, call: GraphCall): void {
  call.account = world.accounts.get(world.tokens.get(call.tokenValue() ?? '')?.subjectId ?? '') ?? null;
}

function me(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const token = requireToken(world, call);
  if (token.kind === 'FACEBOOK_BUSINESS_USER') return readUser(platform, call, world.users.get(token.subjectId));
  const account = world.accounts.get(token.subjectId);
  if (!account) throw noSuchObject(call);
  const fields = parseFields(
    call.parameter('fields') ?? (token.kind === 'INSTAGRAM_BUSINESS_USER' ? 'user_id,username' : 'id,name'),
  );
  if (account.platform === 'facebook') return ok(renderPage(platform, token, account, fields));
  const node = renderInstagram(platform, token, account, fields, true);
  // [?] the docs' get-started wraps the answer, clients read it flat.
  return ok(world.settings.switches.meShape === 'data' ? { data: [node] } : node);
}

function readUser({ world }: MetaPlatform, call: GraphCall, user: FacebookUser | undefined): Answer {
  const token = requireToken(world, call);
  if (!user || token.subjectId !== user.id) throw noSuchObject(call);
  return ok(
    project(
      'User',
      {
        id: () => user.id,
        name: () => user.name,
        first_name: () => user.name.split(' ')[0],
        email: () => (token.scopes.includes('email') ? user.email : undefined),
        picture: () => ({
          data: { url: world.absolute(`/pictures/person-${user.id}.jpg`), is_silhouette: false, height: 50, width: 50 },
        }),
      },
      parseFields(call.parameter('fields') ?? 'id,name'),
    ),
  );
}

function readAccount(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const token = requireToken(world, call);
  const account = call.account;
  if (!account || !mayTouch(world, token, account)) throw noSuchObject(call);
  platform.rates.take(account, 'platform');
  const fields = call.parameter('fields');
  if (account.platform === 'facebook') {
    call.operation = 'page_read';
    return ok(renderPage(platform, token, account, parseFields(fields ?? 'id,name')));
  }
  requireScope(token, 'instagram_business_basic', 'instagram_basic');
  return ok(
    renderInstagram(platform, token, account, parseFields(fields ?? 'id'), token.kind === 'INSTAGRAM_BUSINESS_USER'),
  );
}

/** Instagram Login: `user_id` is the professional account's id, `id` the app-scoped one, another number [C]. Facebook Login: `id` is the former. */
function renderInstagram(
  platform: MetaPlatform,
  token: Token,
  account: Account,
  fields: readonly Field[],
  instagramLogin: boolean,
): Record<string, unknown> {
  const { world } = platform;
  const common = {
    username: () => account.username,
    name: () => account.name || undefined,
    profile_picture_url: () => world.absolute(account.picture),
    followers_count: () => account.followersCount,
    follows_count: () => account.followsCount,
    media_count: () => account.mediaIds.filter((id) => postLike(world, id)).length,
    biography: () => account.biography || undefined,
    website: () => account.website || undefined,
    mentioned_comment: (field: Field) => {
      const comment = world.comments.get(field.arguments.comment_id ?? '');
      const owner = comment && world.accounts.get(comment.accountId);
      if (!comment || !owner) throw new GraphError(100, undefined, { message: '(#100) Invalid comment_id' });
      return renderComment(platform, token, owner, comment, field.children ?? DEFAULT_COMMENT_FIELDS);
    },
  };
  if (!instagramLogin) return project('IGUser', { id: () => account.id, ig_id: () => account.id, ...common }, fields);
  return project(
    'IGUser',
    { id: () => account.appScopedId, user_id: () => account.id, account_type: () => account.accountType, ...common },
    fields,
  );
}

function postLike(world: World, mediaId: string): boolean {
  const media = world.media.get(mediaId)!;
  return !media.deleted && (media.product === 'FEED' || media.product === 'REELS');
}

/** A Page, also as an item of `/me/accounts`. Its token comes only to somebody with a role who granted it to the app. */
function renderPage(
  platform: MetaPlatform,
  token: Token,
  account: Account,
  fields: readonly Field[],
): Record<string, unknown> {
  const { world } = platform;
  const user = token.userId === null ? undefined : world.users.get(token.userId);
  const tasks = user?.tasks[account.id];
  const linked = account.linkedId === null ? undefined : world.accounts.get(account.linkedId);
  return project(
    'Page',
    {
      id: () => account.id,
      name: () => account.name,
      username: () => account.username || undefined,
      category: () => 'Kitchen/cooking',
      category_list: () => [{ id: '150108431712141', name: 'Kitchen/cooking' }],
      tasks: () => tasks,
      access_token: () => pageToken(world, token, account),
      picture: () => ({ data: { height: 50, is_silhouette: false, url: world.absolute(account.picture), width: 50 } }),
      fan_count: () => account.followersCount,
      followers_count: () => account.followersCount,
      link: () => `${world.url}/page/${account.id}`,
      website: () => account.website || undefined,
      // Absent without a linked account, and when the person left it out of what they granted.
      instagram_business_account: (field) =>
        linked && (token.instagramAccountIds?.includes(linked.id) ?? true)
          ? renderInstagram(
              platform,
              token,
              linked,
              field.children ?? [{ name: 'id', children: null, arguments: {} }],
              false,
            )
          : undefined,
      connected_instagram_account: (
        field, // [R] a looser link, here always the same
      ) =>
        linked && (token.instagramAccountIds?.includes(linked.id) ?? true)
          ? renderInstagram(
              platform,
              token,
              linked,
              field.children ?? [{ name: 'id', children: null, arguments: {} }],
              false,
            )
          : undefined,
    },
    fields,
  );
}

/** The token of a Page for the bearer of a user token, the same one as long as it lives; from a long user token it has no expiry [D]. */
function pageToken(world: World, token: Token, account: Account): string | undefined {
  if (token.kind === 'FACEBOOK_BUSINESS_PAGE') return token.value;
  if (token.pageIds !== null && !token.pageIds.includes(account.id)) return undefined;
  for (const known of world.tokens.values()) {
    const same =
      known.kind === 'FACEBOOK_BUSINESS_PAGE' &&
      known.subjectId === account.id &&
      known.userId === token.userId &&
      known.life === token.life;
    if (
      same &&
      known.death === null &&
      known.scopes.join() === token.scopes.join() &&
      (known.expiresAt === 0 || known.expiresAt > world.now())
    )
      return known.value;
  }
  return mintToken(world, {
    kind: 'FACEBOOK_BUSINESS_PAGE',
    life: token.life,
    subjectId: account.id,
    userId: token.userId,
    scopes: token.scopes,
    instagramAccountIds: token.instagramAccountIds,
  }).value;
}

/** Pages the person has a role on and granted; those owned by a business only with `business_management` [C]. */
function listPages(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const token = requireToken(world, call);
  const user = token.kind === 'FACEBOOK_BUSINESS_USER' ? world.users.get(token.subjectId) : undefined;
  if (!user)
    throw new GraphError(100, undefined, {
      message: '(#100) Tried accessing nonexisting field (accounts) on node type (Page)',
    });
  requireScope(token, 'pages_show_list');
  const business = token.scopes.includes('business_management');
  const pages = Object.keys(user.tasks)
    .map((id) => world.accounts.get(id))
    .filter((account) => account !== undefined)
    .filter((account) => (token.pageIds?.includes(account.id) ?? true) && (!account.businessOwned || business));
  const fields = parseFields(call.parameter('fields') ?? 'access_token,category,category_list,name,id,tasks');
  return ok(
    page(
      call,
      pages,
      (account) => account.id,
      (account) => renderPage(platform, token, account, fields),
      {
        self: world.url + call.path,
        defaultLimit: 25,
        maxLimit: 100,
      },
    ),
  );
}

/** Everybody has one business: it owns the Pages of theirs that are a business's, and looks after nobody else's. */
function listBusinesses({ world }: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(world, call);
  requireScope(token, 'business_management');
  const user = world.users.get(token.subjectId);
  const owns = Object.keys(user?.tasks ?? {}).some((id) => world.accounts.get(id)?.businessOwned);
  return ok({ data: user && owns ? [{ id: BUSINESS_PREFIX + user.id, name: `${user.name}'s business` }] : [] });
}

const BUSINESS_PREFIX = '77';

function userOfBusiness({ world }: MetaPlatform, call: GraphCall): { user: FacebookUser; token: Token } {
  const token = requireToken(world, call);
  requireScope(token, 'business_management');
  const user = world.users.get(token.subjectId);
  if (!user || call.node !== BUSINESS_PREFIX + user.id) throw noSuchObject(call);
  return { user, token };
}

function listClientPages(platform: MetaPlatform, call: GraphCall): Answer {
  userOfBusiness(platform, call);
  return ok({ data: [] });
}

/** Also Pages that were never granted; those come without a token [C]. */
function listOwnedPages(platform: MetaPlatform, call: GraphCall): Answer {
  const { user, token } = userOfBusiness(platform, call);
  const owned = Object.keys(user.tasks)
    .map((id) => platform.world.accounts.get(id))
    .filter((account) => account !== undefined)
    .filter((account) => account.businessOwned);
  const fields = parseFields(call.parameter('fields') ?? 'id,name');
  return ok({ data: owned.map((account) => renderPage(platform, token, account, fields)) });
}

function permissions({ world }: MetaPlatform, call: GraphCall): Answer {
  const token = requireToken(world, call);
  // No such edge is known on graph.instagram.com [R].
  if (token.kind !== 'FACEBOOK_BUSINESS_USER')
    throw new GraphError(100, undefined, { message: '(#100) Tried accessing nonexisting field (permissions)' });
  const declined = (world.users.get(token.subjectId)?.grant?.declined ?? []).filter(
    (scope) => !token.scopes.includes(scope),
  );
  return ok({
    data: [
      ...token.scopes.map((permission) => ({ permission, status: 'granted' })),
      ...declined.map((permission) => ({ permission, status: 'declined' })), // [R]
    ],
  });
}

function describeProfile(world: World, call: GraphCall): void {
  const contact = world.contactsByScopedId.get(call.node);
  if (!contact) return;
  call.recipientId = contact.scopedId;
  call.personId = contact.personId;
  call.account = world.accounts.get(contact.accountId) ?? null;
}

/** The profile behind a scoped id: only after the person wrote or tapped; a mere commenter gives 230 [D, C]. */
function readProfile(platform: MetaPlatform, call: GraphCall): Answer {
  const { world } = platform;
  const token = requireToken(world, call);
  const contact: Contact | undefined = world.contactsByScopedId.get(call.node);
  const account = contact && world.accounts.get(contact.accountId);
  if (!contact || !account || !mayTouch(world, token, account)) throw noSuchObject(call);
  requireScope(token, 'instagram_business_manage_messages', 'instagram_manage_messages', 'pages_messaging');
  if (!contact.consent) throw new GraphError(230);
  if (contact.blocked) throw noSuchObject(call);
  const person = world.people.get(contact.personId)!;
  const [firstName, ...rest] = person.name.split(' ');
  const readers: Readers =
    account.platform === 'instagram'
      ? {
          id: () => contact.scopedId,
          name: () => person.name || null,
          username: () => person.username,
          profile_pic: () => world.absolute(person.picture),
          follower_count: () => person.followersCount,
          is_user_follow_business: () => contact.follows,
          is_business_follow_user: () => contact.followedBy,
          is_verified_user: () => person.verified,
        }
      : {
          id: () => contact.scopedId,
          name: () => person.name,
          first_name: () => firstName,
          last_name: () => rest.join(' '),
          profile_pic: () => world.absolute(person.picture),
        };
  const fields =
    call.parameter('fields') ?? (account.platform === 'instagram' ? 'name,username' : 'first_name,last_name');
  return ok(project('UserProfile', readers, parseFields(fields)));
}
