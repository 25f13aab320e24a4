import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { LiveEvent, listInteractions } from '#contract/interactions.ts';
import { listKeywords } from '#contract/keywords.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listRecipes } from '#contract/recipes.ts';
import { listReplies } from '#contract/replies.ts';
import { getStory, listLives, listStories, listStoryLinks, listStoryMentions } from '#contract/stories.ts';
import {
  gatherEvents,
  isAffected,
  isNewsOfCreator,
  LIBRARIES,
  LINK_CHECKS,
  refetchAffected,
  STORIES,
} from '#web/shell/live-refresh.ts';

const creatorId = 'c1';

it('leaves alone what has nothing to do with the change', () => {
  expect(isAffected({ what: 'posts' }, ['/creators/:creatorId/interactions', { creatorId }])).toBe(false);
  expect(isAffected({ what: 'interactions' }, ['/auth/me'])).toBe(false);
});

it('finds lists and single things below the same address', () => {
  expect(isAffected({ what: 'automations' }, ['/creators/:creatorId/automations', { creatorId }])).toBe(true);
  expect(isAffected({ what: 'automations' }, ['/creators/:creatorId/automations/:automationId', { creatorId }])).toBe(
    true,
  );
});

it('never asks who is signed in again, but reads the creator when a pause, a connection’s health, a deletion or the plan changed', () => {
  const deletion = ['/creators/:creatorId/settings/deletion', { creatorId }];
  for (const what of LiveEvent.shape.what.options) expect(isAffected({ what }, ['/auth/me']), what).toBe(false);
  expect(isNewsOfCreator({ what: 'connections' })).toBe('now');
  expect(isNewsOfCreator({ what: 'account' })).toBe('now');
  expect(isNewsOfCreator({ what: 'hello' })).toBe('now');
  expect(isNewsOfCreator({ what: 'deliveries' })).toBe('soon');
  expect(isNewsOfCreator({ what: 'posts' })).toBe(null);
  expect(isAffected({ what: 'account' }, deletion)).toBe(true);
  expect(isAffected({ what: 'connections' }, deletion)).toBe(false);
  expect(isAffected({ what: 'account' }, ['/creators/:creatorId/posts', { creatorId }])).toBe(false);
});

it('asks for everything of the creator after a gap in which events were missed', () => {
  expect(isAffected({ what: 'hello' }, ['/creators/:creatorId/posts', { creatorId }])).toBe(true);
  expect(isAffected({ what: 'hello' }, ['/env'])).toBe(false);
});

it('asks again when the first answer was under way during the change', async () => {
  const client = new QueryClient();
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const queryKey = [listInteractions.path, { creatorId }];
  const observer = new QueryObserver(client, { queryKey, queryFn: () => answers[asked++]!.promise });
  const stop = observer.subscribe(() => {});
  const refetched = refetchAffected(client, [{ what: 'interactions' }]);
  answers[0]!.resolve('read before the change');
  answers[1]!.resolve('with the change');
  await refetched;
  expect(client.getQueryData(queryKey)).toBe('with the change');
  stop();
  client.clear();
});

it('spares a single post that the event does not name', () => {
  const key = ['/creators/:creatorId/posts/:postId', { creatorId, postId: 'p1' }];
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
    push({ what: 'deliveries' });
    expect(rounds).toHaveLength(1);
    finish.shift()?.();
    await settle();
    expect(rounds[1]).toEqual([{ what: 'posts' }, { what: 'deliveries' }]);
  });

  it('takes a greeting in the middle for what it is: word of missed events', () => {
    const rounds: LiveEvent[][] = [];
    const push = gatherEvents(async (events) => rounds.push(events));
    push({ what: 'hello' });
    expect(rounds).toEqual([[{ what: 'hello' }]]);
  });
});

it('refreshes stories and lives with what happens in them', () => {
  expect(STORIES).toEqual([listStories.path, listLives.path, listStoryLinks.path, listStoryMentions.path]);
  for (const what of ['stories', 'interactions', 'automations'] as const) {
    expect(isAffected({ what }, [getStory.path, {}])).toBe(true);
  }
});

it('refreshes the libraries when automations change', () => {
  expect(LIBRARIES).toEqual([listKeywords.path, listReplies.path, listRecipes.path]);
  expect(isAffected({ what: 'automations' }, [listKeywords.path, {}])).toBe(true);
});

it('refreshes what was found at links, and nothing else, when a link was looked at', () => {
  expect(LINK_CHECKS).toBe(listLinkChecks.path);
  expect(isAffected({ what: 'links' }, [listLinkChecks.path, {}])).toBe(true);
  expect(isAffected({ what: 'links' }, ['/creators/:creatorId/automations', {}])).toBe(false);
});
