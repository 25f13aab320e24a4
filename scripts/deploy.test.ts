/** The files in deploy/ are what their readers take: Kubernetes, the Gateway API, Docker Compose and NATS. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';

const deploy = path.resolve(import.meta.dirname, '../deploy');
const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8');

describe('Kubernetes', () => {
  const files = globSync('kubernetes/*.yaml', { cwd: deploy });
  const objects = files
    .filter((file) => !file.endsWith('kustomization.yaml'))
    .flatMap((file) => parseAllDocuments(read(file)).map((document) => document.toJS()));

  test.each(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]))(
    '%s is as its schema says',
    async (_name, object) => {
      const models = object.apiVersion.startsWith('gateway') ? '@kubernetes-models/gateway-api' : 'kubernetes-models';
      const { [object.kind]: Model } = await import(`${models}/${object.apiVersion}/${object.kind}`);
      expect(() => new Model(object).validate()).not.toThrow();
    },
  );

  test('every file but the example of secrets is applied', () => {
    const { resources } = parse(read('kubernetes/kustomization.yaml'));
    const others = files.map((file) => path.basename(file)).filter((file) => !/^(kustomization|secrets\.)/.test(file));
    expect(resources.toSorted()).toEqual(others.toSorted());
  });

  test('what is scaled by itself has no number of its own, which every apply would set again', () => {
    const scaled = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(scaled.length).toBeGreaterThan(0);
    for (const { spec } of scaled) {
      const target = objects.find(
        ({ kind, metadata }) => kind === spec.scaleTargetRef.kind && metadata.name === spec.scaleTargetRef.name,
      );
      expect(target.spec).not.toHaveProperty('replicas');
    }
  });

  test('certificates are made and names resolved under the network policy', () => {
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    const solver = policies.find(({ spec }) => spec.podSelector.matchLabels?.['acme.cert-manager.io/http01-solver']);
    expect(solver.spec.ingress[0].ports).toEqual([{ port: 8089 }]);
    const resolving = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .filter(({ ports }) => ports.some(({ port }: { port: number }) => port === 53));
    expect(resolving.length).toBeGreaterThan(0);
    for (const { to } of resolving) expect(to).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' } });
  });

  test('every secret that is mounted or named is in the example', () => {
    const secrets = Object.fromEntries(
      objects.filter(({ kind }) => kind === 'Secret').map(({ metadata, stringData }) => [metadata.name, stringData]),
    );
    const settings = objects.find(({ metadata }) => metadata.name === 'settings').data as Record<string, string>;
    const asked = Object.values(settings).filter((value) => value.startsWith('/run/secrets/creator-hq/'));
    expect(asked.length).toBeGreaterThan(5);
    for (const file of asked) expect(secrets['creator-hq']).toHaveProperty(path.basename(file));
    expect(secrets.nats).toHaveProperty(['password.conf'], 'password: "PASSWORD"');
  });
});

describe('Compose', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  let folder: string;
  let words: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'creator-hq-deploy-'));
    cpSync(path.join(deploy, 'make-secrets.sh'), path.join(folder, 'make-secrets.sh'));
    words = execFileSync('sh', ['make-secrets.sh'], { cwd: folder, encoding: 'utf8' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const secret = (name: string) => path.join(folder, 'secrets', name);

  test('every secret is made by the script, or named by it as the operator’s to write', () => {
    const made = globSync('*', { cwd: path.join(folder, 'secrets') });
    for (const { file } of Object.values(compose.secrets as Record<string, { file: string }>)) {
      expect(made.includes(path.basename(file)) || words.includes(path.basename(file)), file).toBe(true);
    }
    expect(words).toMatch(/meta_app_secret.+instagram_app_secret.+smtp_url/s);
  });

  test('secrets are for their owner only, and stay as they are when the script runs again', () => {
    const files = globSync('*', { cwd: path.join(folder, 'secrets') });
    const contents = files.map((file) => readFileSync(secret(file), 'utf8'));
    for (const file of ['.', ...files]) expect(statSync(secret(file)).mode & 0o077, file).toBe(0);
    execFileSync('sh', ['make-secrets.sh'], { cwd: folder });
    expect(files.map((file) => readFileSync(secret(file), 'utf8'))).toEqual(contents);
  });

  test('no secret is in the environment, and every service gets the files that its settings name', () => {
    for (const [name, service] of Object.entries<{ environment?: Record<string, string>; secrets?: string[] }>(
      compose.services,
    )) {
      for (const [setting, value] of Object.entries(service.environment ?? {})) {
        if (/SECRET|PASSWORD|KEY|TOKEN|_URL/.test(setting) && setting !== 'BASE_URL') {
          expect(setting, name).toMatch(/_FILE$/);
          expect(service.secrets, `${name} ${setting}`).toContain(path.basename(value));
        }
      }
    }
  });

  test('the program’s database login is no superuser, migrates and works; the superuser has no password', {
    timeout: 120_000,
  }, async () => {
    const dataDir = path.join(folder, 'data');
    const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
    const superuser = new pg.Client(server.connectionString);
    await superuser.connect();
    try {
      // As the image leaves it: the built-in database has its login and roles already.
      await superuser.query('drop role creator_hq, creator_hq_app, creator_hq_engine');
      const url = readFileSync(secret('database_url'), 'utf8');
      expect(url).toMatch(/^postgres:\/\/creator_hq:[0-9a-f]{48}@postgres:5432\/creator_hq\n$/);
      await superuser.query(`alter role postgres password 'its own'`);
      const password = readFileSync(secret('database_password'), 'utf8').trim();
      const forPsql = read('make-login.sql');
      expect(forPsql).toContain('\\getenv password POSTGRES_PASSWORD\n');
      await superuser.query(forPsql.replace(/^\\.+$/m, '').replace(":'password'", `'${password}'`));
      const { rows } = await superuser.query(
        'select rolname, rolsuper, rolpassword is not null as password from pg_authid where rolcanlogin order by 1',
      );
      expect(rows).toEqual([
        { rolname: 'creator_hq', rolsuper: false, password: true },
        { rolname: 'postgres', rolsuper: true, password: false },
      ]);
      const connectionString = server.connectionString.replace('postgres@', 'creator_hq@');
      await migrate(connectionString);
      const db = connectDatabase({ connectionString, poolSizes: { app: 1, engine: 1 } });
      await expect(db.engine.selectFrom('users').selectAll().execute()).resolves.toEqual([]);
      await db.close();
    } finally {
      await superuser.end();
      await server.stop();
    }
  });

  /** With the paths that the containers mount it at. */
  async function checkNats(passwordLine: string): Promise<string> {
    const root = mkdtempSync(path.join(folder, 'nats-'));
    for (const place of ['etc/nats', 'run/secrets']) mkdirSync(path.join(root, place), { recursive: true });
    const version = execFileSync('nats-server', ['--version'], { encoding: 'utf8' });
    // Debian's is older than the image's: it does not know this yet.
    const config = /v2\.[0-9]\./.test(version)
      ? read('nats.conf').replace(/^ +sync_interval.*$/m, '')
      : read('nats.conf');
    writeFileSync(path.join(root, 'etc/nats/nats.conf'), config);
    writeFileSync(path.join(root, 'run/secrets/nats_password.conf'), passwordLine);
    const { stderr } = await promisify(execFile)('nats-server', ['-t', '-c', 'etc/nats/nats.conf'], {
      cwd: root,
      env: { ...process.env, HOSTNAME: 'nats-1' },
    });
    return stderr;
  }

  test.skipIf(inject('natsUrl') === null)('NATS reads the password that was made, whatever it looks like', async () => {
    const line = readFileSync(secret('nats_password.conf'), 'utf8');
    expect(line).toMatch(/^password: "[0-9a-f]{48}"\n$/);
    // Hex that NATS takes for a number, a size or a power where it stands without quotes.
    for (const odd of ['1'.repeat(48), `${'1'.repeat(47)}e`, `12e${'3'.repeat(45)}`, `0${'9'.repeat(46)}b`]) {
      expect(await checkNats(line.replace(/"[0-9a-f]+"/, `"${odd}"`))).toContain('is valid');
    }
    await expect(checkNats(`password: ${'1'.repeat(17)}\n`)).rejects.toThrow();
  });
});

describe('the image', () => {
  test('carries no simulator and no test, and runs as production', () => {
    const final = read('Dockerfile')
      .split(/^FROM /m)
      .at(-1)!;
    const copied = [...final.matchAll(/^COPY (?:--from=build )?(.+) \S+$/gm)].flatMap(([, from]) => from!.split(' '));
    expect(
      copied.filter(
        (from) =>
          !/^(package(-lock)?\.json|contract|server|scripts\/[\w-]+\.\w+|wordpress-plugin|\/app\/dist\/(web|form|shop-button))$/.test(
            from,
          ),
      ),
    ).toEqual([]);
    expect(final).toContain('NODE_ENV=production');
    const ignored = readFileSync(path.join(deploy, '../.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['**/*.test.ts', '**/testing', 'wordpress-plugin/tests']));
  });

  test('carries what its commands need, and its build everything that npm counts as optional', () => {
    const dockerfile = read('Dockerfile');
    const [build, final] = dockerfile.split(/^FROM /m).slice(1) as [string, string];
    expect(build).toContain('--include=optional');
    for (const script of ['run.mjs', 'admin.ts', 'rotate-keys.ts']) expect(final).toContain(`scripts/${script}`);
    const needed = ['admin.ts', 'rotate-keys.ts'].flatMap((script) =>
      [...readFileSync(path.join(import.meta.dirname, script), 'utf8').matchAll(/from '\.\/([\w-]+\.ts)'/g)].map(
        ([, file]) => file!,
      ),
    );
    for (const file of needed) expect(final).toContain(`scripts/${file}`);
  });
});
