import type { ServerResponse } from 'node:http';

/** Writes an answer; JSON unless it says otherwise. */
export function write(
  response: ServerResponse,
  answer: { status: number; body: string | Buffer; contentType?: string; headers?: Record<string, string> },
): void {
  response.writeHead(answer.status, {
    'content-type': answer.contentType ?? 'application/json; charset=UTF-8',
    'content-length': typeof answer.body === 'string' ? Buffer.byteLength(answer.body) : answer.body.length,
    ...answer.headers,
  });
  response.end(answer.body);
}
