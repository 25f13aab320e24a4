/** Followers beside a test app: they comment at the simulator, and the engine answers, step by step in simulated time. */
import { createAutomation, switchAutomation } from '#contract/automations.ts';
import type { Engine } from '#server/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { automationInput } from '#server/testing/inputs.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import type { FaultAction } from '#simulators/meta/control/types.ts';

/** The result of one comment: the row, and the message that answers it. */
export type Asked = {
  interactionId: string;
  deliveryId: string;
  commentId: string;
  /** As comments name the follower */
  personId: string;
  /** As the simulator's phone names them */
  followerId: string;
};

export type Followers = EngineWorld & {
  engine: Engine;
  /** An Instagram account of the creator's; whatever its followers do is told by webhooks. */
  connect(creatorId: string, followers?: number): Promise<WorldCreator>;
  /** An automation that is on. @returns its id */
  automation(owner: Person, account: WorldCreator, over?: object): Promise<string>;
  /**
   * A follower comments and is answered; the next one who has not asked yet unless told otherwise.
   *
   * @param given.meets what Meta answers to the message
   */
  ask(
    account: WorldCreator,
    given?: {
      text?: string;
      person?: number;
      /** Under the first post unless told otherwise */
      mediaId?: string;
      meets?: FaultAction;
    },
  ): Promise<Asked>;
  /** Works off what people did and what is due within a minute. */
  work(): Promise<void>;
  /** The follower opens the chat. */
  open(account: WorldCreator, asked: Pick<Asked, 'followerId'>): Promise<void>;
  /** Somebody taps the link of a message, on a phone. */
  tap(deliveryId: string): Promise<void>;
};

/** Meta wants nothing more for an hour: the message waits. */
export const LIMITED: FaultAction = { kind: 'rate_limited', regainMinutes: 60 };
/** Nothing reaches this person: the message failed. */
export const UNREACHABLE: FaultAction = { kind: 'error', code: 551 };

const MINUTE_MS = 60_000;
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Instagram 400.0';

/** Close it before the app. */
export async function createFollowers(
  app: TestApp,
  options: Omit<Parameters<typeof createEngineWorld>[0] & object, 'db'> = {},
): Promise<Followers> {
  // A busy machine must not make a call uncertain.
  const world = await createEngineWorld({
    clock: app.clock,
    timeoutMs: 30_000,
    ...options,
    db: { ...app.db, drop: async () => {} },
  });
  // The app's ids sort in the order of their making, while the clock stands still too.
  const engine = await world.startEngine({ ids: app.deps.ids });
  const { control } = world.simulator;
  const asked = new Map<string, number>();

  async function receive(): Promise<void> {
    await world.webhooksArrived();
    while ((await engine.ingestOnce()) > 0);
  }

  async function work(): Promise<void> {
    await receive();
    // Finds what the routes queued.
    await engine.sweep();
    await world.settle(engine, MINUTE_MS);
  }

  return {
    ...world,
    engine,
    work,
    connect: (creatorId, followers = 6) => world.addCreator({ creatorId, followers, webhooks: true }),

    async automation(owner, { creatorId, connectionId }, over = {}) {
      const body = automationInput(connectionId, over);
      const made = await owner.call(createAutomation, { params: { creatorId }, body });
      const params = { creatorId, automationId: made.body.id };
      const on = await owner.call(switchAutomation, { params, body: { on: true } });
      if (on.status !== 200) throw new Error(`Not switched on: ${JSON.stringify([made.body, on.body])}`);
      engine.automationsChanged(creatorId);
      return made.body.id;
    },

    async ask(account, { text = 'pasta', mediaId = account.posts[0]!.mediaId, ...given } = {}) {
      const person = given.person ?? asked.get(account.connectionId) ?? 0;
      if (given.person === undefined) asked.set(account.connectionId, person + 1);
      const { personId: followerId } = account.followers[person]!;
      if (given.meets !== undefined) {
        const match = { operation: 'private_reply' as const, accountId: account.instagramAccountId };
        await control.addFault({ match, action: given.meets });
      }
      const { commentId } = await control.comment({
        mediaId,
        personId: followerId,
        text,
      });
      await work();
      const { rows } = await app.db.enginePool.query(
        `select i.id as "interactionId", d.id as "deliveryId", i.person_id as "personId"
         from interactions i join deliveries d on d.interaction_id = i.id where i.platform_id = $1 order by d.id limit 1`,
        [commentId],
      );
      if (rows.length === 0) throw new Error(`Nothing answers ${text}`);
      return { ...rows[0], commentId, followerId };
    },

    async open(account, { followerId }) {
      await control.read({ accountId: account.instagramAccountId, personId: followerId });
      await receive();
    },

    async tap(deliveryId) {
      const { rows } = await app.db.enginePool.query(
        `select content #>> '{buttons,0,url}' as url from deliveries where id = $1`,
        [deliveryId],
      );
      const { pathname } = new URL(rows[0].url);
      await app.visitor().send({ method: 'GET', url: pathname, headers: { 'user-agent': PHONE } });
      await app.deps.clicks.flush();
    },
  };
}
