import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/settings.ts';
import type { Database } from '#server/db/database.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { listPlans } from './plans.ts';

export function registerPlans(app: FastifyInstance, deps: ServeDeps & { db: Database }): void {
  serve(app, deps, contract.listPlans, async () => ({ items: await listPlans(deps) }));
}
