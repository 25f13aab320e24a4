import type { FastifyInstance } from 'fastify';
import { replayAutomation } from '#contract/prepared-posts.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { replay } from './replay.ts';

export function registerReplay(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config' | 'ids'>): void {
  serve(app, deps, replayAutomation, ({ creatorId, body, inCreator }) => replay(deps, inCreator, creatorId, body));
}
