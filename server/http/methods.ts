import type { FastifyInstance } from 'fastify';

/**
 * The methods of an address, for the header Allow (RFC 9110, section 15.5.6). To be called before routes are registered.
 *
 * @returns the methods of the routes that an address fits; none where there is no such address
 */
export function rememberMethods(app: FastifyInstance): (path: string) => string[] {
  const routes = new Map<string, { fits: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method, constraints }) => {
    // Of addresses under a creator's own host nobody is told.
    if (constraints !== undefined && 'domain' in constraints) return;
    const fits = new RegExp(`^${url.replaceAll(/:[^/]+/g, '[^/]+').replaceAll('*', '.*')}$`);
    const route = routes.get(url) ?? { fits, methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    routes.set(url, route);
  });
  return (path) => {
    const fitting = [...routes.values()].filter(({ fits }) => fits.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
  };
}
