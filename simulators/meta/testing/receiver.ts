import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface Received {
  body: string;
  headers: IncomingHttpHeaders;
}

/** An app's webhook callback for tests: verifies the handshake, keeps what arrives, and answers what it is told. */
export async function startReceiver(verifyToken: string): Promise<{
  url: string;
  received: Received[];
  handshakes: number;
  /** The status of the next answers. */
  status: number;
  close(): Promise<void>;
}> {
  const state = { url: '', received: [] as Received[], handshakes: 0, status: 200, close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://receiver');
    if (request.method === 'GET') {
      state.handshakes += 1;
      const right = url.searchParams.get('hub.verify_token') === verifyToken;
      response.writeHead(right ? 200 : 403).end(right ? url.searchParams.get('hub.challenge') : '');
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1');
    });
    request.on('end', () => {
      state.received.push({ body, headers: request.headers });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  state.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/webhooks/meta`;
  state.close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}
