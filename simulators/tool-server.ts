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
export type ToolReply = { status: number; json?: unknown; text?: string };

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
  handle,
}: {
  now: () => Date;
  /** Of calls in a rolling minute. */
  limit: { most: number; reply: ToolReply };
  handle(call: ToolCall & { headers: NodeJS.Dict<string | string[]> }): ToolReply;
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
    const isTooMuch = recent.length >= limit.most;
    recent.push(call.at.getTime());
    calls.push(call);
    const fault = faults.shift();
    if (fault === 'cut') {
      handle({ ...call, headers: request.headers });
      request.socket.destroy();
      return;
    }
    const reply = isTooMuch ? limit.reply : (fault ?? handle({ ...call, headers: request.headers }));
    response.writeHead(reply.status, { 'content-type': reply.text === undefined ? 'application/json' : 'text/plain' });
    response.end(reply.text ?? (reply.json === undefined ? '' : JSON.stringify(reply.json)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    failNext: (...replies) => void faults.push(...replies),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
