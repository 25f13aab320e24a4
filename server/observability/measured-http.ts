import type { FastifyInstance } from 'fastify';
import type { Observed } from './observability.ts';

/** Counts answers. To be called before routes are registered: hooks are for what comes after them. */
export function measureHttp(app: FastifyInstance, observed: Observed): void {
  app.addHook('onResponse', async (request, reply) => {
    const { measures, tracing } = observed;
    const sender = request.routeOptions.config.webhook;
    if (sender !== 'meta') {
      if (sender === undefined) measures.responded(reply.statusCode);
      else measures.otherWebhookAnswered(sender, reply.statusCode);
      return;
    }
    measures.webhookAnswered(reply.statusCode, reply.elapsedTime);
    if (tracing !== null && Buffer.isBuffer(request.body)) {
      tracing.acknowledged(request.body.toString('utf8'), reply.statusCode, reply.elapsedTime);
    }
  });
}
