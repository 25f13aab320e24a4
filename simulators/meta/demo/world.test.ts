import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { demoFollowers } from './people.ts';
import { demoPicture, scenePath } from './pictures.ts';
import { demoPosts } from './posts.ts';
import { DEMO_USERNAME, seedDemo } from './world.ts';

const MAX_PICTURE_BYTES = 28_000;

describe('the demo world', () => {
  let simulator: MetaSimulator;
  beforeEach(async () => {
    simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z', pictures: demoPicture });
  });
  afterEach(() => simulator.close());

  it('begins again when an earlier seeding was cut short', async () => {
    await simulator.control.seedInstagramAccount({ username: DEMO_USERNAME });
    await seedDemo(simulator.control);
    const accounts = await simulator.control.accounts();
    expect(accounts.filter((account) => account.username === DEMO_USERNAME)).toHaveLength(1);
    expect(accounts).toHaveLength(5);
  });

  it('is seeded once, however often it is asked for', async () => {
    const first = await seedDemo(simulator.control);
    const posts = await simulator.control.posts(first.instagramAccountId);
    const people = await simulator.control.people();
    expect(await seedDemo(simulator.control)).toEqual(first);
    expect(await simulator.control.posts(first.instagramAccountId)).toEqual(posts);
    expect(await simulator.control.people()).toEqual(people);
  });

  it('has a creator worth looking at', async () => {
    const { instagramAccountId, pageId } = await seedDemo(simulator.control);
    const account = (await simulator.control.accounts()).find((one) => one.accountId === instagramAccountId)!;
    expect(account).toMatchObject({ username: DEMO_USERNAME, accountType: 'MEDIA_CREATOR', pageId });
    const posts = await simulator.control.posts(instagramAccountId);
    const now = await simulator.control.now();
    expect(posts.length).toBeGreaterThanOrEqual(40);
    expect(now - posts[0]!.createdAt).toBeLessThan(24 * 3_600_000);
    expect(now - posts.at(-1)!.createdAt).toBeGreaterThan(270 * 24 * 3_600_000);
    expect(posts.map((post) => post.createdAt)).toEqual(posts.map((post) => post.createdAt).toSorted((a, b) => b - a));
    expect(posts.reduce((sum, post) => sum + post.commentsCount, 0)).toBeGreaterThan(100);
  });

  it('has followers and strangers, and a stranger with a message request', async () => {
    const { followerIds } = await seedDemo(simulator.control);
    expect(followerIds.length).toBeGreaterThanOrEqual(8);
    expect(demoFollowers.filter((person) => !person.follows).length).toBeGreaterThan(0);
    const [thread] = await simulator.control.inbox('kwame');
    expect(thread).toMatchObject({ folder: 'requests', unread: 1 });
  });

  it('serves the picture of every post, account and follower', async () => {
    const { followerIds } = await seedDemo(simulator.control);
    const accounts = await simulator.control.accounts();
    const posts = (await Promise.all(accounts.map((account) => simulator.control.posts(account.accountId)))).flat();
    const people = (await simulator.control.people()).filter((person) => followerIds.includes(person.personId));
    for (const { pictureUrl } of [...accounts, ...posts, ...people])
      expect(demoPicture(new URL(pictureUrl).pathname), pictureUrl).toBeDefined();
    const response = await fetch(posts[0]!.pictureUrl);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
  });
});

describe('the demo posts', () => {
  it('have captions of their own, within what Instagram takes', () => {
    expect(new Set(demoPosts.map((post) => post.caption)).size).toBe(demoPosts.length);
    expect(new Set(demoPosts.map((post) => post.scene)).size).toBe(demoPosts.length);
    const longest = Math.max(...demoPosts.map((post) => post.caption.length));
    expect(longest).toBeGreaterThan(1_500);
    expect(longest).toBeLessThanOrEqual(2_200);
  });
});

describe('a demo picture', () => {
  it('is none of ours for any other path', () => {
    for (const path of ['/pictures/post-1.jpg', '/pictures/demo/nothing.svg', '/pictures/demo/face-nobody.svg', '/'])
      expect(demoPicture(path)).toBeUndefined();
  });

  const files = readdirSync(join(import.meta.dirname, 'pictures'));
  it.each(files.map((file) => basename(file, '.svgz')))('%s is small and well-formed', (name) => {
    const svg = demoPicture(scenePath(name))!.body;
    expect(Buffer.byteLength(svg)).toBeLessThan(MAX_PICTURE_BYTES);
    expect(wellFormed(svg)).toBe(true);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    for (const [, id] of svg.matchAll(/(?:url\(|href=")#([\w-]+)/g)) expect(svg).toContain(`id="${id}"`);
  });
});

/** Every element closed in order, every attribute quoted and named once. */
function wellFormed(xml: string): boolean {
  const open: string[] = [];
  const element = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>/y;
  while (element.lastIndex < xml.length) {
    const found = element.exec(xml);
    if (!found) return false;
    const [, closing, name, attributes, alone] = found;
    const names = [...attributes!.matchAll(/([A-Za-z][\w:-]*)="/g)].map((match) => match[1]);
    if (new Set(names).size !== names.length) return false;
    if (closing) {
      if (open.pop() !== name) return false;
    } else if (!alone) open.push(name!);
  }
  return open.length === 0;
}
