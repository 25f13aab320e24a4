import { createHash } from 'node:crypto';

const HALF = 100_000;

/**
 * Ids as Meta's look (reference 2.5), never reused, the same for the same seed. A counter is scattered over ten digits by a small Feistel
 * network (a bijection, so two counters never meet) and gets the prefix that is usual for its kind, so kinds never meet either.
 */
export class Ids {
  counter: number;
  readonly #seed: string;
  readonly #keys: number[];

  constructor(seed: string, counter = 0) {
    this.#seed = seed;
    this.counter = counter;
    const hash = createHash('sha256').update(seed).digest();
    this.#keys = [0, 1, 2, 3].map((round) => hash.readUInt32BE(round * 4) % HALF);
  }

  instagramAccount = () => `1784140${this.#digits()}`;
  appScoped = () => `2897867${this.#digits()}`;
  facebookUser = () => `1022033${this.#digits()}`;
  page = () => `13489${this.#digits()}`;
  media = () => `1791819${this.#digits()}`;
  comment = () => `1789422${this.#digits()}`;
  igsid = () => `15351${this.#digits()}`;
  psid = () => `12544${this.#digits()}`;
  ad = () => `2384${this.#digits()}`;
  pagePost = (pageId: string) => `${pageId}_122${this.#digits()}`;
  pageComment = (postId: string) => `${postId.slice(postId.indexOf('_') + 1)}_${this.#digits()}`;

  /** Over a hundred characters, as Instagram's are: a column of 64 must break. */
  instagramMessage(accountId: string): string {
    const tail = Buffer.from(`${accountId}:340282366841710301244259${this.#digits()}`).toString('base64url');
    return `aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQxNDA1ODIyMzA0OTE0OjM0MDI4MjM2Njg0MTcxMDMw${tail}ZD`;
  }
  messengerMessage(): string {
    return `m_AG5Hz2Uq7tuwNEhXfYYKj8mJEM_QPpz5jdCK48PnKAjSdjfipqxqMvK8ma6AC8fplwlqLP_5cgXIbu7I3rBN0P${this.#digits()}`;
  }
  conversation(accountId: string): string {
    return `aWdfZAG06MTpJR01lc3NhZA2VUaHJlYWQ6${Buffer.from(`${accountId}:${this.#digits()}`).toString('base64url')}ZD`;
  }

  shortcode = () => this.#hash('shortcode').slice(0, 11);
  instagramToken = () => `IGAA${this.#hash('token')}${this.#hash('token').slice(0, 40)}ZD`;
  facebookToken = () => `EAAJ${this.#hash('token')}${this.#hash('token').slice(0, 40)}ZD`;
  code = () => `AQB${this.#hash('code')}`;
  /** `fbtrace_id`: looks random, repeats for the same seed. */
  trace = () => `A${this.#digits()}${this.#keys[0]}`;
  name = (prefix: string) => `${prefix}-${++this.counter}`;

  #digits(): string {
    const n = ++this.counter;
    let left = Math.floor(n / HALF) % HALF;
    let right = n % HALF;
    for (const key of this.#keys) {
      const mixed = (left + ((right * 7919 + key) % HALF)) % HALF;
      left = right;
      right = mixed;
    }
    return String(left * HALF + right).padStart(10, '0');
  }

  #hash(kind: string): string {
    return createHash('sha256')
      .update(`${this.#seed}:${kind}:${++this.counter}`)
      .digest('base64url')
      .replaceAll(/[-_]/g, 'x');
  }
}
