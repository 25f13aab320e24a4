/**
 * Two tabs of one browser, one session, two creators. Requests, answers and the tabs' word to each other move in any order
 * and some get lost. Whatever happens, a tab never shows one creator's data under the other's name, and never saves to
 * another creator than the one it shows.
 */
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { listPosts } from '#contract/posts.ts';
import type { Me } from '#contract/session.ts';
import { changeBillingEmail } from '#contract/settings.ts';
import type { CreatorTabs } from '#web/features/switching/creator-tabs.ts';
import { switchCreator } from '#web/features/switching/switch-creator.ts';
import { type Answer, Network } from '#web/features/switching/testing/network.ts';
import { callApi } from '#web/shell/client.ts';
import { endpointQuery } from '#web/shell/queries.ts';
import { makeQueryClient } from '#web/shell/query-client.ts';
import { checkSession, movedTo, type Session, sessionQuery } from '#web/shell/session.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

const INTERLEAVINGS = 200;
const STEPS = 60;

const CREATORS = ['a', 'b'].map((name) => ({
  _id: `0197a0aa-0000-7000-8000-00000000000${name}`,
  handle: name,
  membershipId: `0197a0aa-0000-7000-8000-0000000000${name}1`,
}));
const USER_ID = EXAMPLE_ME.account._id;

afterEach(() => vi.unstubAllGlobals());

it(`never shows or writes another creator's data in ${INTERLEAVINGS} interleavings of switches, requests and answers`, async () => {
  const happened = { switches: 0, notices: 0, shown: 0, written: 0, lost: 0 };
  for (let seed = 1; seed <= INTERLEAVINGS; seed++) await new World(seed, happened).play();
  // Not a test of nothing: all of it did happen, often.
  for (const [what, times] of Object.entries(happened)) expect(times, what).toBeGreaterThan(INTERLEAVINGS / 2);
});

type Happened = { switches: number; notices: number; shown: number; written: number; lost: number };

class World {
  private readonly seed: number;
  private readonly random: () => number;
  private readonly happened: Happened;
  /** The server's state: which creator the session is at, and what was saved for whom. */
  private current = CREATORS[0]!;
  private readonly network = new Network((request) => this.serve(request.method, request.path, request.body));
  private readonly tabs: Tab[] = [];

  constructor(seed: number, happened: Happened) {
    this.seed = seed;
    this.random = seeded(seed);
    this.happened = happened;
  }

  async play(): Promise<void> {
    vi.stubGlobal('fetch', this.network.fetch);
    const lines = linesBetween(2);
    this.tabs.push(...lines.map((line) => new Tab(line)));
    for (let step = 0; step < STEPS; step++) {
      this.step();
      await settled();
      this.check(step);
    }
    // In the end everything arrives, and whoever looks at a tab sees where the session is, or is told.
    for (let round = 0; round < 12; round++) {
      while (this.network.trips.length > 0) {
        this.network.move(0, false);
        await settled();
      }
      for (const tab of this.tabs) {
        tab.line.deliver();
        tab.hearOfMove();
      }
      await settled();
      this.check(STEPS + round);
    }
    for (const tab of this.tabs) {
      const sees = tab.session()?.creatorAccount?._id;
      if (sees !== this.current._id) {
        expect(movedTo(tab.client)?.creatorAccount?._id, this.where('end')).toBe(this.current._id);
      }
      tab.close();
    }
  }

  private step(): void {
    const tab = this.pick(this.tabs);
    const dice = this.random();
    if (dice < 0.5) {
      const lost = this.random() < 0.08;
      if (lost && this.network.trips.length > 0) this.happened.lost += 1;
      this.network.move(Math.floor(this.random() * this.network.trips.length), lost);
    } else if (dice < 0.58) tab.line.deliver();
    else if (dice < 0.63) tab.hearOfMove();
    else if (dice < 0.68) tab.hearOfChange();
    else if (dice < 0.78) tab.switchTo(this.pick(CREATORS).membershipId);
    else if (dice < 0.92) tab.openPosts();
    else tab.save();
  }

  private serve(method: string, path: string, body: unknown): Answer {
    if (path.endsWith('/auth/me')) return { status: 200, body: meAt(this.current) };
    const membership = CREATORS.find(({ membershipId }) => path.endsWith(`/memberships/${membershipId}/access`));
    if (membership) {
      if (membership !== this.current) this.happened.switches += 1;
      this.current = membership;
      return { status: 200, body: { message: 'Switched' } };
    }
    const creator = CREATORS.find(({ _id }) => path.includes(`/creators/${_id}/`));
    if (method === 'PUT' && creator) {
      this.happened.written += 1;
      expect(body, this.where('write')).toEqual({ email: `${creator.handle}@example.com` });
      return { status: 200, body };
    }
    return { status: 200, body: { items: [{ of: creator?._id }], next: null } };
  }

  private check(step: number): void {
    for (const tab of this.tabs) {
      // The notice takes the place of everything.
      if (movedTo(tab.client)) {
        this.happened.notices += 1;
        continue;
      }
      const named = tab.session()?.creatorAccount?._id;
      for (const of of tab.ownersOfWhatIsShown()) {
        this.happened.shown += 1;
        expect(of, this.where(step)).toBe(named);
      }
    }
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }

  private where(step: number | string): string {
    return `seed ${this.seed}, step ${step}`;
  }
}

/** A tab, made of the app's own parts: its cache, its session, its switching. */
class Tab {
  client: QueryClient = makeQueryClient();
  readonly line: Line;
  private screens: { creatorId: string; read: () => unknown }[] = [];
  private stops: (() => void)[] = [];

  constructor(line: Line) {
    this.line = line;
    line.listen(() => void checkSession(this.client));
    this.load();
  }

  session(): Session | undefined {
    return this.client.getQueryData<Session>(sessionQuery.queryKey);
  }

  /** A screen of the creator whose name stands above it. */
  openPosts(): void {
    const creatorId = this.session()?.creatorAccount?._id;
    if (!creatorId || movedTo(this.client)) return;
    const observer = new QueryObserver(
      this.client,
      endpointQuery(listPosts, { params: { creatorId } }, { retry: false }),
    );
    this.stops.push(observer.subscribe(() => {}));
    this.screens.push({ creatorId, read: () => observer.getCurrentResult().data });
  }

  /** Owners of all data on the open screens. */
  ownersOfWhatIsShown(): string[] {
    const lists = this.screens.map(({ read }) => read() as { items: { of: string }[] } | undefined);
    return lists.flatMap((list) => list?.items ?? []).map(({ of }) => of);
  }

  /** Somebody reads the name above the screen, types something for that creator, and saves what the screen is about. */
  save(): void {
    const name = this.session()?.creatorAccount?.handle;
    const screen = this.screens.at(-1);
    if (!name || !screen || movedTo(this.client)) return;
    const { creatorId } = screen;
    callApi(changeBillingEmail, { params: { creatorId }, body: { email: `${name}@example.com` } }).catch(() => {});
  }

  hearOfMove(): void {
    if (this.session()) void checkSession(this.client);
    // The first answer was lost; the screen says so and offers another try.
    else void this.client.prefetchQuery(sessionQuery);
  }

  /** A live event about the connections puts the session out of date; screens are refetched too. */
  hearOfChange(): void {
    void this.client.invalidateQueries();
  }

  switchTo(membershipId: string): void {
    if (!this.session()) return;
    const deps = { client: this.client, tabs: this.line, reload: () => this.load() };
    switchCreator(deps, { userId: USER_ID, membershipId }).catch(() => {});
  }

  /** Loading the page: nothing of before is left, and who it is, is asked first. */
  private load(): void {
    this.close();
    this.client = makeQueryClient();
    void this.client.prefetchQuery(sessionQuery);
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.screens = [];
    this.stops = [];
    this.client.clear();
  }
}

type Line = CreatorTabs & { deliver(): void };

/** Messages between tabs wait there until delivered. */
function linesBetween(count: number): Line[] {
  const waiting = Array.from({ length: count }, () => 0);
  const listeners: (() => void)[] = [];
  return waiting.map((_, own) => ({
    tellMoved: () => {
      for (const tab of waiting.keys()) if (tab !== own) waiting[tab] = (waiting[tab] ?? 0) + 1;
    },
    listen: (moved) => {
      listeners[own] = moved;
      return () => {};
    },
    deliver: () => {
      if (!waiting[own]) return;
      waiting[own] -= 1;
      listeners[own]?.();
    },
  }));
}

function meAt(creator: (typeof CREATORS)[number]): Me {
  const memberships = CREATORS.map(({ membershipId, handle }) => ({
    membershipId,
    displayName: handle,
    displayImage: null,
    current: membershipId === creator.membershipId,
  }));
  return {
    ...EXAMPLE_ME,
    creatorAccount: { ...EXAMPLE_ME.creatorAccount!, _id: creator._id, handle: creator.handle },
    memberships,
    currentMembership: memberships.find(({ current }) => current) ?? null,
  };
}

/** Everything that can go on without the network has gone on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** mulberry32: the same numbers for the same seed, in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
