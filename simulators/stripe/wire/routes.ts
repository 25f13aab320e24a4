/** A call that is played: its address, and what answers it. */
import type { Webhooks } from '../webhooks.ts';
import type { Shelf, World } from '../world.ts';
import { page } from './pages.ts';
import type { Params } from './params.ts';

export type Asked = { world: World; webhooks: Webhooks; params: Params; ids: string[] };
export type Route = { method: 'DELETE' | 'GET' | 'POST'; path: string; answer: (asked: Asked) => object };

/** Read, listed, and made or changed by the functions of their room. */
export function rows<Row extends { id: string; object: string; created: number }>(
  path: string,
  shelfOf: (world: World) => Shelf<Row>,
  filters: readonly string[] = [],
): Route[] {
  const list = ({ world, params }: Asked) => {
    const wanted = filters.flatMap((name) => {
      const value = name === 'active' ? params.flag(name)?.toString() : params.text(name);
      return value == null ? [] : [[name, value] as const];
    });
    const keys = path === '/v1/prices' ? params.texts('lookup_keys') : undefined;
    const found = shelfOf(world)
      .newestFirst()
      .filter((row) => wanted.every(([name, value]) => String((row as Record<string, unknown>)[name]) === value))
      .filter((row) => keys === undefined || keys.includes(String((row as Record<string, unknown>).lookup_key)));
    return page(found, params, path);
  };
  return [
    { method: 'GET', path, answer: list },
    { method: 'GET', path: `${path}/:id`, answer: ({ world, ids: [id] }) => shelfOf(world).get(id!) },
  ];
}
