/** The settings of the programs around ours: NATS and the balancing proxy. */
import { spawnSync } from 'node:child_process';

/** From 2.10 on a NATS server can write to disk before it acknowledges; Debian 12 has 2.9. */
export function natsWritesThrough(): boolean {
  const { stdout } = spawnSync('nats-server', ['--version'], { encoding: 'utf8' });
  const [, major = 0, minor = 0] = /v(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}

/**
 * One of several NATS servers that keep the event log together.
 *
 * @param options.writesThrough see `natsWritesThrough`; without, an event is in the memory of two machines when it is
 *   acknowledged and on their disks moments later
 */
export function natsSettings(options: {
  name: string;
  port: number;
  healthPort: number;
  routePort: number;
  routePorts: number[];
  folder: string;
  writesThrough: boolean;
}): string {
  const routes = options.routePorts.map((port) => `"nats-route://127.0.0.1:${port}"`).join(', ');
  return `server_name: "${options.name}"
listen: "127.0.0.1:${options.port}"
http: "127.0.0.1:${options.healthPort}"
jetstream {
  store_dir: "${options.folder}"
${options.writesThrough ? '  sync_interval: always\n' : ''}}
cluster {
  name: "creator-hq"
  listen: "127.0.0.1:${options.routePort}"
  routes: [${routes}]
}
# A connection whose other side fell asleep is given up after some ten seconds instead of four minutes.
ping_interval: "5s"
ping_max: 2
`;
}

/**
 * HAProxy before the web processes. One that does not answer gets nothing more within a second; webhooks are tried at
 * another one even when an answer broke off, because the same event twice is one event. Whether PostgreSQL is there is
 * not asked: webhooks are taken without it.
 */
export function proxySettings(options: { port: number; webs: { name: string; port: number }[] }): string {
  const servers = options.webs.map(({ name, port }) => `  server ${name} 127.0.0.1:${port} check\n`).join('');
  return `global
  maxconn 4096
defaults
  mode http
  option forwardfor
  option http-keep-alive
  option httpchk GET /healthz
  option redispatch 1
  retries 3
  retry-on conn-failure
  timeout http-request 10s
  timeout connect 1s
  timeout check 1s
  timeout client 75s
  timeout server 75s
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
frontend all
  bind 127.0.0.1:${options.port}
  use_backend webhooks if { path_beg /webhooks/ }
  default_backend pages
backend webhooks
  balance roundrobin
  retry-on conn-failure empty-response
  timeout server 10s
${servers}backend pages
  balance roundrobin
${servers}`;
}
