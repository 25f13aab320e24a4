/** The test application in front of a simulated Meta, and a person who walks through its dialogs. */
import { CONNECT_PATHS, choosePages } from '#contract/connections.ts';
import type { Speaker } from '#server/platforms/meta/client.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import type { AuthorizeInput, SeededCreator } from '#simulators/meta/control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { tokenFor } from '../account-tokens.ts';

export type MetaTestApp = TestApp & {
  meta: MetaSimulator;
  /** Connections that the engine was told of, in order. */
  changes: { creatorId: string; connectionId: string }[];
  /** Moves both clocks. */
  advanceBoth(ms: number): Promise<void>;
};

export async function createMetaTestApp(more: Record<string, string> = {}): Promise<MetaTestApp> {
  const meta = await startMetaSimulator({ clock: new Date() });
  const changes: MetaTestApp['changes'] = [];
  const test = await createTestApp({
    settings: { ...meta.environment, SIMULATORS: 'on', ...more },
    deps: {
      connectionChanged: async (change) => {
        changes.push(change);
      },
    },
  });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const address = test.app.server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await meta.control.updateApp({
    deauthorizeUrl: `${url}/webhooks/meta/deauthorize`,
    dataDeletionUrl: `${url}/webhooks/meta/data-deletion`,
  });
  return {
    ...test,
    meta,
    changes,
    advanceBoth: async (ms) => {
      await test.clock.advance(ms);
      await meta.control.advance(ms);
    },
    close: async () => {
      await test.close();
      await meta.close();
    },
  };
}

/** A person with a creator, as the tests of connections need them. */
export async function newCreator(test: TestApp): Promise<{ person: Person; creatorId: string }> {
  const person = await test.signUpAndIn();
  const { id } = await person.createCreator();
  return { person, creatorId: id };
}

/** Begins a sign-in; returns the address of Meta's dialog. */
export async function start(
  person: Visitor,
  creatorId: string,
  login: 'instagram' | 'facebook',
  returnTo?: string,
): Promise<string> {
  const answer = await person.send({ method: 'GET', url: CONNECT_PATHS[login](creatorId, returnTo) });
  if (answer.status !== 302) throw new Error(`Expected a redirect, got ${answer.status} ${answer.text}`);
  return String(answer.headers.location);
}

/** The return address of Meta's dialog: path and query of our callback. */
export async function consent(
  test: MetaTestApp,
  dialogUrl: string,
  as: string,
  decision: Omit<AuthorizeInput, 'dialogUrl' | 'as'> = {},
): Promise<string> {
  const { redirectUrl } = await test.meta.control.authorize({ dialogUrl, as, ...decision });
  const { pathname, search } = new URL(redirectUrl);
  return pathname + search;
}

/** Follows a callback; returns the screen it ends on. */
export async function follow(person: Visitor, callbackUrl: string): Promise<string> {
  const answer = await person.send({ method: 'GET', url: callbackUrl });
  if (answer.status !== 302) throw new Error(`Expected a redirect, got ${answer.status} ${answer.text}`);
  return String(answer.headers.location);
}

/** The whole way; returns the screen it ends on. */
export async function signIn(
  test: MetaTestApp,
  { person, creatorId }: { person: Visitor; creatorId: string },
  login: 'instagram' | 'facebook',
  as: string,
  decision: Omit<AuthorizeInput, 'dialogUrl' | 'as'> = {},
): Promise<string> {
  return follow(person, await consent(test, await start(person, creatorId, login), as, decision));
}

/** A creator who signs in at Meta, and what we then hold of them. */
export type Creator = { person: Person; creatorId: string; seeded: SeededCreator };

/** With an account at Meta, not connected yet. */
export async function seededCreator(test: MetaTestApp): Promise<Creator> {
  return { ...(await newCreator(test)), seeded: await test.meta.control.seedCreator() };
}

/** Leaves the next test a Meta without faults and no connection of earlier tests; answers a creator of its own. */
export async function startAnew(test: MetaTestApp): Promise<Creator> {
  await test.meta.control.clearFaults();
  await test.db.engine.deleteFrom('tokens').execute();
  await test.db.engine.deleteFrom('connections').execute();
  return seededCreator(test);
}

export async function connectInstagram(test: MetaTestApp, creator: Creator): Promise<void> {
  const screen = await signIn(test, creator, 'instagram', creator.seeded.instagramAccountId);
  if (!screen.includes('instagramAuthSuccess')) throw new Error(`The sign-in ended at ${screen}`);
  test.changes.length = 0;
}

/** Connects their Page and, through it, their Instagram account. */
export async function connectPage(test: MetaTestApp, creator: Creator): Promise<void> {
  await signIn(test, creator, 'facebook', creator.seeded.facebookUserId);
  const { body } = await creator.person.call(choosePages, {
    params: { creatorId: creator.creatorId },
    body: { pageIds: [creator.seeded.pageId] },
  });
  if (body.items.length !== 2) throw new Error(`Not connected: ${JSON.stringify(body)}`);
  test.changes.length = 0;
}

/** A Page before its Instagram account. */
export function connectionsOf(test: MetaTestApp, { creatorId }: Pick<Creator, 'creatorId'>) {
  const query = test.db.engine.selectFrom('connections').selectAll().where('creator_id', '=', creatorId);
  return query.orderBy('platform').execute();
}

export function tokensOf(test: MetaTestApp, { creatorId }: Pick<Creator, 'creatorId'>) {
  return test.db.engine.selectFrom('tokens').selectAll().where('creator_id', '=', creatorId).orderBy('kind').execute();
}

/** Who speaks for their first connection. */
export async function speakerOf(test: MetaTestApp, creator: Pick<Creator, 'creatorId'>): Promise<Speaker | null> {
  const [row] = await connectionsOf(test, creator);
  return tokenFor(test.db.engine, test.deps.keys, { creatorId: creator.creatorId, id: row!.id });
}
