/** Events on their way to the endpoints: signed, tried again for three days, and on request held back, doubled, in another order, or lost. */
import { createHmac, randomBytes } from 'node:crypto';
import type { EventRow, ThinEventRow } from './wire/rows.ts';
import { isConnect, type World } from './world.ts';

const HOUR_S = 3600;
/** After each failure; then never again [S: "up to three days with exponential back-off"]. */
const AGAIN_AFTER_S = [60, 5 * 60, HOUR_S, 4 * HOUR_S, 12 * HOUR_S, 24 * HOUR_S, 30 * HOUR_S];
const TIMEOUT_MS = 10_000;

/** `held`: until they are let go. */
export type DeliveryMode = 'at_once' | 'held' | 'lost';

type Told = EventRow | ThinEventRow;
type Delivery = { id: string; event: Told; endpoint: string; attempts: number };
export type Delivered = { event: string; type: string; endpoint: string; status: number | null };

export class Webhooks {
  mode: DeliveryMode = 'at_once';
  /** Every attempt. Status null: no answer. */
  readonly attempts: Delivered[] = [];
  private readonly world: World;
  private readonly secrets = new Map<string, string[]>();
  private readonly waiting = new Map<string, Delivery>();
  private readonly held: Delivery[] = [];
  private readonly underWay = new Set<Promise<void>>();

  constructor(world: World) {
    this.world = world;
    world.shared.onEvent = (event) => this.tell(event);
  }

  /** @returns its secret, which signs from now on; the one before signs as well until `forgetOldSecrets` */
  newSecret(endpoint: string): string {
    const secret = `whsec_${randomBytes(16).toString('hex')}`;
    this.secrets.set(endpoint, [secret, ...(this.secrets.get(endpoint) ?? [])].slice(0, 2));
    return secret;
  }

  forgetOldSecrets(endpoint: string): void {
    this.secrets.set(endpoint, (this.secrets.get(endpoint) ?? []).slice(0, 1));
  }

  /** Sends one that came long ago, once more. */
  again(event: Told): void {
    for (const delivery of this.deliveriesOf(event)) this.start(delivery);
  }

  /** @param order of indexes in what is held: those left out are lost, those named twice come twice */
  async letGo(
    order: (count: number) => number[] = (count) => Array.from({ length: count }, (_, at) => at),
  ): Promise<void> {
    const held = this.held.splice(0);
    for (const at of order(held.length)) await this.send({ ...held[at]!, id: this.world.id('dlv') });
  }

  heldCount(): number {
    return this.held.length;
  }

  /** Until nothing is on its way. What is tried again later is not waited for. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** One that failed, and whose time has come again. */
  retry(id: string): void {
    const delivery = this.waiting.get(id);
    this.waiting.delete(id);
    if (delivery !== undefined) this.start(delivery);
  }

  private tell(event: Told): void {
    if (this.mode === 'lost') return;
    for (const delivery of this.deliveriesOf(event)) {
      if (this.mode === 'held') this.held.push(delivery);
      else this.start(delivery);
    }
  }

  private deliveriesOf(event: Told): Delivery[] {
    const wants = ({ enabled_events: types, status }: { enabled_events: string[]; status: string }) =>
      status === 'enabled' && (types.includes('*') || types.includes(event.type));
    const listeners =
      event.object === 'event'
        ? this.world.endpoints.all().filter((one) => isConnect(one) === (event.account !== undefined))
        : this.world.destinations.all();
    return listeners
      .filter(wants)
      .map(({ id: endpoint }) => ({ id: this.world.id('dlv'), event, endpoint, attempts: 0 }));
  }

  private start(delivery: Delivery): void {
    const work = this.send(delivery);
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  private async send(delivery: Delivery): Promise<void> {
    const { event, endpoint, attempts } = delivery;
    const url =
      this.world.endpoints.find(endpoint)?.url ?? this.world.destinations.find(endpoint)?.webhook_endpoint?.url;
    if (url === undefined) return;
    const payload = JSON.stringify(event);
    const status = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': this.sign(endpoint, payload) },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => null,
    );
    this.attempts.push({ event: event.id, type: event.type, endpoint, status });
    const isTaken = status !== null && status >= 200 && status < 300;
    if (isTaken) {
      if (event.object === 'event') event.pending_webhooks = Math.max(0, event.pending_webhooks - 1);
      return;
    }
    const wait = AGAIN_AFTER_S[attempts];
    if (wait === undefined) return;
    this.waiting.set(delivery.id, { ...delivery, attempts: attempts + 1 });
    this.world.wake(this.world.now() + wait, 'delivery', delivery.id);
  }

  private sign(endpoint: string, payload: string): string {
    const at = this.world.now();
    const signatures = (this.secrets.get(endpoint) ?? []).map(
      (secret) => `v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`,
    );
    return [`t=${at}`, ...signatures].join(',');
  }
}
