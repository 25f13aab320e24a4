import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { type LiveEvent, listInteractions } from '#contract/interactions.ts';
import { listKeywords } from '#contract/keywords.ts';
import { listReplies } from '#contract/replies.ts';
import { getStory, listLives, listStories, listStoryLinks, listStoryMentions } from '#contract/stories.ts';
import { gatherEvents, isAffected, LIBRARIES, refetchAffected, STORIES } from '#web/shell/live-refresh.ts';

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

it('asks who is signed in again when a pause, the health of a connection, a deletion or the plan changed', () => {
  const deletion = ['/creators/:creatorId/settings/deletion', { creatorId }];
  expect(isAffected({ what: 'connections' }, ['/auth/me'])).toBe(true);
  expect(isAffected({ what: 'account' }, ['/auth/me'])).toBe(true);
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

it('gathers what comes during a fetch and loses none of it', async () => {
  const rounds: LiveEvent[][] = [];
  const finish: (() => void)[] = [];
  const push = gatherEvents((events) => {
    rounds.push(events);
    return new Promise<void>((resolve) => finish.push(resolve));
  });
  push({ what: 'interactions' });
  push({ what: 'posts' });
  push({ what: 'deliveries' });
  expect(rounds).toEqual([[{ what: 'interactions' }]]);
  finish[0]?.();
  await Promise.resolve();
  await Promise.resolve();
  expect(rounds[1]).toEqual([{ what: 'posts' }, { what: 'deliveries' }]);
});

it('refreshes stories and lives with what happens in them', () => {
  expect(STORIES).toEqual([listStories.path, listLives.path, listStoryLinks.path, listStoryMentions.path]);
  for (const what of ['stories', 'interactions', 'automations'] as const) {
    expect(isAffected({ what }, [getStory.path, {}])).toBe(true);
  }
});

it('refreshes the libraries when automations change', () => {
  expect(LIBRARIES).toEqual([listKeywords.path, listReplies.path]);
  expect(isAffected({ what: 'automations' }, [listKeywords.path, {}])).toBe(true);
});
