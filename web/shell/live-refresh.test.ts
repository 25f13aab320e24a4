import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { getAutomation, listAutomations } from '#contract/automations.ts';
import { type Endpoint, LIVE_EVENTS } from '#contract/endpoint.ts';
import { type LiveEvent, listInteractions } from '#contract/interactions.ts';
import { listKeywords } from '#contract/keywords.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { getPost, listPosts } from '#contract/posts.ts';
import { listRecipes } from '#contract/recipes.ts';
import { listReplies } from '#contract/replies.ts';
import { getDeletion } from '#contract/settings.ts';
import { getStory, listLives, listStories, listStoryLinks, listStoryMentions } from '#contract/stories.ts';
import { gatherEvents, isAffected, isNewsOfCreator, refetchAffected } from '#web/shell/live-refresh.ts';
import { queryKey } from '#web/shell/queries.ts';

const WHATS = LIVE_EVENTS.filter((what) => what !== 'hello');
const creatorId = 'c1';

it('leaves alone what has nothing to do with the change', () => {
  expect(isAffected({ what: 'posts' }, queryKey(listInteractions, { params: { creatorId } }))).toBe(false);
  expect(isAffected({ what: 'interactions' }, ['/auth/me'])).toBe(false);
});

it('finds lists, whole or by pages, and single things', () => {
  const list = queryKey(listAutomations, { params: { creatorId } });
  expect(isAffected({ what: 'automations' }, list)).toBe(true);
  expect(isAffected({ what: 'automations' }, [...list, 'pages'])).toBe(true);
  const one = queryKey(getAutomation, { params: { creatorId, automationId: 'a1' } });
  expect(isAffected({ what: 'automations' }, one)).toBe(true);
});

it('never asks who is signed in again, but reads the creator when a pause, a connection’s health, a deletion or the plan changed', () => {
  const deletion = queryKey(getDeletion, { params: { creatorId } });
  for (const what of LIVE_EVENTS) expect(isAffected({ what }, ['/auth/me']), what).toBe(false);
  expect(isNewsOfCreator({ what: 'connections' })).toBe('now');
  expect(isNewsOfCreator({ what: 'account' })).toBe('now');
  expect(isNewsOfCreator({ what: 'hello' })).toBe('now');
  expect(isNewsOfCreator({ what: 'interactions' })).toBe('soon');
  expect(isNewsOfCreator({ what: 'posts' })).toBe(null);
  expect(isAffected({ what: 'account' }, deletion)).toBe(true);
  expect(isAffected({ what: 'connections' }, deletion)).toBe(false);
  expect(isAffected({ what: 'account' }, queryKey(listPosts, { params: { creatorId } }))).toBe(false);
});

it('asks for everything of the creator after a gap in which events were missed', () => {
  expect(isAffected({ what: 'hello' }, ['/creators/:creatorId/posts', { creatorId }])).toBe(true);
  expect(isAffected({ what: 'hello' }, ['/env'])).toBe(false);
});

it('asks again when the first answer was under way during the change', async () => {
  const client = new QueryClient();
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const key = queryKey(listInteractions, { params: { creatorId } });
  const observer = new QueryObserver(client, { queryKey: key, queryFn: () => answers[asked++]!.promise });
  const stop = observer.subscribe(() => {});
  const refetched = refetchAffected(client, [{ what: 'interactions' }]);
  answers[0]!.resolve('read before the change');
  answers[1]!.resolve('with the change');
  await refetched;
  expect(client.getQueryData(key)).toBe('with the change');
  stop();
  client.clear();
});

it('spares a single post that the event does not name', () => {
  const key = queryKey(getPost, { params: { creatorId, postId: 'p1' } });
  expect(isAffected({ what: 'interactions', postIds: ['p2'] }, key)).toBe(false);
  expect(isAffected({ what: 'interactions', postIds: ['p1', 'p2'] }, key)).toBe(true);
  expect(isAffected({ what: 'interactions' }, key)).toBe(true);
});

describe('gathering', () => {
  const settle = () => new Promise((resolve) => setTimeout(resolve));

  it('takes what comes during a fetch and the rest after it in one go, and loses none of it', async () => {
    const rounds: LiveEvent[][] = [];
    const finish: (() => void)[] = [];
    const step = () => new Promise<void>((resolve) => finish.push(resolve));
    const push = gatherEvents((events) => {
      rounds.push(events);
      return step();
    }, step);
    push({ what: 'interactions' });
    push({ what: 'posts' });
    expect(rounds).toEqual([[{ what: 'interactions' }]]);
    finish.shift()?.();
    await settle();
    push({ what: 'stories' });
    expect(rounds).toHaveLength(1);
    finish.shift()?.();
    await settle();
    expect(rounds[1]).toEqual([{ what: 'posts' }, { what: 'stories' }]);
  });

  it('takes a greeting in the middle for what it is: word of missed events', () => {
    const rounds: LiveEvent[][] = [];
    const push = gatherEvents(async (events) => rounds.push(events));
    push({ what: 'hello' });
    expect(rounds).toEqual([[{ what: 'hello' }]]);
  });
});

it.each([
  [
    'stories and lives',
    [listStories, listLives, listStoryLinks, listStoryMentions, getStory],
    ['stories', 'interactions', 'automations'],
  ],
  ['libraries', [listKeywords, listReplies, listRecipes], ['automations']],
  ['what was found at links', [listLinkChecks], ['automations', 'links']],
] as const)('refreshes %s with what changes them, and nothing else', (_what, endpoints, events) => {
  for (const endpoint of endpoints) {
    const key = queryKey<Endpoint>(endpoint);
    expect(WHATS.filter((what) => isAffected({ what }, key))).toEqual(
      WHATS.filter((what) => events.includes(what as never)),
    );
  }
});
