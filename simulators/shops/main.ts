/** Stands in for shops: Instacart's Developer Platform with one key, and the pages its shoppers see. README.md tells how to use it. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { check } from './checks.ts';
import { endedPage, type MadePage, shopperPage } from './pages.ts';
import type { Call, Fault, Ledger } from './types.ts';

export type ShopsSimulator = {
  /** `INSTACART_URL` */
  url: string;
  /** `INSTACART_API_KEY` */
  apiKey: string;
  ledger: Ledger;
  pages: ReadonlyMap<string, MadePage>;
  /** For the next calls, first come first served. */
  failNext(...faults: Fault[]): void;
  /** Takes the key away, or gives it back. */
  setKeyGood(isGood: boolean): void;
  close(): Promise<void>;
};

const DAY_MS = 86_400_000;
const MAX_BODY_BYTES = 1024 * 1024;
const CONTROL = '/_control';

/**
 * @param options.clock tells when pages end
 * @param options.stateFile keeps pages over a restart
 */
export async function startShopsSimulator({
  port = 0,
  clock = { now: () => new Date() },
  stateFile,
}: {
  port?: number;
  clock?: { now(): Date };
  stateFile?: string;
} = {}): Promise<ShopsSimulator> {
  const apiKey = 'instacart_simulated_key_0000';
  const ledger: Ledger = { calls: [], unlistedUnits: [], deprecatedFields: [], unknownFields: [] };
  const kept = stateFile !== undefined && existsSync(stateFile) ? readFileSync(stateFile, 'utf8') : '[]';
  const pages = new Map((JSON.parse(kept) as MadePage[]).map((page) => [page.id, page]));
  const faults: Fault[] = [];
  let isKeyGood = true;
  let url = '';

  const addressOf = ({ id, kind }: MadePage) =>
    `${url}/store/${kind === 'recipe' ? 'recipes' : 'shopping_lists'}/${id}`;

  const keep = (page: MadePage) => {
    pages.set(page.id, page);
    if (stateFile !== undefined) writeFileSync(stateFile, JSON.stringify([...pages.values()]));
  };

  const make = (kind: MadePage['kind'], body: Record<string, unknown>): Reply => {
    const checked = check(kind, body, ledger);
    if ('refused' in checked) return wrong({ status: 400 }, checked.refused);
    const configured = (body.landing_page_configuration ?? {}) as { partner_linkback_url?: string };
    const page: MadePage = {
      id: randomBytes(6).toString('hex'),
      kind,
      title: String(body.title),
      author: typeof body.author === 'string' ? body.author : null,
      linkBack: configured.partner_linkback_url ?? null,
      items: checked.items,
      endsAt: checked.days === null ? null : clock.now().getTime() + checked.days * DAY_MS,
    };
    keep(page);
    return json(200, { products_link_url: addressOf(page) });
  };

  /** @returns null: it stays silent, or cuts the connection */
  const answer = (path: string, authorization: string | undefined, body: Record<string, unknown> | null) => {
    const kind = ({ '/idp/v1/products/recipe': 'recipe', '/idp/v1/products/products_link': 'list' } as const)[path];
    const fault = faults.shift();
    if (fault === 'silence') return null;
    if (fault === 'web_page') return { status: 200, type: 'text/html', text: '<title>Sign in</title>' };
    if (fault === 'no_link') return json(200, {});
    if (fault === 'foreign_link') return json(200, { products_link_url: 'https://www.instacart.com.evil.example/x' });
    if (typeof fault === 'object') return wrong(fault, 'It was told to fail.');
    if (!isKeyGood || authorization !== `Bearer ${apiKey}`) return wrong({ status: 401 }, 'Unauthorized');
    if (kind === undefined) return wrong({ status: 404 }, 'Not found');
    if (body === null) return wrong({ status: 400 }, 'Malformed JSON');
    const made = make(kind, body);
    return fault === 'cut' ? null : made;
  };

  const serveApi = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const body = readObject(await bodyOf(request));
    const isSilent = faults[0] === 'silence';
    const reply = answer(path, request.headers.authorization, body);
    ledger.calls.push({ at: clock.now().toISOString(), path, status: reply?.status ?? null, body } satisfies Call);
    if (reply !== null) send(response, reply);
    else if (!isSilent) request.socket.destroy();
  };

  const servePage = (response: ServerResponse, path: string) => {
    const page = pages.get(path.split('/').at(-1)!);
    const isOver = page === undefined || (page.endsAt !== null && page.endsAt <= clock.now().getTime());
    const text = isOver ? endedPage() : shopperPage(page);
    send(response, { status: isOver ? 404 : 200, type: 'text/html; charset=utf-8', text });
  };

  const serveControl = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (path === `${CONTROL}/ledger`) return send(response, json(200, ledger));
    const told = JSON.parse(await bodyOf(request)) as { faults?: Fault[]; isKeyGood?: boolean };
    faults.push(...(told.faults ?? []));
    isKeyGood = told.isKeyGood ?? isKeyGood;
    send(response, json(200, {}));
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    const serve = async () => {
      if (path.startsWith('/store/')) return servePage(response, path);
      if (path.startsWith(CONTROL)) return serveControl(request, response, path);
      return serveApi(request, response, path);
    };
    serve().catch((error: Error) => send(response, json(500, { error: { message: error.message, code: 9999 } })));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    apiKey,
    ledger,
    pages,
    failNext: (...more) => void faults.push(...more),
    setKeyGood: (isGood) => {
      isKeyGood = isGood;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Reply = { status: number; type: string; text: string };

function json(status: number, value: unknown): Reply {
  return { status, type: 'application/json', text: JSON.stringify(value) };
}

/** Its two shapes: one error with a code, or a list. */
function wrong(
  { status, shape = 'error', item }: { status: number; shape?: string; item?: number },
  says: string,
): Reply {
  const message = item === undefined ? says : `ingredients[${item}].name cannot be used`;
  return shape === 'errors'
    ? json(status, { errors: [{ message }] })
    : json(status, {
        error: { message, code: status === 400 ? 1001 : 9999 },
        meta: { key: randomBytes(4).toString('hex') },
      });
}

function send(response: ServerResponse, { status, type, text }: Reply): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

// By itself: `node simulators/shops/main.ts PORT`. Prints one JSON line when it listens.
if (import.meta.main) {
  const simulator = await startShopsSimulator({ port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`${JSON.stringify({ url: simulator.url, apiKey: simulator.apiKey })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
}
