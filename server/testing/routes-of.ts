import type { FastifyInstance } from 'fastify';

/** Every route of an app, of the tree that its router prints: a line for each part, under the part before it. */
export function routesOf(app: FastifyInstance): { url: string; methods: string[] }[] {
  const parts: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line);
      if (found === null) return [];
      const [, indent, part, methods] = found as unknown as [string, string, string, string | undefined];
      const depth = indent.length / 4;
      parts.length = depth;
      parts.push(part);
      return methods === undefined ? [] : [{ url: parts.join(''), methods: methods.split(', ') }];
    });
}
