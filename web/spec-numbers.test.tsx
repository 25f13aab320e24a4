/** The numbers and rules of the specification that a look at a screen does not show. */
import { LaunchDarklyClientProvider } from '@openfeature/launchdarkly-client-provider';
import { init } from '@sentry/browser';
import { QueryClientProvider } from '@tanstack/react-query';
import { basicLogger, initialize } from 'launchdarkly-js-client-sdk';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { Me } from '#contract/session.ts';
import { type Invite, listInvites, listMemberships } from '#contract/team.ts';
import { endChat, startChat } from '#web/features/chat/intercom.ts';
import { launchDarkly } from '#web/features/flags/launchdarkly.ts';
import { startSentry } from '#web/features/reporting/sentry.ts';
import { useAcceptInvite } from '#web/features/switching/PendingInvitesDialog.tsx';
import { usePendingInvites } from '#web/features/switching/use-pending-invites.ts';
import { queryKey } from '#web/shell/queries.ts';
import { makeQueryClient, retryDelay } from '#web/shell/query-client.ts';
import { act } from '#web/shell/testing/act.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { useSignOut } from '#web/shell/use-sign-out.ts';
import { type ButtonVariant, buttonClass } from '#web/ui/button-class.ts';
import { SPEC_NUMBERS } from '#web/ui/spec-numbers.ts';
import { currentToast, dismissToast, holdToast, showToast } from '#web/ui/toast.ts';

vi.mock('@openfeature/launchdarkly-client-provider', () => ({ LaunchDarklyClientProvider: vi.fn(class {}) }));
vi.mock('@sentry/browser', async (original) => ({ ...(await original<object>()), init: vi.fn() }));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (let toast = currentToast(); toast; toast = currentToast()) dismissToast(toast.id);
});

const INVITE: Invite = {
  inviteId: '0197a0aa-0000-7000-8000-0000000000b1',
  creatorAccountHandle: 'ben.bakes',
  creatorAccountAvatar: null,
  invitedBy: 'Ben',
  role: 'collaborator',
  expiresAt: '2100-01-01T00:00:00.000Z',
};

it('the table has the numbers of the specification', () => {
  expect(SPEC_NUMBERS).toEqual({
    toast: { shownMs: 5000 },
    button: { minWidthPx: 124, minHeightPx: 36 },
    chatLauncher: { recheckMs: 500 },
    sampling: { tracesSampleRate: 1, replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1 },
    flagClient: { flushInterval: 2000, eventCapacity: 100, streamReconnectDelay: 1000 },
    flagStream: { readTimeoutMs: 300_000, longestDelayMs: 30_000 },
    query: { retries: 3, longestPauseMs: 30_000, cachedMs: 300_000 },
  });
});

it('a toast is shown for 5,000 ms, one at a time, and longer while it is held', () => {
  vi.useFakeTimers();
  showToast({ tone: 'success', title: 'First' });
  vi.advanceTimersByTime(2000);
  showToast({ tone: 'success', title: 'Second' });
  vi.advanceTimersByTime(2999);
  expect(currentToast()?.title).toBe('First');
  vi.advanceTimersByTime(1);
  expect(currentToast()?.title).toBe('Second');
  holdToast(true);
  vi.advanceTimersByTime(60_000);
  expect(currentToast()?.title).toBe('Second');
  holdToast(false);
  vi.advanceTimersByTime(5000);
  expect(currentToast()).toBeUndefined();
});

it('a button is at least 124 by 36 pixels, in every look and size, on every screen', () => {
  const pixels = (units: string) => Number(units) * 4;
  for (const variant of ['primary', 'secondary', 'quiet', 'danger'] satisfies ButtonVariant[]) {
    for (const size of ['normal', 'small'] as const) {
      const classes = buttonClass(variant, size).split(' ');
      expect(classes).toContain(`min-w-[${SPEC_NUMBERS.button.minWidthPx}px]`);
      expect(classes.filter((name) => name.includes(':min-w-'))).toEqual([]);
      const heights = classes.flatMap((name) => /^(?:md:)?min-h-(\d+)$/.exec(name)?.[1] ?? []);
      expect(heights.map(pixels)).toEqual([44, SPEC_NUMBERS.button.minHeightPx]);
    }
  }
});

it('Sentry samples every trace, a tenth of the replays, and all of those with an error', () => {
  startSentry({ dsn: 'https://key@sentry.test/1', environment: 'test' }, []);
  expect(init).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(SPEC_NUMBERS.sampling));
});

it('the flag client flushes, holds and reconnects as the specification says', () => {
  launchDarkly('client');
  expect(LaunchDarklyClientProvider).toHaveBeenCalledExactlyOnceWith(
    'client',
    expect.objectContaining({ ...SPEC_NUMBERS.flagClient, streaming: true }),
  );
});

it('the stream of flags waits 300,000 ms for news, and comes again after 1,000 ms to 30,000 ms', async () => {
  vi.useFakeTimers();
  // The client takes up to half off.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const opened: { at: number; settings: unknown; source: FlagStream }[] = [];
  class FlagStream {
    onerror: ((error: object) => void) | null = null;
    constructor(_url: string, settings: unknown) {
      opened.push({ at: Date.now(), settings, source: this });
    }
    addEventListener() {}
    close() {}
  }
  const page = { addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', { ...page, EventSource: FlagStream, location: { href: 'https://creator.test/' } });
  const client = initialize(
    'client',
    { kind: 'user', key: 'ada' },
    {
      ...SPEC_NUMBERS.flagClient,
      bootstrap: {},
      streaming: true,
      sendEvents: false,
      fetchGoals: false,
      logger: basicLogger({ level: 'none' }),
    },
  );
  await vi.advanceTimersByTimeAsync(1);
  const pauses: number[] = [];
  for (let failures = 0; failures < 7; failures++) {
    const failedAt = Date.now();
    opened.at(-1)!.source.onerror!({});
    await vi.advanceTimersByTimeAsync(60_000);
    pauses.push(opened.at(-1)!.at - failedAt);
  }
  const { readTimeoutMs, longestDelayMs } = SPEC_NUMBERS.flagStream;
  expect(opened[0]!.settings).toMatchObject({ heartbeatTimeout: readTimeoutMs, readTimeoutMillis: readTimeoutMs });
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, longestDelayMs, longestDelayMs]);
  await client.close();
});

it('the launcher of the chat is hidden and looked for again every 500 ms', () => {
  vi.useFakeTimers();
  const setProperty = vi.fn();
  const launcher = { style: { display: 'block', setProperty } };
  vi.stubGlobal('window', { Intercom: vi.fn() });
  vi.stubGlobal('document', { querySelectorAll: () => [launcher] });
  startChat({ appId: 'app', userId: 'u', userHash: null, name: 'Ada', email: 'ada@example.com' });
  vi.advanceTimersByTime(499);
  expect(setProperty).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(setProperty).toHaveBeenCalledExactlyOnceWith('display', 'none', 'important');
  vi.advanceTimersByTime(1000);
  expect(setProperty).toHaveBeenCalledTimes(3);
  endChat();
});

it('queries are kept for 5 minutes and pause for at most 30 s', async () => {
  vi.useFakeTimers();
  const client = makeQueryClient();
  await client.fetchQuery({ queryKey: ['kept'], queryFn: () => 'kept' });
  await vi.advanceTimersByTimeAsync(299_999);
  expect(client.getQueryData(['kept'])).toBe('kept');
  await vi.advanceTimersByTimeAsync(1);
  expect(client.getQueryData(['kept'])).toBeUndefined();
  expect(retryDelay(99)).toBe(30_000);
});

it('what two parts of a screen want within two seconds is asked for once', async () => {
  vi.useFakeTimers();
  const client = makeQueryClient();
  const queryFn = vi.fn(() => 'answer');
  const asked: number[] = [];
  for (const ms of [0, 1999, 1]) {
    await vi.advanceTimersByTimeAsync(ms);
    await client.fetchQuery({ queryKey: ['wanted'], queryFn });
    asked.push(queryFn.mock.calls.length);
  }
  expect(asked).toEqual([1, 1, 2]);
  client.clear();
});

it.each([
  ['no membership', [INVITE], [], true],
  ['a membership', [INVITE], EXAMPLE_ME.memberships, false],
  ['no invite', [], [], false],
])(
  'Pending Invites opens by itself only for somebody with invites and no membership: %s',
  (_who, invites, memberships, open) => {
    const client = makeQueryClient();
    const me: Me = { ...EXAMPLE_ME, memberships };
    client.setQueryData(queryKey(listInvites, { params: { userId: me.account._id } }), { invites });
    const html = renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <InvitesOf me={me} />
      </QueryClientProvider>,
    );
    expect(html).toBe(open ? 'open' : 'closed');
    client.clear();
  },
);

it.each([
  [500, { tone: 'error', title: 'Failed to logout', detail: 'Operation failed' }],
  [200, { tone: 'success', title: 'Logged out successfully', detail: undefined }],
])('a logout that is answered %i says exactly so', async (status, toast) => {
  const body = status === 200 ? { message: 'Logged out successfully' } : {};
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }));
  vi.stubGlobal('sessionStorage', { length: 0 });
  await act(() => {
    const { signOut } = useSignOut();
    return async () => signOut();
  }, undefined);
  await vi.waitFor(() => expect(currentToast()).toBeDefined());
  expect(currentToast()).toEqual({ ...toast, id: expect.any(Number) });
});

it('an accepted invite puts the account’s queries out of date, then loads the creator’s home', async () => {
  const userId = EXAMPLE_ME.account._id;
  const loaded: string[] = [];
  vi.stubGlobal('location', { pathname: '/creator-hq/account-setup', replace: (to: string) => loaded.push(to) });
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ message: 'Invite accepted' }), { status: 200 }));
  const client = makeQueryClient();
  const keys = [listInvites, listMemberships].map((endpoint) => queryKey(endpoint, { params: { userId } }));
  for (const key of keys) client.setQueryData(key, {});
  const params = { userId, inviteId: INVITE.inviteId };
  await act(() => useAcceptInvite().mutateAsync, { params }, client);
  for (const key of keys) expect(client.getQueryState(key)?.isInvalidated).toBe(true);
  expect(loaded).toEqual(['/creator-hq']);
  client.clear();
});

function InvitesOf({ me }: { me: Me }) {
  return usePendingInvites(me).open ? 'open' : 'closed';
}
