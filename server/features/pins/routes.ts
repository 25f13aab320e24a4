import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/sponsor-pins.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as pins from './pins.ts';

type Deps = ServeDeps & Pick<AppDeps, 'config' | 'ids' | 'live'>;

export function registerPins(app: FastifyInstance, deps: Deps): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'links' });

  serve(app, deps, contract.listSponsorPins, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => pins.list(deps, trx, creatorId)),
  }));

  serve(app, deps, contract.createSponsorPin, async ({ creatorId, body, inCreator }) => {
    const pin = await inCreator((trx) => pins.create(deps, trx, creatorId, body));
    changed(creatorId);
    return pin;
  });

  serve(app, deps, contract.changeSponsorPin, async ({ creatorId, params, body, inCreator }) => {
    const pin = await inCreator((trx) => pins.change(deps, trx, creatorId, params.pinId, body));
    changed(creatorId);
    return pin;
  });

  serve(app, deps, contract.deleteSponsorPin, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => pins.remove(deps, trx, creatorId, params.pinId));
    changed(creatorId);
    return { message: 'Pin deleted.' };
  });

  serve(app, deps, contract.endSponsorProof, async ({ creatorId, params, inCreator }) => {
    const pin = await inCreator((trx) => pins.endProof(deps, trx, creatorId, params.pinId));
    changed(creatorId);
    return pin;
  });
}
