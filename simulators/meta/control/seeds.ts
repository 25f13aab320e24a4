import type { Account, Media, Person } from '../state/records.ts';
import { INSTAGRAM_FIELDS, PAGE_FIELDS } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { FACEBOOK_SCOPES, INSTAGRAM_SCOPES } from '../tokens/scopes.ts';
import { mintToken } from '../tokens/tokens.ts';
import { found, Refusal } from './refusal.ts';
import type {
  IssuedToken,
  IssueTokenInput,
  SeedCreatorInput,
  SeededCreator,
  SeedFacebookUserInput,
  SeedInstagramInput,
  SeedPageInput,
  SeedPersonInput,
  SeedPostInput,
} from './types.ts';

const ALL_TASKS = ['ANALYZE', 'ADVERTISE', 'MODERATE', 'CREATE_CONTENT', 'MANAGE', 'MESSAGING'];
const CAPTIONS = [
  'One-pan lemon orzo. Comment RECIPE and I send it to you.',
  'Crispy potatoes, three ingredients.',
  'Sunday sourdough, start to finish.',
];
const NAMES = [
  'Ana Torres',
  'Ben Okafor',
  'Chiara Rossi',
  'Dario Novak',
  'Emi Tanaka',
  'Femi Adeyemi',
  'Greta Lind',
  'Hassan Aziz',
];
const HOUR_MS = 3_600_000;

export function seedInstagramAccount(world: World, input: SeedInstagramInput): Account {
  const id = input.id ?? world.ids.instagramAccount();
  if (world.accounts.has(id)) throw new Refusal(409, `Account ${id} exists`);
  const username = input.username ?? `creator_${id.slice(-4)}`;
  const account: Account = {
    ...blankAccount(id, 'instagram', username, input.name ?? username, input.picture),
    biography: input.biography ?? '',
    website: input.website ?? '',
    followersCount: input.followersCount ?? 1200,
    followsCount: input.followsCount ?? 180,
    appScopedId: world.ids.appScoped(),
    selfScopedId: world.ids.igsid(),
    accountType: input.accountType ?? 'BUSINESS',
    isPrivate: input.isPrivate ?? false,
    messageAccess: input.messageAccess ?? true,
    appRole: input.appRole ?? 'ok',
  };
  world.addAccount(account);
  if (input.pageId !== undefined) link(world, account, found(world.accounts.get(input.pageId), 'Page', input.pageId));
  world.changed({ type: 'account', accountId: id });
  return account;
}

export function seedPage(world: World, input: SeedPageInput): Account {
  const id = input.id ?? world.ids.page();
  if (world.accounts.has(id)) throw new Refusal(409, `Account ${id} exists`);
  const name = input.name ?? `Page ${id.slice(-4)}`;
  const page: Account = {
    ...blankAccount(id, 'facebook', '', name, input.picture),
    followersCount: input.followersCount ?? 800,
    businessOwned: input.businessOwned ?? false,
  };
  world.addAccount(page);
  if (input.instagramAccountId !== undefined)
    link(
      world,
      found(world.accounts.get(input.instagramAccountId), 'Instagram account', input.instagramAccountId),
      page,
    );
  world.changed({ type: 'account', accountId: id });
  return page;
}

function blankAccount(
  id: string,
  platform: Account['platform'],
  username: string,
  name: string,
  picture: string | undefined,
): Account {
  return {
    id,
    platform,
    username,
    name,
    picture: picture ?? `/pictures/account-${id}.jpg`,
    biography: '',
    website: '',
    followersCount: 0,
    followsCount: 0,
    mediaIds: [],
    messengerProfile: {},
    linkedId: null,
    instagramLoginFields: null,
    pageFields: null,
    appScopedId: '',
    selfScopedId: '',
    accountType: 'BUSINESS',
    isPrivate: false,
    messageAccess: true,
    appRole: 'ok',
    businessOwned: false,
    policyBlocked: false,
  };
}

/** Links an Instagram account to a Page, loosening earlier links of both. */
export function link(world: World, instagram: Account, page: Account | null): void {
  for (const account of [instagram, page]) {
    const other = account === null ? undefined : world.accounts.get(account.linkedId ?? '');
    if (other) other.linkedId = null;
  }
  instagram.linkedId = page?.id ?? null;
  if (page) page.linkedId = instagram.id;
}

export function seedFacebookUser(world: World, input: SeedFacebookUserInput): { facebookUserId: string; name: string } {
  const id = input.id ?? world.ids.facebookUser();
  if (world.users.has(id)) throw new Refusal(409, `Facebook user ${id} exists`);
  const name = input.name ?? 'Maya Lindqvist';
  const tasks = Object.fromEntries((input.pages ?? []).map((page) => [page.pageId, page.tasks ?? ALL_TASKS]));
  for (const pageId of Object.keys(tasks)) found(world.accounts.get(pageId), 'Page', pageId);
  world.users.set(id, {
    id,
    name,
    email: input.email ?? `${name.toLowerCase().replaceAll(/\s+/g, '.')}@example.com`,
    tasks,
    grant: null,
  });
  world.changed();
  return { facebookUserId: id, name };
}

export function seedPerson(world: World, input: SeedPersonInput): Person {
  const known = input.id === undefined ? undefined : world.people.get(input.id);
  if (known) return known;
  const id = input.id ?? world.ids.name('person');
  const name = input.name ?? NAMES[world.people.size % NAMES.length]!;
  const person: Person = {
    id,
    name,
    username: input.username ?? `${name.toLowerCase().replaceAll(/[^a-z]+/g, '_')}_${id.replaceAll(/\D/g, '')}`,
    picture: input.picture ?? `/pictures/person-${id}.jpg`,
    verified: input.verified ?? false,
    followersCount: input.followersCount ?? 240,
  };
  world.people.set(id, person);
  world.changed({ type: 'person', personId: id });
  return person;
}

export function seedPost(world: World, input: SeedPostInput): Media {
  const account = found(world.accounts.get(input.accountId), 'account', input.accountId);
  const id = input.id ?? (account.platform === 'instagram' ? world.ids.media() : world.ids.pagePost(account.id));
  if (world.media.has(id)) throw new Refusal(409, `Post ${id} exists`);
  const product = input.product ?? 'FEED';
  const media: Media = {
    id,
    accountId: account.id,
    product,
    mediaType: input.mediaType ?? (product === 'REELS' || product === 'LIVE' ? 'VIDEO' : 'IMAGE'),
    caption: input.caption ?? CAPTIONS[account.mediaIds.length % CAPTIONS.length]!,
    picture: input.picture ?? `/pictures/post-${id}.jpg`,
    shortcode: world.ids.shortcode(),
    createdAt: input.createdAt ?? world.now(),
    likeCount: input.likeCount ?? 40,
    views: input.views ?? 900,
    originalMediaId: input.originalMediaId ?? null,
    commentsDisabled: input.commentsDisabled ?? false,
    endedAt: null,
    deleted: false,
    commentIds: [],
  };
  world.media.set(id, media);
  account.mediaIds.push(id);
  world.changed({ type: 'post', accountId: account.id, mediaId: id });
  return media;
}

/** A creator with everything: the quick start of tests. */
export function seedCreator(world: World, input: SeedCreatorInput): SeededCreator {
  const name = input.name ?? 'Maya Lindqvist';
  const page = seedPage(world, {
    name: `${name} Kitchen`,
    ...(input.businessOwned === undefined ? {} : { businessOwned: input.businessOwned }),
  });
  const instagram = seedInstagramAccount(world, {
    name,
    pageId: page.id,
    ...(input.username === undefined ? {} : { username: input.username }),
    ...(input.accountType === undefined ? {} : { accountType: input.accountType }),
    ...(input.picture === undefined ? {} : { picture: input.picture }),
    ...(input.followersCount === undefined ? {} : { followersCount: input.followersCount }),
  });
  if (input.picture !== undefined) page.picture = input.picture;
  const { facebookUserId } = seedFacebookUser(world, { name, pages: [{ pageId: page.id }] });
  if (input.subscribed?.includes('instagram')) instagram.instagramLoginFields = [...INSTAGRAM_FIELDS];
  if (input.subscribed?.includes('facebook')) page.pageFields = [...PAGE_FIELDS];

  const wanted = input.followers ?? 3;
  const people = (typeof wanted === 'number' ? Array.from({ length: wanted }, () => ({})) : wanted).map((person) =>
    seedPerson(world, person),
  );
  const posts = seedPosts(world, instagram.id, input.posts ?? 3);
  const pagePosts = seedPosts(world, page.id, input.pagePosts ?? 1);
  return {
    facebookUserId,
    pageId: page.id,
    pageName: page.name,
    instagramAccountId: instagram.id,
    instagramAppScopedId: instagram.appScopedId,
    username: instagram.username,
    followers: people.map((person) => ({
      personId: person.id,
      username: person.username,
      name: person.name,
      igsid: world.contact(person.id, instagram).scopedId,
      psid: world.contact(person.id, page).scopedId,
    })),
    posts: posts.map((media) => ({
      mediaId: media.id,
      permalink: `${world.url}/p/${media.shortcode}/`,
      caption: media.caption,
    })),
    pagePosts: pagePosts.map((media) => ({ mediaId: media.id, caption: media.caption })),
    tokens: {
      instagram: issueToken(world, { kind: 'INSTAGRAM_BUSINESS_USER', subjectId: instagram.id }),
      facebookUser: issueToken(world, { kind: 'FACEBOOK_BUSINESS_USER', subjectId: facebookUserId }),
      page: issueToken(world, { kind: 'FACEBOOK_BUSINESS_PAGE', subjectId: page.id, facebookUserId }),
    },
  };
}

function seedPosts(world: World, accountId: string, wanted: number | Omit<SeedPostInput, 'accountId'>[]): Media[] {
  if (typeof wanted !== 'number') return wanted.map((post) => seedPost(world, { ...post, accountId }));
  const now = world.now();
  return Array.from({ length: wanted }, (_, index) =>
    seedPost(world, { accountId, createdAt: now - (wanted - index) * HOUR_MS }),
  );
}

export function issueToken(world: World, input: IssueTokenInput): IssuedToken {
  const { kind, subjectId } = input;
  if (kind === 'FACEBOOK_BUSINESS_USER') found(world.users.get(subjectId), 'Facebook user', subjectId);
  else found(world.accounts.get(subjectId), 'account', subjectId);
  const userId =
    kind === 'FACEBOOK_BUSINESS_USER'
      ? subjectId
      : kind === 'FACEBOOK_BUSINESS_PAGE'
        ? (input.facebookUserId ?? [...world.users.values()].find((user) => subjectId in user.tasks)?.id ?? null)
        : null;
  const scopes = input.scopes ?? [...(kind === 'INSTAGRAM_BUSINESS_USER' ? INSTAGRAM_SCOPES : FACEBOOK_SCOPES)];
  const token = mintToken(world, {
    kind,
    subjectId,
    userId,
    scopes,
    life: input.life ?? 'long',
    ...(input.issuedAt === undefined ? {} : { issuedAt: input.issuedAt }),
  });
  return { token: token.value, kind, subjectId, scopes, issuedAt: token.issuedAt, expiresAt: token.expiresAt };
}
