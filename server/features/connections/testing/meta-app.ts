/** The test application in front of a simulated Meta, and a person who walks through its dialogs. */
import { CONNECT_PATHS } from '#contract/connections.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import type { AuthorizeInput } from '#simulators/meta/control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';

export type MetaTestApp = TestApp & {
  meta: MetaSimulator;
  /** Connections that the engine was told of, in order. */
  changes: { creatorId: string; connectionId: string }[];
  /** Moves both clocks. */
  advanceBoth(ms: number): Promise<void>;
};

export async function createMetaTestApp(): Promise<MetaTestApp> {
  const meta = await startMetaSimulator({ clock: new Date() });
  const changes: MetaTestApp['changes'] = [];
  const test = await createTestApp({
    settings: { ...meta.environment, SIMULATORS: 'on' },
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

/** A person with a creator, as the tests of connections need her. */
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

/** What Meta's dialog makes of it: path and query of our callback. */
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
