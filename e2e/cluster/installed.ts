import { ensureHaproxy, HAPROXY_REMEDY } from '../../scripts/haproxy.ts';
import { ensureNatsServer, NATS_REMEDY } from '../../scripts/nats-server.ts';

/** Programs a cluster needs and this machine lacks, with the remedy; installs it where it may. Empty: all is there. */
export function missingPrograms(): string[] {
  return [
    ...(ensureNatsServer() ? [] : [`The event log needs nats-server. ${NATS_REMEDY}`]),
    ...(ensureHaproxy() ? [] : [`The balancing proxy is haproxy. ${HAPROXY_REMEDY}`]),
  ];
}
