/**
 * One engine's or worker's life: everything it asks of the database and of a platform passes through here, and here it can be
 * made to die, to fall asleep, or to lose its connection, at any statement or call, before or after that took effect.
 */
import type pg from 'pg';
import type { Break } from '#e2e/chaos/engine/schedule.ts';

type Holding = { client: pg.PoolClient; lost: boolean };

/** The layer between an engine and the world; `never` is how the dead wait. */
/** @typeParam Platform a client of Meta's or Stripe's: each of its functions that answers later is a call */
export class Life<Platform extends object> {
  readonly pool: pg.Pool;
  readonly platform: Platform;
  /** Resolves when it has died or fallen asleep. */
  gone: Promise<'died' | 'fell asleep'>;
  private tellGone!: (how: 'died' | 'fell asleep') => void;
  private next: Break | null = null;
  private dead = false;
  private asleep: { wake: () => void; until: Promise<void> } | null = null;
  private slow: { answer: () => void; until: Promise<void> } | null = null;
  /** Connections it holds. */
  private readonly held = new Set<Holding>();
  private underWay = 0;

  constructor(pool: pg.Pool, platform: Platform) {
    this.gone = this.untilGone();
    this.pool = this.poolOver(pool);
    this.platform = this.over(platform);
  }

  /** Statements and calls that have begun and not come back. */
  get busy(): boolean {
    return this.underWay > 0;
  }

  get isHolding(): boolean {
    return this.slow !== null;
  }

  breakAt(next: Break): void {
    this.next = { ...next };
  }

  /** From now on answers of calls stay on their way. */
  holdAnswers(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.slow ??= { answer: resolve, until: promise };
  }

  /** Held events arrive. */
  letAnswersCome(): void {
    this.slow?.answer();
    this.slow = null;
  }

  /** At once. A server notices that its client is gone: what it held is rolled back. */
  die(): void {
    if (this.dead) return;
    this.dead = true;
    this.asleep?.wake();
    this.loseConnections();
    this.tellGone('died');
  }

  /** The server ends what sat idle inside a transaction for too long. */
  loseConnections(): void {
    for (const holding of this.held) lose(holding);
  }

  wake(): void {
    this.gone = this.untilGone();
    const { asleep } = this;
    this.asleep = null;
    asleep?.wake();
  }

  private untilGone(): Promise<'died' | 'fell asleep'> {
    return new Promise((resolve) => {
      this.tellGone = resolve;
    });
  }

  /** Work that may never begin, never come back, or come back as a lost connection. */
  private async point<T>(of: 'statement' | 'call', work: () => Promise<T>, holding?: Holding): Promise<T> {
    const slept = await this.passes();
    // Work that runs while it sleeps here would run after it: the engine's look at the clock right before a call.
    if (slept && of === 'call') throw new Error('It woke up too late for this call.');
    const broken = this.takeBreak(of);
    if (broken?.when === 'before') await this.breakDown(broken.how, holding);
    if (holding?.lost === true) throw connectionLost();
    this.underWay++;
    try {
      const result = await work();
      await this.passes();
      if (broken?.when === 'after') await this.breakDown(broken.how, holding);
      return result;
    } catch (error) {
      await this.passes();
      throw error;
    } finally {
      this.underWay--;
    }
  }

  private takeBreak(of: 'statement' | 'call'): Break | null {
    // The database's troubles are none of a platform's: a call is broken by death and sleep only.
    const unfit = of === 'call' ? this.next?.how === 'loses its connection' : this.next?.of === 'calls';
    if (this.next === null || unfit || --this.next.at > 0) return null;
    const broken = this.next;
    this.next = null;
    // NOTE: nobody can keep a machine from calling that freezes between its last look at the clock and the call.
    return of === 'call' && broken.how === 'sleeps' ? { ...broken, when: 'after' } : broken;
  }

  private async breakDown(how: Break['how'], holding?: Holding): Promise<void> {
    if (how === 'loses its connection') {
      if (holding !== undefined) lose(holding);
      throw connectionLost();
    }
    if (how === 'dies') this.die();
    else this.fallAsleep();
    await this.passes();
  }

  private fallAsleep(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.asleep = { wake: resolve, until: promise };
    this.tellGone('fell asleep');
  }

  /** @returns whether it slept */
  private async passes(): Promise<boolean> {
    const sleeps = this.asleep !== null;
    while (this.asleep !== null && !this.dead) await this.asleep.until;
    if (this.dead) await new Promise<never>(() => {});
    return sleeps;
  }

  /** Another role's connections. */
  poolOver(pool: pg.Pool): pg.Pool {
    const query = (...given: unknown[]) => this.point('statement', () => ask(pool, given));
    const connect = async () => {
      const holding = await this.point('statement', async () => {
        const held = { client: await pool.connect(), lost: false };
        this.held.add(held);
        if (this.dead || this.asleep !== null) lose(held);
        return held;
      });
      const { client } = holding;
      return {
        query: (...given: unknown[]) => this.point('statement', () => ask(client, given), holding),
        release: (broken?: Error | boolean) => {
          this.held.delete(holding);
          if (!holding.lost) client.release(broken);
        },
      };
    };
    return { query, connect } as unknown as pg.Pool;
  }

  /** Another client of the same platform. */
  over<Client extends object>(client: Client): Client {
    const over = (name: string, call: unknown) => {
      if (typeof call !== 'function' || AT_ONCE.includes(name)) return call;
      if (call instanceof AsyncGeneratorFunction) return (...given: []) => this.stepsOver(call(...given));
      return (...given: unknown[]) => this.point('call', () => this.slowly(call(...given)));
    };
    return Object.fromEntries(Object.entries(client).map(([name, call]) => [name, over(name, call)])) as Client;
  }

  private async *stepsOver<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
    const next = () => this.point('call', () => this.slowly(steps.next()));
    for (let step = await next(); step.done !== true; step = await next()) yield step.value;
  }

  private slowly<T>(answer: Promise<T>): Promise<T> {
    return answer.finally(() => this.slow?.until);
  }
}

const AsyncGeneratorFunction = async function* () {}.constructor as unknown as new () => () => AsyncGenerator;

/** Functions of clients that ask nobody. */
const AT_ONCE = ['readEvent', 'readConnectEvent'];

function ask(client: pg.Pool | pg.PoolClient, given: unknown[]): Promise<unknown> {
  return (client.query as (...given: unknown[]) => Promise<unknown>).apply(client, given);
}

function lose(holding: Holding): void {
  if (holding.lost) return;
  holding.lost = true;
  holding.client.release(true);
}

/** As PostgreSQL says it when an operator ends a connection. */
function connectionLost(): Error {
  return Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
}

export function isConnectionLost(error: unknown): boolean {
  return (error as { code?: string }).code === '57P01' || /onnection terminated/.test(String(error));
}
