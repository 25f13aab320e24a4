/** An endpoint whose body is a file itself, whatever its content type: read as it comes, so that no more than a piece is in memory. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** @param register serves the endpoint in a scope of its own */
export function withFiles(app: FastifyInstance, register: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    register(scope);
  });
}

/** Hands the file to `work`; what that leaves unread is read away, or ends the connection where it is larger than `maxBytes`. */
export async function takeFile<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  { maxBytes, work }: { maxBytes: number; work: (file: AsyncIterable<Buffer>) => Promise<Result> },
): Promise<Result> {
  try {
    return await work((request.body as AsyncIterable<Buffer> | undefined) ?? nothing());
  } finally {
    // Bytes that nobody read would be taken for the next request.
    if (Number(request.headers['content-length'] ?? Infinity) <= maxBytes) request.raw.resume();
    else reply.header('connection', 'close');
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}
