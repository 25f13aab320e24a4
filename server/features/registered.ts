/** The parts of all features, taken together. */
import type { Endpoint, NamedEndpoint } from '#contract/endpoint.ts';
import { type Holds, listHeld } from '#server/db/holds.ts';
import { engineHolds } from '#server/engine/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import * as features from '#server/features/features.ts';

export const FEATURES: Feature[] = Object.values(features);

const queueHolds: Holds = {
  jobs: { exported: { leftOut: 'work to be done, by the ids of rows' }, requests: 'insert select update' },
};

/** Tables of features before the engine's, whose interactions tell whose the rest is. */
export const HELD = listHeld(...FEATURES.map(({ holds = {} }) => holds), queueHolds, engineHolds);

/** Every endpoint there is. The OpenAPI document and the tenancy walk read this list, so none can be forgotten. */
export const ENDPOINTS: NamedEndpoint[] = FEATURES.flatMap(({ contract = {} }) =>
  Object.entries(contract).flatMap(([feature, exports]) =>
    Object.entries(exports)
      .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))
      .map(([name, endpoint]) => ({ name, feature, endpoint })),
  ),
);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
