/** The hosts of creators, in memory: every request is asked for its own. Under them nothing answers but what says so. */
import type { Server } from 'node:http';
import type { FastifyInstance, FastifyServerOptions, RouteOptions } from 'fastify';
import { sql } from 'kysely';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';

type Deps = {
  db: Pick<Database, 'engine'>;
  clock: Clock;
  config: Pick<Config, 'baseUrl'>;
  log: { error(what: object, says: string): void };
};

export type LinkHosts = {
  /** @param host as the request names it. @returns null: none of a creator */
  creatorOf(host: string | undefined): string | null;
  /** After a change of this process; others hear of it within ten seconds. */
  refresh(): Promise<void>;
};

const GOOD_FOR_MS = 10_000;

export function createLinkHosts({ db, clock, config, log }: Deps): LinkHosts {
  const ours = hostNameOf(new URL(config.baseUrl).host);
  let creators = new Map<string, string>();
  let readAtMs = 0;
  async function refresh() {
    readAtMs = clock.now().getTime();
    const { rows } = await sql<{ host: string; creatorId: string }>`
      select host, creator_id as "creatorId" from link_domains
    `.execute(db.engine);
    creators = new Map(rows.map(({ host, creatorId }) => [host, creatorId]));
  }
  const refreshSoon = () =>
    refresh().catch((error: unknown) => log.error({ err: error }, 'Could not read the hosts of short links'));
  // The program starts without a database, too.
  void refreshSoon();
  return {
    refresh,
    creatorOf(host = '') {
      if (clock.now().getTime() - readAtMs > GOOD_FOR_MS) void refreshSoon();
      const name = hostNameOf(host);
      return name === ours ? null : (creators.get(name) ?? null);
    },
  };
}

/** Without its port, and without the dot that ends a full name. */
export function hostNameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/** For the router: under a creator's host only routes of `servedOnDomains` are found. */
type Strategy = NonNullable<NonNullable<FastifyServerOptions<Server>['routerOptions']>['constraints']>[string];
type Handler = NonNullable<ReturnType<ReturnType<Strategy['storage']>['get']>>;
export function domainConstraint(hosts: LinkHosts): Strategy {
  return {
    name: 'domain',
    mustMatchWhenDerived: true,
    storage: () => {
      const handlers = new Map<string, Handler>();
      return {
        get: (value: string) => handlers.get(value) ?? null,
        set: (value: string, handler: Handler) => void handlers.set(value, handler),
      };
    },
    deriveConstraint: ({ headers }) =>
      // The router takes undefined for none, whatever its type says.
      (hosts.creatorOf(headers.host) === null ? undefined : CREATORS) as string,
    validate: () => {},
  };
}
const CREATORS = 'of a creator';

/** @param where.also answered under our own host too */
export function servedOnDomains(
  app: FastifyInstance,
  route: RouteOptions,
  { also }: { also: boolean } = { also: true },
): void {
  if (also) app.route(route);
  app.route({ ...route, constraints: { domain: CREATORS } });
}
