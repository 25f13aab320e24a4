/** Followers of a schedule's creators: they comment and write as long as it lasts; the simulator tells the product as Meta would. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessWorld } from '#e2e/chaos/processes/world.ts';
import type { SeededRandom } from '#e2e/crash/random.ts';
import { systemIds } from '#server/clock.ts';
import { seal } from '#server/platforms/secrets.ts';
import type { SeededCreator } from '#simulators/meta/control-client.ts';

const CREATORS = 2;
const WRITERS = 3;
/** On a slow machine a schedule lasts longer; there is no more to work off for that. */
const MOST_COMMENTS = 70;
const TEXTS = ['recipe please', 'recipe please', 'recipe', 'so lovely'];

export type ConnectedCreator = SeededCreator & { creatorId: string; connectionId: string };

/** New creators with automations that answer every comment, privately and in public, and messages. */
export async function addCreators(world: ProcessWorld): Promise<ConnectedCreator[]> {
  const creators: ConnectedCreator[] = [];
  for (let number = 0; number < CREATORS; number++) {
    const seeded = await world.control.seedCreator({ followers: 12, posts: 2, subscribed: ['instagram'] });
    const now = new Date(await world.control.now());
    const [creatorId, connectionId] = [systemIds.uuid(now), systemIds.uuid(now)];
    const { instagramAccountId: accountId, username, tokens } = seeded;
    const secret = seal([world.encryptionKey], tokens.instagram.token);
    await insert(world, 'creators', { id: creatorId, handle: creatorId.slice(-12) });
    await insert(world, 'connections', {
      creator_id: creatorId,
      id: connectionId,
      platform: 'instagram',
      account_id: accountId,
      username,
      connected_at: now,
    });
    await insert(world, 'tokens', {
      creator_id: creatorId,
      id: systemIds.uuid(now),
      kind: 'INSTAGRAM_BUSINESS_USER',
      subject_id: accountId,
      secret,
      issued_at: now,
      expires_at: new Date(now.getTime() + 60 * 24 * 3_600_000),
    });
    const automation = (trigger: string, words: string[], text: string, publicReplies: string[]) =>
      insert(world, 'automations', {
        creator_id: creatorId,
        id: systemIds.uuid(now),
        connection_id: connectionId,
        name: text,
        trigger,
        words,
        mode: 'whole_word',
        message_text: text,
        buttons: JSON.stringify([{ title: 'Open', url: `https://example.com/${trigger}`, code: `${trigger}1` }]),
        public_replies: publicReplies,
        repeat_after_minutes: null,
        switched_on_at: now,
        created_at: now,
        updated_at: now,
      });
    await automation('comment', ['recipe'], 'The recipe', ['Look into your messages', 'On its way']);
    await automation('direct_message', ['menu'], 'The menu', []);
    creators.push({ ...seeded, creatorId, connectionId });
  }
  return creators;
}

/** Again when the answer to the first try was lost: the row is there then. */
async function insert(world: ProcessWorld, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  await world.query(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) on conflict do nothing`,
    Object.values(row),
  );
}

export class Crowd {
  /** Every comment, by its id: does it call for an answer? */
  readonly comments = new Map<string, boolean>();
  private readonly world: ProcessWorld;
  private readonly creators: ConnectedCreator[];
  private readonly random: SeededRandom;
  private stopping = false;
  private readonly writing: Promise<unknown>;

  constructor(world: ProcessWorld, creators: ConnectedCreator[], random: SeededRandom) {
    this.world = world;
    this.creators = creators;
    this.random = random;
    this.writing = Promise.all(Array.from({ length: WRITERS }, () => this.write()));
    // Told by `stop`.
    this.writing.catch(() => {});
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    const { random } = this;
    const { control } = this.world;
    while (!this.stopping && this.comments.size < MOST_COMMENTS) {
      const creator = random.pick(this.creators);
      const { personId } = random.pick(creator.followers);
      if (random.chance(0.15)) {
        const text = random.pick(['menu', 'menu', 'stop', 'start', 'hello']);
        await control.directMessage({ accountId: creator.instagramAccountId, personId, text });
      } else {
        const text = random.pick(TEXTS);
        const { commentId } = await control.comment({ mediaId: random.pick(creator.posts).mediaId, personId, text });
        this.comments.set(commentId, text.startsWith('recipe'));
      }
      await pause(random.between(10, 150));
    }
  }
}
