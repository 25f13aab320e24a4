import type { CommentInput, MetaSimulatorControl } from '../control-client.ts';
import { commentsUnder, type DemoComment, wordOf } from './comments.ts';
import { demoCrowd, demoFollowers } from './people.ts';
import { facePath, MARK_PATH, QUIET_MARK_PATH, scenePath } from './pictures.ts';
import { type DemoPost, demoPosts } from './posts.ts';
import { between, randomFrom } from './random.ts';

const HOUR_MS = 3_600_000;
export const DEMO_USERNAME = 'thegoldenspoon';
export const DEMO_SITE = 'https://example.com/the-golden-spoon';
/** Seeded last: its presence says that the rest is complete. */
const LAST_USERNAME = 'spoon.off.duty';

/** Names that the demo's start message, sign-in and tests need. */
export interface DemoWorld {
  instagramAccountId: string;
  username: string;
  pageId: string;
  /** People of the demo who can be played, by their `personId`. */
  followerIds: string[];
}

/**
 * Fills a simulator with the demo: the creator The Golden Spoon with its Page, posts, followers and comments, and beside it the accounts
 * that cannot be connected. Does nothing when the world holds it already (from a state file); a half-seeded world is begun again.
 * @throws when the simulator refuses a call
 */
export async function seedDemo(control: MetaSimulatorControl): Promise<DemoWorld> {
  const found = await findDemo(control);
  if (found) return found;
  if ((await control.accounts()).some((account) => account.username === DEMO_USERNAME)) await control.reset();
  const { accountId, pageId } = await seedCreator(control);
  await seedPosts(control, accountId, demoPosts);
  await seedStories(control, accountId);
  return seedSurroundings(control, { accountId, pageId });
}

/**
 * The creator and followers, with the posts that are there before the demo's last days begin. `seedSurroundings` is left
 * for the end of those days.
 */
export async function seedDemoBefore(
  control: MetaSimulatorControl,
  posts: readonly DemoPost[],
): Promise<{ accountId: string; pageId: string }> {
  const seeded = await seedCreator(control);
  await seedPosts(control, seeded.accountId, posts);
  return seeded;
}

/** The present state: message requests, and the accounts that cannot be connected. */
export async function seedSurroundings(
  control: MetaSimulatorControl,
  { accountId, pageId }: { accountId: string; pageId: string },
): Promise<DemoWorld> {
  await seedRequests(control, accountId);
  await seedPagePosts(control, pageId);
  await seedTraps(control, pageId);
  return worldOf(accountId, pageId);
}

async function seedCreator(control: MetaSimulatorControl): Promise<{ accountId: string; pageId: string }> {
  const page = await control.seedPage({ name: 'The Golden Spoon', picture: MARK_PATH, followersCount: 9_120 });
  const { accountId } = await control.seedInstagramAccount({
    username: DEMO_USERNAME,
    name: 'The Golden Spoon',
    accountType: 'MEDIA_CREATOR',
    picture: MARK_PATH,
    biography: 'Weeknight food with a bit of gold on it 🥄\nRecipes by DM: comment the word in the caption 💌',
    website: DEMO_SITE,
    followersCount: 18_412,
    followsCount: 634,
    pageId: page.accountId,
  });
  for (const { follows, ...person } of demoFollowers) {
    await control.seedPerson(person);
    await control.setRelation(person.id, accountId, { follows });
  }
  for (const person of demoCrowd) await control.seedPerson(person);
  return { accountId, pageId: page.accountId };
}

/** The demo of a simulator that was filled before; null when it is not there, or not complete. Changes nothing. */
export async function findDemo(control: MetaSimulatorControl): Promise<DemoWorld | null> {
  const accounts = await control.accounts();
  const creator = accounts.find((account) => account.username === DEMO_USERNAME);
  const complete = accounts.some((account) => account.username === LAST_USERNAME);
  return creator && complete ? worldOf(creator.accountId, creator.pageId!) : null;
}

function worldOf(instagramAccountId: string, pageId: string): DemoWorld {
  return { instagramAccountId, username: DEMO_USERNAME, pageId, followerIds: demoFollowers.map((person) => person.id) };
}

/** Oldest first, as they were posted: about every week, the newest five hours and a day ago. */
async function seedPosts(control: MetaSimulatorControl, accountId: string, posts: readonly DemoPost[]): Promise<void> {
  const now = await control.now();
  const random = randomFrom('days of posting');
  const people = [...demoFollowers, ...demoCrowd].map((person) => person.id);
  const comments: CommentInput[] = [];
  const answers: { index: number; text: string; createdAt: number }[] = [];
  for (const [index, post] of [...posts.entries()].reverse()) {
    const hours = [5, 26][index] ?? 26 + (index - 1) * 7.6 * 24 + between(random, -40, 40);
    const createdAt = Math.round(now - hours * HOUR_MS);
    const { mediaId } = await control.seedPost({
      accountId,
      product: post.kind === 'reel' ? 'REELS' : 'FEED',
      mediaType: post.kind === 'reel' ? 'VIDEO' : post.kind === 'carousel' ? 'CAROUSEL_ALBUM' : 'IMAGE',
      caption: post.caption,
      picture: scenePath(post.scene),
      likeCount: post.likes,
      views: post.likes * 14,
      createdAt,
    });
    for (const comment of commentsUnder(post.scene, wordOf(post.caption), people, hours)) {
      if (comment.answer !== undefined) answers.push(answerTo(comment, comments.length, createdAt, now));
      comments.push({
        mediaId,
        personId: comment.personId,
        text: comment.text,
        createdAt: Math.min(createdAt + comment.afterMs, now - 60_000),
        notify: false,
      });
    }
  }
  const { commentIds } = await control.commentMany(comments);
  await control.commentMany(
    answers.map(({ index, text, createdAt }) => ({
      mediaId: comments[index]!.mediaId,
      personId: 'owner',
      parentId: commentIds[index]!,
      text,
      createdAt,
      notify: false,
    })),
  );
}

function answerTo(comment: DemoComment, index: number, postedAt: number, now: number) {
  return { index, text: comment.answer!, createdAt: Math.min(postedAt + comment.afterMs + 2 * HOUR_MS, now - 30_000) };
}

/** Kwame does not follow: what the creator wrote to him waits in his message requests. Mei and the creator know each other. */
async function seedRequests(control: MetaSimulatorControl, accountId: string): Promise<void> {
  const newest = (await control.posts(accountId)).find(({ product }) => product !== 'STORY')!;
  const asked = await control.comment({
    mediaId: newest.mediaId,
    personId: 'kwame',
    text: 'Is this on your blog too? I am not on here much',
    createdAt: newest.createdAt + HOUR_MS,
    notify: false,
  });
  await control.ownerPrivateReply({
    commentId: asked.commentId,
    text: 'Hi Kwame! It is: look for "15-minute pomodoro" on the blog. Enjoy 🍅',
  });
  await control.directMessage({ accountId, personId: 'mei', text: 'Are you home? I have too many dumplings again 🥟' });
  await control.ownerMessage({ accountId, personId: 'mei', text: 'There is no such thing. Coming over!' });
  await control.read({ accountId, personId: 'mei' });
}

/** One story that runs, one that is over. A live is begun by hand, on the phone as the creator. */
async function seedStories(control: MetaSimulatorControl, accountId: string): Promise<void> {
  const now = await control.now();
  const stories = [
    { hours: 30, scene: 'berry-cake', caption: 'Sunday cake. Reply CAKE for the recipe' },
    { hours: 3, scene: 'miso-ramen', caption: 'Ramen night! Reply RAMEN and I send you the recipe' },
  ] as const;
  for (const { hours, scene, caption } of stories) {
    await control.seedPost({
      accountId,
      product: 'STORY',
      caption,
      picture: scenePath(scene),
      views: 2_300,
      createdAt: now - hours * HOUR_MS,
    });
  }
}

/** The Page shows some of the same dishes, for Messenger to be tried. */
async function seedPagePosts(control: MetaSimulatorControl, pageId: string): Promise<void> {
  const now = await control.now();
  for (const [index, post] of demoPosts.slice(0, 5).entries()) {
    await control.seedPost({
      accountId: pageId,
      caption: post.caption,
      picture: scenePath(post.scene),
      likeCount: Math.round(post.likes / 5),
      createdAt: now - (8 + index * 170) * HOUR_MS,
    });
  }
}

/** Everything else that a person may try to connect: a Page without Instagram, a small unlinked account, a personal account. */
async function seedTraps(control: MetaSimulatorControl, pageId: string): Promise<void> {
  const catering = await control.seedPage({
    name: 'Golden Spoon Catering (no Instagram)',
    picture: scenePath('maki-board'),
    followersCount: 212,
  });
  await control.seedFacebookUser({
    name: 'Ella Hart',
    pages: [{ pageId }, { pageId: catering.accountId }],
  });
  const small = await control.seedInstagramAccount({
    username: 'lemonandthyme.studio',
    name: 'Lemon & Thyme Studio',
    accountType: 'BUSINESS',
    picture: QUIET_MARK_PATH,
    biography: 'Props and tables for food photographers',
    followersCount: 1_240,
    followsCount: 310,
  });
  const now = await control.now();
  for (const [index, scene] of (['caprese', 'citrus-salad', 'lemon-cake'] as const).entries()) {
    await control.seedPost({
      accountId: small.accountId,
      caption: [
        'New backdrop: blue gingham.',
        'Sky plaster, 60 × 60.',
        'Zellige board, green. Comment BOARD for the shop link.',
      ][index]!,
      picture: scenePath(scene),
      likeCount: 40 + index * 23,
      createdAt: now - (3 - index) * 120 * HOUR_MS,
    });
  }
  await control.seedInstagramAccount({
    username: LAST_USERNAME,
    name: 'Ella (private life)',
    accountType: 'PERSONAL',
    picture: facePath('emoji'),
    isPrivate: true,
    followersCount: 143,
    followsCount: 220,
  });
}
