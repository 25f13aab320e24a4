/** The caching rules of the specification's section 7, and what its section 8 shows when something was done or failed. */
import { focusManager, onlineManager, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listLinkChecks } from '#contract/link-guard.ts';
import { getMe, updateProfile } from '#contract/session.ts';
import { ApiError, errorFromAnswer } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import {
  endpointQuery,
  queryKey,
  readWholeList,
  refresh,
  setAnswer,
  useChangeAtOnce,
  useEndpointMutation,
} from '#web/shell/queries.ts';
import { makeQueryClient, retryDelay } from '#web/shell/query-client.ts';
import { envQuery, readCreator, sessionQuery } from '#web/shell/session.ts';
import { act } from '#web/shell/testing/act.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { useSignOut } from '#web/shell/use-sign-out.ts';
import { currentToast, dismissToast } from '#web/ui/toast.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  for (let toast = currentToast(); toast; toast = currentToast()) dismissToast(toast.id);
});

/** Every call is answered so; returns the addresses called. */
function answering(status: number, body: unknown): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(address);
    return new Response(JSON.stringify(body), { status });
  });
  return calls;
}

describe('a list that is read to its end', () => {
  it('has the items of all pages, one page asked for after the other', async () => {
    const pages = [
      { items: [{ id: '1' }, { id: '2' }], next: 'from here', checking: true },
      { items: [{ id: '3' }], next: null, checking: true },
    ];
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (address: string) => Response.json(pages[calls.push(address) - 1]));
    const whole = await readWholeList(listLinkChecks, { params: { creatorId: 'c' } });
    expect(whole).toEqual({ items: [{ id: '1' }, { id: '2' }, { id: '3' }], next: null, checking: true });
    expect(calls).toEqual(['', '?after=from+here'].map((query) => `/api/v1/creators/c/link-checks${query}`));
  });
});

describe('queries', () => {
  it('are asked again after a change whose first answer was under way, and may be older', async () => {
    const client = makeQueryClient();
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let asked = 0;
    const queryKeyOfAll = queryKey(listLinkChecks, { params: { creatorId: 'c' } });
    const observer = new QueryObserver(client, { queryKey: queryKeyOfAll, queryFn: () => answers[asked++]!.promise });
    onTestFinished(observer.subscribe(() => {}));
    const refreshed = refresh(client, listLinkChecks);
    answers[0]!.resolve('read before the change');
    answers[1]!.resolve('with the change');
    await refreshed;
    expect(observer.getCurrentResult().data).toBe('with the change');
  });

  it('are tried three times more, where that may help, with a growing pause of at most 30 s', () => {
    const { retry, gcTime } = makeQueryClient().getDefaultOptions().queries!;
    const busy = errorFromAnswer(503, {});
    expect(
      [0, 1, 2, 3].map((failures) => (retry as (failures: number, error: Error) => boolean)(failures, busy)),
    ).toEqual([true, true, true, false]);
    expect([0, 1, 2, 3, 4, 5, 30].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(gcTime).toBe(5 * 60_000);
  });

  it('for the environment are cached under a key of their own and not retried', async () => {
    const calls = answering(503, {});
    const client = makeQueryClient();
    await expect(client.fetchQuery(envQuery)).rejects.toBeInstanceOf(ApiError);
    expect(calls).toEqual(['/api/v1/env']);
    answering(200, { environment: 'test' });
    await client.fetchQuery(envQuery);
    expect(client.getQueryData(['/env'])).toEqual({ environment: 'test' });
  });

  it.each([
    ['auth/me', 200],
    ['auth/me', 503],
    ['env', 200],
    ['env', 503],
  ])(
    'for %s are asked once: no retry, no refetch on focus, reconnect, mount or interval (answer %i)',
    async (path, status) => {
      const query = path === 'env' ? envQuery : sessionQuery;
      const calls = answering(status, EXAMPLE_ME);
      const client = makeQueryClient();
      client.mount();
      onTestFinished(() => client.unmount());
      for (let mounted = 0; mounted < 3; mounted++) {
        const observer = new QueryObserver<unknown>(client, query as object as QueryObserverOptions<unknown>);
        const stop = observer.subscribe(() => {});
        await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe('idle'));
        expect(observer.getCurrentResult().isSuccess).toBe(status === 200);
        for (const manager of [
          focusManager.setFocused.bind(focusManager),
          onlineManager.setOnline.bind(onlineManager),
        ]) {
          manager(false);
          manager(true);
        }
        await vi.waitFor(() => expect(client.isFetching()).toBe(0));
        expect(observer.options.refetchInterval).toBeFalsy();
        stop();
      }
      expect(calls).toEqual([`/api/v1/${path}`]);
    },
  );

  it('for auth/me get news of the creator from the creator itself', async () => {
    const client = makeQueryClient();
    client.setQueryData(sessionQuery.queryKey, EXAMPLE_ME);
    const creatorId = EXAMPLE_ME.creatorAccount!._id;
    const { subscription, billing, tokenDetails } = EXAMPLE_ME;
    const queue = { waiting: 7, doneAt: null };
    const calls = answering(200, {
      ...EXAMPLE_ME.creatorAccount,
      handle: 'ada.bakes',
      subscription,
      billing,
      tokenDetails,
      queue,
      toolsToReconnect: ['Kit'],
      mailServerFails: true,
    });
    await readCreator(client, creatorId);
    expect(calls).toEqual([`/api/v1/creators/${creatorId}`]);
    expect(client.getQueryData(sessionQuery.queryKey)).toEqual({
      ...EXAMPLE_ME,
      creatorAccount: { ...EXAMPLE_ME.creatorAccount, handle: 'ada.bakes' },
      queue,
      toolsToReconnect: ['Kit'],
      mailServerFails: true,
    });
    // Of another creator than the one shown, or without an answer: nothing changes.
    const before = client.getQueryData(sessionQuery.queryKey);
    await readCreator(client, '0197a0aa-0000-7000-8000-00000000000b');
    answering(503, {});
    await readCreator(client, creatorId);
    expect(client.getQueryData(sessionQuery.queryKey)).toBe(before);
  });

  it('take the answer of a change, and not an older one that is on its way', async () => {
    const older = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => older.promise);
    const client = makeQueryClient();
    const stop = new QueryObserver(client, endpointQuery(getMe, {})).subscribe(() => {});
    const changed = { ...EXAMPLE_ME, account: { ...EXAMPLE_ME.account, name: 'Grace' } };
    await setAnswer(client, getMe, {}, changed);
    older.resolve(Response.json(EXAMPLE_ME));
    await older.promise;
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    expect(client.getQueryData(queryKey(getMe, {}))).toEqual(changed);
    stop();
  });

  it.each([
    [500, ['/env', '/auth/me', '/creators/:creatorId/posts']],
    [200, ['/env', '/auth/me']],
  ])('are forgotten after a logout that worked, but for the environment (%i)', async (status, left) => {
    const client = makeQueryClient();
    client.setQueryData(envQuery.queryKey, { environment: 'test' } as never);
    client.setQueryData(queryKey(getMe), EXAMPLE_ME);
    client.setQueryData(['/creators/:creatorId/posts', { creatorId: 'x' }], { items: [] });
    answering(status, {});
    vi.stubGlobal('sessionStorage', { length: 0 });
    await act(
      () => {
        const { signOut } = useSignOut();
        return async () => signOut();
      },
      undefined,
      client,
    );
    await vi.waitFor(() => expect(currentToast()).toBeDefined());
    const paths = client.getQueryCache().getAll();
    expect(paths.map(({ queryKey: [path] }) => path)).toEqual(left);
    expect(client.getQueryData(sessionQuery.queryKey)).toEqual(status === 200 ? null : EXAMPLE_ME);
  });
});

it('calls with a body have JSON content type', async () => {
  const sent: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    sent.push(init);
    return Response.json({ message: 'Saved' });
  });
  await callApi(updateProfile, { body: { name: 'Ada' } });
  expect(sent).toMatchObject([
    {
      method: 'PATCH',
      body: '{"name":"Ada"}',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    },
  ]);
});

describe('a change', () => {
  const changed = { ...EXAMPLE_ME, account: { ...EXAMPLE_ME.account, name: 'Grace' } };
  const key = queryKey(getMe, {});

  /** A browser that shows `getMe`; both calls are answered when the test says so. */
  function shown() {
    const read = Promise.withResolvers<Response>();
    const saved = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', (_address: string, { method }: RequestInit) =>
      method === 'PATCH' ? saved.promise : read.promise,
    );
    const client = makeQueryClient();
    client.setQueryData(key, EXAMPLE_ME);
    onTestFinished(new QueryObserver(client, { ...endpointQuery(getMe, {}), staleTime: 60_000 }).subscribe(() => {}));
    return { client, read, saved };
  }

  it('that counts at once is shown before the server has it, and goes back where it was refused', async () => {
    const { client, read, saved } = shown();
    await act(
      () => useChangeAtOnce(getMe, {}, updateProfile, ({ account }) => ({ body: { name: account.name ?? '' } })),
      changed,
      client,
    );
    expect(client.getQueryData(key)).toEqual(changed);
    saved.resolve(Response.json({}, { status: 500 }));
    read.resolve(Response.json(EXAMPLE_ME));
    await vi.waitFor(() => expect(client.getQueryData(key)).toEqual(EXAMPLE_ME));
  });

  it('is pending until what it changed is read again', async () => {
    const { client, read, saved } = shown();
    const renaming = act(
      () => useEndpointMutation(updateProfile, { pendingUntilRead: [getMe] }).mutateAsync,
      { body: { name: 'Grace' } },
      client,
    );
    saved.resolve(Response.json({}));
    await vi.waitFor(() => expect(client.isFetching()).toBe(1));
    expect(client.isMutating()).toBe(1);
    read.resolve(Response.json(changed));
    await renaming;
    expect(client.getQueryData(key)).toEqual(changed);
    expect(client.isMutating()).toBe(0);
  });

  it.each([200, 500])(
    'made while another is pending is sent after it, and read after the last (%i)',
    async (status) => {
      const { client } = shown();
      const calls: string[] = [];
      const first = Promise.withResolvers<Response>();
      const second = Promise.withResolvers<Response>();
      vi.stubGlobal('fetch', async (_address: string, { method, body }: RequestInit) => {
        calls.push(method === 'PATCH' ? JSON.parse(body as string).name : 'read');
        if (calls.at(-1) === 'read') return Response.json(changed);
        return calls.length === 1 ? first.promise : second.promise;
      });
      const renaming = act(
        () => {
          const rename = useEndpointMutation(updateProfile, { pendingUntilRead: [getMe] });
          return (names: string[]) => Promise.allSettled(names.map((name) => rename.mutateAsync({ body: { name } })));
        },
        ['Ada', 'Grace'],
        client,
      );
      await vi.waitFor(() => expect(calls).toEqual(['Ada']));
      first.resolve(Response.json({}, { status }));
      await vi.waitFor(() => expect(calls).toEqual(['Ada', 'Grace']));
      expect(client.isFetching()).toBe(0);
      second.resolve(Response.json({}));
      await renaming;
      expect(calls).toEqual(['Ada', 'Grace', 'read']);
      expect(client.getQueryData(key)).toEqual(changed);
    },
  );
});

describe('toasts of an action', () => {
  const run = (options: Parameters<typeof useEndpointMutation>[1] = {}) =>
    act(() => useEndpointMutation(updateProfile, options as never).mutateAsync, { body: { name: 'Ada' } });

  it('read Error and Operation failed when the answer has no title and detail', async () => {
    answering(500, 'Bad gateway');
    await run();
    expect(currentToast()).toMatchObject({ tone: 'error', title: 'Error', detail: 'Operation failed' });
  });

  it('show title and detail of the error response body', async () => {
    answering(409, { title: 'Too late', detail: 'Somebody else was faster.' });
    await run();
    expect(currentToast()).toMatchObject({ tone: 'error', title: 'Too late', detail: 'Somebody else was faster.' });
  });

  it('read Success and the response message, or Operation successful', async () => {
    answering(200, { message: 'Your name was changed' });
    await run();
    expect(currentToast()).toMatchObject({ tone: 'success', title: 'Success', detail: 'Your name was changed' });
    dismissToast(currentToast()!.id);
    answering(200, {});
    await run();
    expect(currentToast()).toMatchObject({ tone: 'success', title: 'Success', detail: 'Operation successful' });
  });

  it('can both be switched off', async () => {
    answering(200, { message: 'Your name was changed' });
    await run({ successToast: false });
    answering(500, {});
    await run({ errorToast: false });
    expect(currentToast()).toBeUndefined();
  });
});
