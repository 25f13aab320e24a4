/** Followers of a schedule's creators: they comment and write as long as it lasts; the simulator tells the product as Meta would. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectedCreator } from '#e2e/chaos/processes/tenants.ts';
import type { ProcessWorld } from '#e2e/chaos/processes/world.ts';
import type { SeededRandom } from '#e2e/crash/random.ts';

const WRITERS = 3;
/** On a slow machine a schedule lasts longer; there is no more to work off for that. */
const MOST_COMMENTS = 70;
const TEXTS = ['recipe please', 'recipe please', 'recipe', 'so lovely'];

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
