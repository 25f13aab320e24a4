/**
 * A client that wants nothing but to be in the way: it asks and does not read, sends all but the last byte, opens and is
 * silent, asks a hundred times at once. Over real sockets of this machine, as many and as long as its schedule says.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { API_BASE } from '#contract/endpoint.ts';
import { INTERACTIONS_CSV_PATH } from '#contract/figures.ts';
import { EXPORT_PATH } from '#contract/settings.ts';
import { socketsAt } from '#e2e/chaos/processes/sockets.ts';

export type Misdeed =
  | 'reads no table'
  | 'reads no export'
  | 'reads no live stream'
  | 'sends half a webhook'
  | 'sends half a call'
  | 'sends half a head'
  | 'says nothing'
  | 'asks at once'
  | 'guesses passwords';

export type BadClient = {
  misdeed: Misdeed;
  count: number;
  /** It stays until the product throws it out, which must be within so long; null: it leaves by itself. */
  thrownOutWithinMs: number | null;
};

/**
 * How many there are of each at most, and when the product throws out one that stays: by the time limits of
 * `server/http/limits.ts` and of exports. Null: it need not.
 */
export const MISDEEDS: Record<Misdeed, { most: number; thrownOutWithinMs: number | null }> = {
  'reads no table': { most: 20, thrownOutWithinMs: 30_000 },
  'reads no export': { most: 20, thrownOutWithinMs: 30_000 },
  'reads no live stream': { most: 100, thrownOutWithinMs: null },
  'sends half a webhook': { most: 250, thrownOutWithinMs: 10_000 },
  'sends half a call': { most: 100, thrownOutWithinMs: 30_000 },
  'sends half a head': { most: 100, thrownOutWithinMs: 10_000 },
  'says nothing': { most: 100, thrownOutWithinMs: 10_000 },
  'asks at once': { most: 100, thrownOutWithinMs: null },
  'guesses passwords': { most: 100, thrownOutWithinMs: null },
};

const TRY_AGAIN_AFTER_MS = 500;
/** The product looks every two seconds; the rest is for a busy machine. */
const LATE_MS = 8000;
const WEBHOOK_BYTES = 1_000_000;
const CALL_BYTES = 256_000;
/** One for all: each socket sends the same bytes. */
const FILLER = Buffer.alloc(WEBHOOK_BYTES, ' ');

type Owner = { creatorId: string; cookie: string };

export class BadClients {
  readonly trace: string[] = [];
  private readonly owner: Owner;
  private readonly attacks: Attack[] = [];

  /** @param owner is logged in, and has more data than sockets hold */
  constructor(owner: Owner) {
    this.owner = owner;
  }

  /** Resolves when it has left, or when it would have. */
  async play(url: string, client: BadClient, forMs: number): Promise<void> {
    const attack = new Attack(Number(new URL(url).port), client, bytesOf(client.misdeed, this.owner));
    this.attacks.push(attack);
    await pause(forMs);
    if (client.thrownOutWithinMs === null) attack.leave();
  }

  /** Those that stay have been thrown out, or leave now. Answers who was not. */
  async untilThrownOut(lateMs = LATE_MS): Promise<string[]> {
    const from = Date.now();
    const late = await Promise.all(this.attacks.map((attack) => attack.untilThrownOut(from, lateMs)));
    this.leave();
    return late.filter((says) => says !== null);
  }

  leave(): void {
    for (const attack of this.attacks) {
      attack.leave();
      this.trace.push(`${attack.client.misdeed}: ${attack.answers()}`);
    }
    this.attacks.length = 0;
  }
}

class Attack {
  readonly client: BadClient;
  private readonly port: number;
  private readonly bytes: Buffer[];
  private connectedAt = Date.now();
  private readonly sockets: Socket[] = [];
  private readonly statuses = new Map<string, number>();
  private comesBack = true;

  constructor(port: number, client: BadClient, bytes: Buffer[]) {
    this.port = port;
    this.client = client;
    this.bytes = bytes;
    for (let number = 0; number < client.count; number++) this.open(number);
  }

  /** Answers it received: of most calls it hears nothing. */
  answers(): string {
    const told = [...this.statuses].map(([status, count]) => `${count} × ${status}`);
    return told.join(', ') || 'no answer';
  }

  leave(): void {
    this.comesBack = false;
    for (const socket of this.sockets) socket.destroy();
  }

  /** @returns what is wrong; null when the product holds none of its sockets any more */
  async untilThrownOut(from: number, lateMs: number): Promise<string | null> {
    const { misdeed, count, thrownOutWithinMs } = this.client;
    if (thrownOutWithinMs === null) return null;
    this.comesBack = false;
    // A program that stood still hears of them only when it goes on.
    const giveUpAt = Math.max(from, this.connectedAt) + thrownOutWithinMs + lateMs;
    for (; ; await pause(200)) {
      const ports = new Set(this.sockets.map(({ localPort }) => localPort));
      const held = new Set(
        socketsAt(this.port)
          .map(({ remotePort }) => remotePort)
          .filter((port) => ports.has(port)),
      ).size;
      if (held === 0) return null;
      if (Date.now() < giveUpAt) continue;
      const seconds = Math.round((Date.now() - this.connectedAt) / 1000);
      return `who ${misdeed} is still there after ${seconds} s (${held} of ${count} sockets)`;
    }
  }

  private open(number: number): void {
    if (!this.comesBack) return;
    const socket = connect({ port: this.port, host: '127.0.0.1' });
    this.sockets[number] = socket;
    socket.once('connect', () => {
      this.connectedAt = Date.now();
      for (const bytes of this.bytes) socket.write(bytes);
    });
    let isAnswered = false;
    socket.once('data', (bytes) => {
      isAnswered = true;
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1', 0, 20)) ?? ['', 'no status'];
      this.statuses.set(status!, (this.statuses.get(status!) ?? 0) + 1);
      // Thrown out is seen at the other side: who reads nothing sees no end.
      socket.pause();
    });
    // The program was killed, or starts at this moment.
    socket.on('error', () => {
      if (!isAnswered) setTimeout(() => this.open(number), TRY_AGAIN_AFTER_MS).unref();
    });
  }
}

function bytesOf(misdeed: Misdeed, { creatorId, cookie }: Owner): Buffer[] {
  // Who is answered and refused holds nothing afterwards.
  const start = 'HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n';
  const request = (line: string, ...headers: string[]) =>
    Buffer.from(`${line} ${start}${headers.map((header) => `${header}\r\n`).join('')}\r\n`);
  const json = (bytes: number) => ['Content-Type: application/json', `Content-Length: ${bytes}`];
  const get = (path: string) => [request(`GET ${path}`, `Cookie: ${cookie}`)];
  const login = `POST ${API_BASE}/auth/login`;
  switch (misdeed) {
    case 'reads no table':
      return get(INTERACTIONS_CSV_PATH(creatorId));
    case 'reads no export':
      return get(EXPORT_PATH(creatorId));
    case 'reads no live stream':
      return get(`${API_BASE}/creators/${creatorId}/live`);
    case 'sends half a webhook':
      return [request('POST /webhooks/meta', ...json(WEBHOOK_BYTES)), FILLER.subarray(1)];
    case 'sends half a call':
      return [request(login, ...json(CALL_BYTES)), FILLER.subarray(0, CALL_BYTES - 1)];
    case 'sends half a head':
      return [Buffer.from(`${login} ${start}X-Slow: `)];
    case 'says nothing':
      return [];
    case 'asks at once':
      return get(`${API_BASE}/creators/${creatorId}/interactions`);
    case 'guesses passwords': {
      const body = JSON.stringify({ email: 'owner@example.com', password: 'a wrong guess' });
      return [request(login, ...json(body.length)), Buffer.from(body)];
    }
  }
}
