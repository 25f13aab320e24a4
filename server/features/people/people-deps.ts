import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { Keys } from '#server/secrets.ts';
import type { Auth } from './auth.ts';

/** Dependencies of the rules about people. */
export type PeopleDeps = {
  auth: Auth;
  db: Database;
  clock: Clock;
  ids: Ids;
  baseUrl: string;
  keys: Pick<Keys, 'secretKey'>;
  config: Pick<Config, 'signUp'>;
};
