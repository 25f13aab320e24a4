/**
 * Meta's webhooks: the handshake, and events. Raw bytes are verified before anything reads them; 200 is answered only
 * once the event is durable. A problem with an event that Meta signed is never Meta's to repeat: only a body that
 * is no envelope at all is refused.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { shardOfEvent } from '#server/engine/shards/shards.ts';
import { AppError } from '#server/errors.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { PlatformEvent } from '#server/platforms/meta/events.ts';
import { NotAnEnvelope, readEnvelope, verifySignature } from '#server/platforms/meta/webhook.ts';

const WEBHOOK_PATH = '/webhooks/meta';

/** Meta batches up to 1000 updates in one call; a comment is about 1.5 KB at most. */
const MAX_BODY_BYTES = 1024 * 1024;

export type WebhookDeps = { config: Config; clock: Clock; eventLog: EventLog };

export async function registerWebhooks(app: FastifyInstance, { config, clock, eventLog }: WebhookDeps): Promise<void> {
  const { appSecret, instagramAppSecret, oldAppSecrets } = config.meta;
  const secrets = [appSecret, instagramAppSecret, ...oldAppSecrets].filter((secret) => secret !== null);

  app.get(WEBHOOK_PATH, async (request, reply) => {
    const query = z.safeParse(Handshake, request.query);
    if (!query.success)
      throw new AppError(
        'malformed_request',
        'This address is for Meta. It needs hub.mode, hub.challenge and hub.verify_token.',
      );
    if (config.meta.verifyToken === null || !sameText(query.data['hub.verify_token'], config.meta.verifyToken)) {
      throw new AppError('not_allowed', 'The verify token doesn’t match META_VERIFY_TOKEN.');
    }
    return reply.type('text/plain').send(query.data['hub.challenge']);
  });

  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    // Meta's servers are no browser: working out the headers that protect one takes longer than all the rest of the answer.
    raw.post(
      WEBHOOK_PATH,
      { bodyLimit: MAX_BODY_BYTES, helmet: false, config: { webhook: 'meta' } },
      async (request, reply) => {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers['x-hub-signature-256'];
        if (verifySignature(bytes, typeof signature === 'string' ? signature : undefined, secrets) === null) {
          throw new AppError(
            'not_allowed',
            'The signature doesn’t match the body. It isn’t from Meta, or the app secret here is wrong.',
          );
        }
        const body = bytes.toString('utf8');
        const receivedAt = clock.now();
        const read = readBody(body, receivedAt);
        await eventLog.append(shardsOf(read).map((shard) => ({ shard, receivedAt, body, read })));
        return reply.type('text/plain').header('x-content-type-options', 'nosniff').send('EVENT_RECEIVED');
      },
    );
  });
}

const Handshake = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.challenge': z.string().check(z.maxLength(1000)),
  'hub.verify_token': z.string(),
});

/** A body for accounts of several shards is logged once for each; each takes its own part. */
function shardsOf(read: PlatformEvent[]): number[] {
  const shards = new Set(read.map(shardOfEvent));
  return shards.size === 0 ? [0] : [...shards];
}

function readBody(body: string, receivedAt: Date): PlatformEvent[] {
  try {
    return readEnvelope(body, receivedAt);
  } catch (error) {
    if (error instanceof NotAnEnvelope)
      throw new AppError('malformed_request', 'The body isn’t a webhook from Meta.', { cause: error });
    throw error;
  }
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
