import type { Selectable } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { DataIntegrationsTable } from '#server/db/types.ts';
import type { Keys } from '#server/secrets.ts';

/** What reaching a tool takes. */
export type ToolDeps = {
  config: Pick<Config, 'baseUrl' | 'kit' | 'mailchimpUrl'>;
  db: Pick<Database, 'engine'>;
  keys: Keys;
  clock: Clock;
};

export type IntegrationRow = Selectable<DataIntegrationsTable>;
