import { freePort } from '#server/testing/processes.ts';

export type ClusterPorts = {
  /** Where people and Meta go. */
  proxy: number;
  simulator: number;
  webs: number[];
  workers: number[];
  nats: number[];
  natsRoutes: number[];
  /** Where each tells how it is. */
  natsHealth: number[];
  /** Where each of our processes tells its measures: the workers, then the webs. */
  metrics: number[];
};

type Counts = { webs: number; workers: number; nats: number };

/** Neighbours of one port, so that one setting moves the whole cluster; 0: any free ones. */
export async function choosePorts(first: number, { webs, workers, nats }: Counts): Promise<ClusterPorts> {
  const count = (of: number, port: (index: number) => number) => Array.from({ length: of }, (_, index) => port(index));
  if (first > 0) {
    return {
      proxy: first,
      simulator: first + 1,
      webs: count(webs, (index) => first + 10 + index),
      workers: count(workers, (index) => first + 30 + index),
      nats: count(nats, (index) => first + 50 + index),
      natsRoutes: count(nats, (index) => first + 60 + index),
      natsHealth: count(nats, (index) => first + 70 + index),
      metrics: count(webs + workers, (index) => first + 80 + index),
    };
  }
  const free = new Set<number>();
  while (free.size < 2 + 2 * (webs + workers) + 3 * nats) free.add(await freePort());
  const next = free.values();
  const take = () => next.next().value!;
  return {
    proxy: take(),
    simulator: take(),
    webs: count(webs, take),
    workers: count(workers, take),
    nats: count(nats, take),
    natsRoutes: count(nats, take),
    natsHealth: count(nats, take),
    metrics: count(webs + workers, take),
  };
}
