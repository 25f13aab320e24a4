import type { FastifyInstance } from 'fastify';
import { type LiveEvent, live } from '#contract/interactions.ts';
import { AppError } from '#server/errors.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';

/** Also how soon a stream ends after a logout: the session is asked for again with every beat. */
const BEAT_EVERY_MS = 20_000;
/** Tabs and devices of one person; a browser opens at most six streams to a host over HTTP/1.1. */
const STREAMS_PER_PERSON = 12;

export function registerLive(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'live'>): void {
  const streams = new Map<string, number>();
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  serve(app, deps, live, async ({ creatorId, signedIn, request, reply }) => {
    const userId = signedIn.user.id;
    if ((streams.get(userId) ?? 0) >= STREAMS_PER_PERSON) {
      throw new AppError('too_many_requests', 'Creator HQ is open in too many windows. Close one and reload.');
    }
    streams.set(userId, (streams.get(userId) ?? 0) + 1);

    reply.hijack();
    const out = reply.raw;
    out.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would hold events back.
      'x-accel-buffering': 'no',
    });
    const ended = new AbortController();
    const end = () => ended.abort();
    out.once('close', end);
    out.once('error', end);
    // Who left while we looked whether they may tells nothing any more.
    if (out.destroyed) end();
    closing.signal.addEventListener('abort', end, { once: true });
    const write = (event: LiveEvent) => {
      // A reader that does not read is cut off instead of being remembered for.
      if (out.writableLength > 256 * 1024) return end();
      out.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const stopListening = deps.live.listen(creatorId, write);
    write({ what: 'hello' });

    const stillAllowed = async () => {
      const again = await deps.sessions.read(request);
      return again?.user.id === userId && (await deps.sessions.roleIn(again, creatorId)) !== null;
    };
    void (async () => {
      try {
        for (;;) {
          await deps.clock.sleep(BEAT_EVERY_MS, ended.signal);
          if (ended.signal.aborted || !(await stillAllowed())) return;
          out.write(': beat\n\n');
        }
      } catch (error) {
        request.log.warn({ err: error }, 'a live stream ended');
      } finally {
        stopListening();
        closing.signal.removeEventListener('abort', end);
        const left = (streams.get(userId) ?? 1) - 1;
        if (left > 0) streams.set(userId, left);
        else streams.delete(userId);
        out.end();
      }
    })();
    return { what: 'hello' as const };
  });
}
