/** What simulators of newsletter tools share: a server on loopback, a ledger of its calls, a limit in windows, and faults. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ToolCall = {
  at: Date;
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
};
type Asked = ToolCall & { headers: NodeJS.Dict<string | string[]> };
export type ToolReply = { status: number; json?: unknown; text?: string; location?: string };

export type ToolServer = {
  url: string;
  /** Every call that came, refused ones too. */
  calls: ToolCall[];
  /** Answers the next calls instead, first come first served; `cut` breaks the connection off after the work was done. */
  failNext(...replies: (ToolReply | 'cut')[]): void;
  close(): Promise<void>;
};

export async function startToolServer({
  now,
  limit,
  port = 0,
  handle,
}: {
  now: () => Date;
  /** 0: any. */
  port?: number;
  /** Of calls in a rolling minute. */
  limit: { most: number | ((call: Asked) => number); reply: ToolReply };
  handle(call: Asked): ToolReply;
}): Promise<ToolServer> {
  const calls: ToolCall[] = [];
  /** When calls of the last minute came. */
  const recent: number[] = [];
  const faults: (ToolReply | 'cut')[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://tool');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const call = { at: now(), method: request.method ?? 'GET', path: pathname, query: searchParams, body };
    while (recent[0] !== undefined && call.at.getTime() - recent[0] >= 60_000) recent.shift();
    const asked = { ...call, headers: request.headers };
    const isTooMuch = recent.length >= (typeof limit.most === 'number' ? limit.most : limit.most(asked));
    recent.push(call.at.getTime());
    calls.push(call);
    const fault = faults.shift();
    if (fault === 'cut') {
      handle(asked);
      request.socket.destroy();
      return;
    }
    const reply = isTooMuch ? limit.reply : (fault ?? handle(asked));
    response.writeHead(reply.status, {
      'content-type': reply.text === undefined ? 'application/json' : 'text/plain',
      ...(reply.location !== undefined && { location: reply.location }),
    });
    response.end(reply.text ?? (reply.json === undefined ? '' : JSON.stringify(reply.json)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    failNext: (...replies) => void faults.push(...replies),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
