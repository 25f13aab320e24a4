/**
 * The services of deploy/compose.yaml without Docker: each program with the arguments, settings, secrets and files that are
 * written there, in the order that `depends_on` gives. Things a container would have to itself (names, ports, paths) is
 * mapped to free ports of this machine and to a folder for each service. Contents of the images are simulated: the program
 * and its defaults. NATS and HAProxy are those of this machine, PostgreSQL is the built-in one.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { parse } from 'yaml';
import { chooseAccount } from '#server/db/embedded/account.ts';
import { findBinaries } from '#server/db/embedded/binaries.ts';
import { freePort } from '#server/testing/processes.ts';
import { ProcessMember } from './member.ts';
import { natsWritesThrough } from './programs.ts';

const root = path.join(import.meta.dirname, '../..');
const deploy = path.join(root, 'deploy');
const run = promisify(execFile);

type Service = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  configs?: { source: string; target: string }[];
  volumes?: string[];
  tmpfs?: string[];
  hostname?: string;
  ports?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
};
type ComposeFile = {
  services: Record<string, Service>;
  configs: Record<string, { file: string }>;
  secrets: Record<string, { file: string }>;
};
type Program = { command: string; args: string[]; env?: Record<string, string>; isReady?: () => Promise<boolean> };

export type Composed = {
  /** Where the TLS proxy in front would send people to: the one port that is published. */
  url: string;
  /** Services in the order they were started. */
  members: ProcessMember[];
  /** Runs a command as `docker compose exec` does; returns what it printed. */
  exec(service: string, ...command: string[]): Promise<string>;
  /** The command by which Docker sees whether the service is well. @throws when it is not */
  checkHealth(service: string): Promise<void>;
  /** Ends the services, those that need others first. */
  stop(): Promise<void>;
};

/**
 * Starts all services. A secret is the operator's to write where deploy/make-secrets.sh says so.
 *
 * @param options.variables what compose.yaml asks the operator's environment for
 * @param options.written secrets that the operator writes
 * @param options.besides settings on top of the file's, so that nothing leaves this machine
 */
export async function startComposed(options: {
  folder: string;
  variables: Record<string, string>;
  written: Record<string, string>;
  besides: Record<string, string>;
}): Promise<Composed> {
  const { folder } = options;
  const compose: ComposeFile = parse(await readFile(path.join(deploy, 'compose.yaml'), 'utf8'), { merge: true });
  // Paths of secrets are relative to the file that names them.
  await cp(path.join(deploy, 'make-secrets.sh'), path.join(folder, 'make-secrets.sh'));
  await run('sh', ['make-secrets.sh'], { cwd: folder });
  for (const [name, value] of Object.entries(options.written)) {
    await writeFile(path.join(folder, 'secrets', name), value, { mode: 0o600 });
  }

  const ports = new Map<string, Promise<number>>();
  const portOf = (service: string, port: string) => {
    const key = `${service}:${port}`;
    if (!ports.has(key)) ports.set(key, freePort());
    return ports.get(key)!;
  };
  const homeOf = (service: string) => path.join(folder, service);
  /** A text as the service would read it, with names, ports and paths of this machine. */
  const mapped = async (service: string, text: string) => {
    const hosts = [...Object.keys(compose.services), '0\\.0\\.0\\.0', '127\\.0\\.0\\.1'].join('|');
    const address = new RegExp(`(?<=^|[\\s@/,['"])(${hosts})?:(\\d{4,5})(?=$|[\\s/,\\]'"])`, 'gm');
    const found = [...text.matchAll(address)].map(([, host = '', port]) =>
      portOf(host in compose.services ? host : service, port!),
    );
    const free = await Promise.all(found);
    return text
      .replace(address, () => `127.0.0.1:${free.shift()}`)
      .replace(/(?<=^|[\s="'])\/(run\/secrets|data|tmp|etc|usr|var)\b/gm, `${homeOf(service)}/$1`);
  };

  const start = async (name: string): Promise<ProcessMember> => {
    const service = compose.services[name]!;
    const home = homeOf(name);
    const put = async (target: string, source: string, isOperators = false) => {
      const text = await readFile(source, 'utf8').catch(() => missing(`The file ${source}`));
      await mkdir(path.dirname(path.join(home, target)), { recursive: true });
      await writeFile(path.join(home, target), isOperators ? text : await mapped(name, text), { mode: 0o600 });
    };
    for (const secret of service.secrets ?? []) {
      const source = path.join(folder, compose.secrets[secret]!.file);
      await put(`/run/secrets/${secret}`, source, secret in options.written);
    }
    for (const { source, target } of service.configs ?? []) {
      await put(target, path.join(deploy, compose.configs[source]!.file));
    }
    for (const target of [
      ...(service.volumes ?? []).map((volume) => volume.split(':')[1]!),
      ...(service.tmpfs ?? []),
    ]) {
      await mkdir(path.join(home, target), { recursive: true });
    }
    const env: Record<string, string> = { HOSTNAME: service.hostname ?? name };
    for (const [setting, value] of Object.entries(service.environment ?? {})) {
      const asked = /^\$\{(\w+):\?.+\}$/s.exec(value)?.[1];
      env[setting] = await mapped(name, asked === undefined ? value : (options.variables[asked] ?? missing(asked)));
    }
    const command = await Promise.all((service.command ?? []).map((part) => mapped(name, part)));
    const program = await (images[service.image.split(':')[0]!] ?? missing(`The image ${service.image}`))({
      home,
      command,
      env,
      portOf: (port) => portOf(name, port),
    });
    settings.set(name, { PATH: process.env.PATH!, ...env, ...program.env, ...options.besides });
    return new ProcessMember({
      name,
      what: service.image,
      logFile: `${home}.log`,
      command: program.command,
      args: program.args,
      cwd: root,
      env: settings.get(name)!,
      isReady: () => program.isReady?.() ?? true,
      onStarted: () => {},
      onDied: () => {},
    });
  };
  const settings = new Map<string, Record<string, string>>();

  const members: ProcessMember[] = [];
  const stop = async () => {
    // A service that needs others ends before them; those without an order end together.
    for (const group of [/^proxy/, /^(web|worker)-/, /./]) {
      const ending = members.filter((member) => group.test(member.name) && member.pid() !== null);
      await Promise.all(ending.map((member) => member.stop()));
    }
  };
  try {
    for (const name of inOrder(compose.services)) {
      const member = await start(name);
      members.push(member);
      await member.start();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const exec = async (service: string, [command, ...args]: string[]) => {
    const { stdout } = await run(command!, args, { cwd: root, env: settings.get(service)! });
    return stdout;
  };
  return {
    url: `http://127.0.0.1:${await portOf('proxy', compose.services.proxy!.ports![0]!.split(':').at(-1)!)}`,
    members,
    exec: (service, ...command) => exec(service, command),
    async checkHealth(service) {
      const [, ...command] = compose.services[service]!.healthcheck!.test;
      await exec(service, await Promise.all(command.map((part) => mapped(service, part))));
    },
    stop,
  };
}

type Container = {
  home: string;
  command: string[];
  env: Record<string, string>;
  portOf: (port: string) => Promise<number>;
};

/** Contents of each image: the program that its entry point starts, and what it does before. */
const images: Record<string, (container: Container) => Promise<Program>> = {
  async 'creator-hq'({ home, portOf }) {
    const dockerfile = await readFile(path.join(deploy, 'Dockerfile'), 'utf8');
    const defaults = Object.fromEntries(
      [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) => line!.split(' ').map((pair) => pair.split('='))),
    ) as Record<string, string>;
    const [, ...args] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!) as string[];
    return {
      command: process.execPath,
      args,
      env: {
        ...defaults,
        HOST: '127.0.0.1',
        PORT: `${await portOf(defaults.PORT!)}`,
        DATA_DIR: path.join(home, defaults.DATA_DIR!),
      },
    };
  },
  async nats({ home, command }) {
    if (!natsWritesThrough()) {
      const file = path.join(home, 'etc/nats/nats.conf');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^ +sync_interval.*$/m, ''));
    }
    return { command: 'nats-server', args: command };
  },
  async haproxy({ home }) {
    return { command: 'haproxy', args: ['-W', '-db', '-f', path.join(home, 'usr/local/etc/haproxy/haproxy.cfg')] };
  },
  async postgres({ home, command: [, ...args], env, portOf }) {
    const files = path.join(home, 'var/lib/postgresql/18');
    const binaries = await findBinaries();
    const account = await chooseAccount(home, files);
    await mkdir(files, { mode: 0o700 });
    await account.own(files);
    const passwordFile = env.POSTGRES_PASSWORD_FILE!;
    await account.own(passwordFile);
    const initdb = account.command(binaries.initdb, [
      ...['-D', files, '-U', 'postgres', '--pwfile', passwordFile, '--auth=scram-sha-256', '--no-sync'],
    ]);
    await run(initdb.file, initdb.args, { uid: initdb.uid, gid: initdb.gid, cwd: '/', env: { LC_ALL: 'C' } });
    const port = await portOf('5432');
    const server = account.command(binaries.postgres, [
      ...args,
      ...['-D', files, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ]);
    const password = (await readFile(passwordFile, 'utf8')).trim();
    const database = env.POSTGRES_DB!;
    const asSuperuser = async (database: string, statements: string) => {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database });
      try {
        await client.connect();
        await client.query(statements);
      } finally {
        await client.end().catch(() => {});
      }
    };
    // Read by psql there: what follows a backslash is psql's own.
    const forPsql = await readFile(path.join(home, 'docker-entrypoint-initdb.d/make-login.sql'), 'utf8');
    const makeLogin = forPsql.replace(/^\\.+$/m, '').replace(":'password'", `'${password}'`);
    return {
      command: server.file,
      args: server.args,
      // Its health check asks so much: that the database answers which the entry point makes.
      isReady: async () => {
        try {
          await asSuperuser('postgres', `create database ${database}`);
        } catch {
          return false;
        }
        await asSuperuser(database, makeLogin);
        return true;
      },
    };
  },
};

/** Services after those that they depend on. */
function inOrder(services: Record<string, Service>): string[] {
  const ordered = new Set<string>();
  const add = (name: string) => {
    const needed = services[name]!.depends_on ?? [];
    for (const other of Array.isArray(needed) ? needed : Object.keys(needed)) add(other);
    ordered.add(name);
  };
  for (const name of Object.keys(services)) add(name);
  return [...ordered];
}

function missing(what: string): never {
  throw new Error(`${what} is not there.`);
}
