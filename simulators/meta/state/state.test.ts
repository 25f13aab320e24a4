import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { graphCaller } from '../testing/graph-caller.ts';
import { Clock } from './clock.ts';
import { Ids } from './ids.ts';

const started: MetaSimulator[] = [];
const directories: string[] = [];
const start = async (...parameters: Parameters<typeof startMetaSimulator>) => {
  const simulator = await startMetaSimulator(...parameters);
  started.push(simulator);
  return simulator;
};
afterEach(async () => {
  for (const simulator of started.splice(0)) await simulator.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

describe('ids', () => {
  it('never repeat, are the same for the same seed and others for another', () => {
    const ids = new Ids('one');
    const made = Array.from({ length: 50_000 }, () => ids.comment());
    expect(new Set(made).size).toBe(made.length);
    expect(made.every((id) => /^\d{17}$/.test(id))).toBe(true);
    expect(new Ids('one').comment()).toBe(made[0]);
    expect(new Ids('two').comment()).not.toBe(made[0]);
  });

  it('of messages are longer than a hundred characters', () => {
    expect(new Ids('one').instagramMessage('17841405822304914').length).toBeGreaterThan(100);
  });
});

describe('the clock', () => {
  it('stands still until moved, and stops at due work on the way', async () => {
    const clock = new Clock(1000);
    const seen: [string, number][] = [];
    clock.at(1500, () => void seen.push(['second', clock.now()]));
    clock.at(1200, () => {
      seen.push(['first', clock.now()]);
      clock.at(1300, () => void seen.push(['added', clock.now()]));
    });
    clock.at(9000, () => void seen.push(['never', clock.now()]));
    await clock.moveTo(2000);
    expect(seen).toEqual([
      ['first', 1200],
      ['added', 1300],
      ['second', 1500],
    ]);
    expect(clock.now()).toBe(2000);
    await clock.moveTo(1);
    expect(clock.now()).toBe(2000);
    clock.close();
  });

  it('jumps without waiting for due work, which runs afterwards', async () => {
    const clock = new Clock(1000);
    const seen: number[] = [];
    clock.at(1500, () => void seen.push(clock.now()));
    clock.jumpTo(2000);
    expect([clock.now(), seen]).toEqual([2000, []]);
    await clock.moveTo(2000);
    expect(seen).toEqual([2000]);
    clock.close();
  });

  it('follows the wall clock with an offset in real mode', async () => {
    const clock = new Clock('real');
    const before = clock.now();
    await clock.moveTo(before + 86_400_000);
    expect(clock.now()).toBeGreaterThanOrEqual(before + 86_400_000);
    clock.close();
  });
});

describe('a state file', () => {
  it('keeps accounts, tokens and used-up comments over a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'meta-simulator-'));
    directories.push(directory);
    const stateFile = join(directory, 'nested', 'meta.json');
    const first = await startMetaSimulator({ stateFile });
    const creator = await first.control.seedCreator({ subscribed: ['instagram'] });
    const { commentId } = await first.control.comment({
      mediaId: creator.posts[0]!.mediaId,
      personId: creator.followers[0]!.personId,
      text: 'hi',
    });
    await graphCaller(first, 'instagram', creator.tokens.instagram.token).privateReply(commentId);
    await first.control.updateApp({ name: 'Renamed' });
    await first.close();

    const second = await start({ stateFile });
    const instagram = graphCaller(second, 'instagram', creator.tokens.instagram.token);
    expect((await instagram.privateReply(commentId)).body.error.error_subcode).toBe(2534025);
    expect((await second.control.inbox(creator.followers[0]!.personId))[0]!.messages).toHaveLength(1);
    expect(second.app.name).toBe('Renamed');
    const media = (await instagram.get('/me/media?fields=media_url')).body.data[0];
    expect(media.media_url.startsWith(second.url)).toBe(true);
    const fresh = await second.control.comment({
      mediaId: creator.posts[0]!.mediaId,
      personId: creator.followers[0]!.personId,
      text: 'again',
    });
    expect(fresh.commentId).not.toBe(commentId);
  });
});

it('gives two simulators of one seed the same world', async () => {
  const worlds = await Promise.all(
    [0, 1].map(async () => (await start({ seed: 'same', clock: 0 })).control.seedCreator()),
  );
  const [one, other] = worlds.map((creator) => ({ ...creator, posts: creator.posts.map((post) => post.mediaId) }));
  expect(one).toEqual(other);
});
