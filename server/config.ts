/**
 * The only reader of the environment. Raw values become one checked object; a bad start lists every problem with its
 * remedy at once. Any setting may come from a file: `NAME_FILE=/run/secrets/name`. `docs/configuration.md` lists all.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Role = 'web' | 'worker';

export type Config = {
  environment: string;
  roles: Role[];
  host: string;
  port: number;
  /** Where people reach us, without a slash at the end. */
  baseUrl: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** The event log on NATS JetStream; null: a table of the database. */
  nats: { url: string; stream: string; replicas: number; maxBytes: number } | null;
  /** Signs sessions and links. Null: made at the first start and kept in `dataDir`. */
  secretKey: string | null;
  /** First one encrypts, all decrypt. Null: made at the first start and kept in `dataDir`. */
  encryptionKeys: { id: string; key: Buffer }[] | null;
  /** Admins have an admin's rights with two-step login only. */
  adminsNeedTwoStep: boolean;
  /** How many proxies stand before us and may be believed about the caller's address. */
  trustedProxies: number;
  /** Who may create an account: everybody, whoever was invited, or nobody. */
  signUp: 'open' | 'invited' | 'closed';
  logLevel: string;
  smtpUrl: string | null;
  mailFrom: string;
  /** Outgoing webhooks may go to private addresses. */
  privateWebhooks: boolean;
  /** Links of automations are looked at, so that a broken one is told of. */
  linkGuard: boolean;
  simulators: boolean;
  /** `SIMULATORS` is spelled out. */
  simulatorsChosen: boolean;
  /** Somebody tries the program on a machine of their own: the demo, its phone and the mailbox are open there. */
  trying: boolean;
  simulatorPort: number;
  /** A simulator that runs already, shared by several processes; null: this process brings its own. */
  simulatorUrl: string | null;
  meta: {
    appId: string | null;
    appSecret: string | null;
    verifyToken: string | null;
    instagramAppId: string | null;
    instagramAppSecret: string | null;
    /** What Meta's signatures may still be made with while a secret is changed. */
    oldAppSecrets: string[];
    graphVersion: string;
    /** A configuration of Facebook Login for Business: it names the permissions in place of a list of ours. */
    loginConfigId: string | null;
    graphUrl: string;
    dialogUrl: string;
    instagramGraphUrl: string;
    instagramApiUrl: string;
    instagramDialogUrl: string;
  };
  /** Meta allows this app a person's own answer for seven days (the Human Agent permission). */
  metaHumanAgent: boolean;
  limits: { privateRepliesPerHour: number; publicRepliesPerHour: number; messagesPerSecond: number };
  /** The most calls of the API that one person makes; a token makes half of it. */
  apiCalls: { perSecond: number; atOnce: number };
  featureFlagClientId: string | null;
  /** Live chat; the secret signs the user hash. */
  intercom: { appId: string; secret: string } | null;
  tagManagerId: string | null;
  referralProgrammeUrl: string | null;
  helpDocsUrl: string;
  /** The WordPress plugin: the version that should be installed, and where it is to be had. */
  plugin: { version: string | null; downloadUrl: string | null };
  errorReportingDsn: string | null;
  /** Where holes are reported to, for `/.well-known/security.txt`; null: that page is not there. */
  securityContact: string | null;
  /** The endpoint for Prometheus, on a port of its own; null: none. */
  metrics: { port: number; host: string; token: string | null } | null;
  /** An OpenTelemetry collector that takes metrics and traces; null: none. */
  otlp: {
    /** Without a slash at the end; `/v1/metrics` and `/v1/traces` come behind it. */
    endpoint: string;
    headers: Record<string, string>;
    serviceName: string;
    resource: Record<string, string>;
    metrics: boolean;
    metricsEveryMs: number;
    traces: boolean;
    /** The share of webhooks that are traced, 0 to 1. */
    sampled: number;
  } | null;
  /** For how many days what is kept; docs/privacy.md. Creators may choose less for the first three. */
  keep: {
    historyDays: number;
    textsDays: number;
    webhookLogDays: number;
    parkedEventsDays: number;
    auditLogDays: number;
    storyPicturesDays: number;
  };
};

export type ConfigProblem = { setting: string; problem: string; remedy: string };

export class ConfigError extends Error {
  readonly problems: ConfigProblem[];
  constructor(problems: ConfigProblem[]) {
    super(
      [
        'Creator HQ cannot start with these settings:',
        ...problems.map((p) => `  ${p.setting}: ${p.problem}\n    ${p.remedy}`),
      ].join('\n'),
    );
    this.problems = problems;
  }
}

/** Reads and checks all settings. Throws `ConfigError` naming every problem. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: ConfigProblem[] = [];
  const read = new SettingsReader(env, problems);

  const port = read.integer('PORT', 3000, 0, 65535);
  const baseUrl = read.webAddress('BASE_URL', `http://localhost:${port}`);
  const databaseUrl = read.text('DATABASE_URL');
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push({
      setting: 'DATABASE_URL',
      problem: 'is not a PostgreSQL address.',
      remedy:
        'Write it as postgres://user:password@host:5432/database, or leave it out to use the embedded PostgreSQL.',
    });
  }

  const natsUrl = read.text('NATS_URL');
  if (natsUrl !== null && !natsUrl.split(',').every((server) => /^(nats|tls):\/\/\S+$/.test(server.trim()))) {
    problems.push({
      setting: 'NATS_URL',
      problem: 'is not the address of a NATS server.',
      remedy: 'Write it as nats://user:password@host:4222, several of one cluster with commas between them.',
    });
  }
  const nats = {
    stream: read.matching('NATS_STREAM', 'creator-hq', /^[\w-]{1,64}$/, 'Use letters, digits, - and _.'),
    replicas: read.integer('NATS_REPLICAS', 3, 1, 5),
    maxBytes: read.integer('NATS_MAX_MB', 4096, 16, 1_000_000) * 1024 ** 2,
  };

  const meta = {
    appId: read.text('META_APP_ID'),
    appSecret: read.text('META_APP_SECRET'),
    verifyToken: read.text('META_VERIFY_TOKEN'),
    instagramAppId: read.text('INSTAGRAM_APP_ID'),
    instagramAppSecret: read.text('INSTAGRAM_APP_SECRET'),
    loginConfigId: read.text('META_LOGIN_CONFIG_ID'),
    oldAppSecrets: (read.text('META_OLD_APP_SECRETS') ?? '').split(/[\s,]+/).filter((secret) => secret !== ''),
    graphVersion: read.matching('META_GRAPH_VERSION', 'v27.0', /^v\d+\.\d+$/, 'Write it like v27.0.'),
    graphUrl: read.webAddress('META_GRAPH_URL', 'https://graph.facebook.com'),
    dialogUrl: read.webAddress('META_DIALOG_URL', 'https://www.facebook.com'),
    instagramGraphUrl: read.webAddress('INSTAGRAM_GRAPH_URL', 'https://graph.instagram.com'),
    instagramApiUrl: read.webAddress('INSTAGRAM_API_URL', 'https://api.instagram.com'),
    instagramDialogUrl: read.webAddress('INSTAGRAM_DIALOG_URL', 'https://www.instagram.com'),
  };
  const metaIsSet = meta.appId !== null || meta.instagramAppId !== null;
  const host = read.text('HOST') ?? '127.0.0.1';
  // Whoever reaches the demo is let in as its creator and reads every mail: never where strangers come.
  const isOwnMachine = isNearby(baseUrl) && isLoopback(host);
  const simulators = read.onOff('SIMULATORS', !metaIsSet && env.NODE_ENV !== 'production' && isOwnMachine);
  if (metaIsSet && !simulators) {
    read.pair('META_APP_ID', 'META_APP_SECRET', 'It stands in the Meta app dashboard under Settings > Basic.');
    read.pair(
      'INSTAGRAM_APP_ID',
      'INSTAGRAM_APP_SECRET',
      'It stands in the Meta app dashboard under Instagram > API setup with Instagram login.',
    );
    if (meta.verifyToken === null) {
      problems.push({
        setting: 'META_VERIFY_TOKEN',
        problem: 'is missing, so Meta cannot confirm the webhook address.',
        remedy: 'Choose any long random text and enter the same one in the Meta app dashboard under Webhooks.',
      });
    }
  }

  const config: Config = {
    environment: read.text('ENVIRONMENT') ?? env.NODE_ENV ?? 'development',
    roles: read.roles(),
    host,
    port,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl,
    nats: natsUrl === null ? null : { url: natsUrl, ...nats },
    secretKey: read.secret('SECRET_KEY', 32),
    encryptionKeys: read.encryptionKeys(),
    adminsNeedTwoStep: read.onOff('ADMINS_NEED_TWO_STEP', true),
    trustedProxies: read.integer('TRUSTED_PROXIES', 0, 0, 10),
    signUp: read.oneOf('SIGN_UP', isNearby(baseUrl) ? 'open' : 'invited', ['open', 'invited', 'closed']),
    logLevel: read.oneOf('LOG_LEVEL', 'warn', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    smtpUrl: read.smtpAddress(),
    mailFrom: read.text('MAIL_FROM') ?? 'Creator HQ <no-reply@localhost>',
    simulators,
    simulatorsChosen: read.text('SIMULATORS') !== null,
    trying: simulators && isOwnMachine,
    privateWebhooks: read.onOff('PRIVATE_WEBHOOKS', false),
    // What the simulated world links to is made up.
    linkGuard: read.onOff('LINK_GUARD', !simulators),
    metaHumanAgent: read.onOff('META_HUMAN_AGENT', false),
    simulatorPort: read.integer('SIMULATOR_PORT', port === 0 ? 0 : port + 1, 0, 65535),
    simulatorUrl: read.optionalWebAddress('SIMULATOR_URL'),
    meta,
    limits: {
      privateRepliesPerHour: read.integer('PRIVATE_REPLIES_PER_HOUR', 750, 1, 100_000_000),
      publicRepliesPerHour: read.integer('PUBLIC_REPLIES_PER_HOUR', 750, 1, 100_000_000),
      messagesPerSecond: read.integer('MESSAGES_PER_SECOND', 100, 1, 100_000),
    },
    apiCalls: {
      perSecond: read.integer('API_CALLS_PER_SECOND', 60, 1, 100_000),
      atOnce: read.integer('API_CALLS_AT_ONCE', 30, 1, 1000),
    },
    featureFlagClientId: read.text('FEATURE_FLAG_CLIENT_ID'),
    intercom: read.intercom(),
    tagManagerId: read.text('TAG_MANAGER_ID'),
    referralProgrammeUrl: read.optionalWebAddress('REFERRAL_PROGRAMME_URL'),
    helpDocsUrl: read.optionalWebAddress('HELP_DOCS_URL') ?? '/creator-hq/help',
    plugin: { version: read.text('PLUGIN_VERSION'), downloadUrl: read.optionalWebAddress('PLUGIN_DOWNLOAD_URL') },
    errorReportingDsn:
      read.matching(
        'ERROR_REPORTING_DSN',
        '',
        /^(https?:\/\/[^\s/@]+@[^\s/@]+(\/[^\s]*)?\/\d+)?$/,
        'Copy it from Sentry, Settings > Client Keys: https://KEY@HOST/PROJECT.',
      ) || null,
    securityContact:
      read.matching(
        'SECURITY_CONTACT',
        '',
        /^((mailto:|https:\/\/)[^\s]+)?$/,
        'Write it as mailto:security@example.com or https://example.com/report.',
      ) || null,
    metrics: read.metrics(),
    otlp: read.otlp(),
    keep: {
      historyDays: read.integer('KEEP_HISTORY_DAYS', 1095, 90, 3650),
      textsDays: read.integer('KEEP_TEXTS_DAYS', 730, 30, 3650),
      webhookLogDays: read.integer('KEEP_WEBHOOK_LOG_DAYS', 30, 1, 90),
      parkedEventsDays: read.integer('KEEP_PARKED_EVENTS_DAYS', 30, 1, 90),
      auditLogDays: read.integer('KEEP_AUDIT_LOG_DAYS', 730, 90, 3650),
      storyPicturesDays: read.integer('KEEP_STORY_PICTURES_DAYS', 365, 1, 3650),
    },
  };
  if (databaseUrl !== null && config.secretKey === null) {
    problems.push({
      setting: 'SECRET_KEY',
      problem: 'is missing. With a database of your own, every process must share one.',
      remedy: 'Make one with: openssl rand -base64 48',
    });
  }
  if (databaseUrl !== null && config.encryptionKeys === null) {
    problems.push({
      setting: 'ENCRYPTION_KEYS',
      problem: 'is missing. With a database of your own, every process must share them.',
      remedy: 'Make one with: echo "k1:$(openssl rand -base64 32)"',
    });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The settings of a start whose simulators were on by default only, and shall not be. */
export function withoutSimulators(config: Config): Config {
  return { ...config, simulators: false, trying: false };
}

function isNearby(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && isNearbyHost(new URL(baseUrl).hostname);
}

/**
 * This machine, or one of a private network.
 * @param hostname as `URL` gives it: lower case, IPv6 in brackets
 */
export function isNearbyHost(hostname: string): boolean {
  return /^((.+\.)?localhost|.+\.local|\[::1\]|(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+)+)$/.test(hostname);
}

/** An address to listen on that this machine alone reaches. */
function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|localhost|::1)$/.test(host);
}

class SettingsReader {
  private readonly env: NodeJS.ProcessEnv;
  private readonly problems: ConfigProblem[];

  constructor(env: NodeJS.ProcessEnv, problems: ConfigProblem[]) {
    this.env = env;
    this.problems = problems;
  }

  text(name: string): string | null {
    const value = this.env[name]?.trim() ?? '';
    const file = this.env[`${name}_FILE`]?.trim() ?? '';
    if (value !== '' && file !== '') {
      this.refuse(name, `is set twice, as ${name} and as ${name}_FILE.`, 'Keep one of the two.');
    }
    if (file === '') return value === '' ? null : value;
    if (!existsSync(file)) {
      this.refuse(`${name}_FILE`, `names ${file}, which is not there.`, 'Correct the path or remove the setting.');
      return null;
    }
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.refuse(
        `${name}_FILE`,
        `names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
        'Let the user that runs Creator HQ read it.',
      );
      return null;
    }
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    this.refuse(name, `is "${value}".`, `Write a whole number from ${least} to ${most}.`);
    return fallback;
  }

  onOff(name: string, fallback: boolean): boolean {
    const value = this.oneOf(name, fallback ? 'on' : 'off', ['on', 'off']);
    return value === 'on';
  }

  oneOf<T extends string>(name: string, fallback: T, choices: T[]): T {
    const value = this.text(name);
    if (value === null) return fallback;
    if (choices.includes(value as T)) return value as T;
    this.refuse(name, `is "${value}".`, `Choose one of: ${choices.join(', ')}.`);
    return fallback;
  }

  matching(name: string, fallback: string, pattern: RegExp, remedy: string): string {
    const value = this.text(name) ?? fallback;
    if (!pattern.test(value)) this.refuse(name, `is "${value}".`, remedy);
    return value;
  }

  webAddress(name: string, fallback: string): string {
    const value = this.text(name) ?? fallback;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      this.refuse(name, `is "${value}".`, 'Write a full web address, like https://hq.example.com.');
    }
    return value.replace(/\/+$/, '');
  }

  optionalWebAddress(name: string): string | null {
    return this.text(name) === null ? null : this.webAddress(name, '');
  }

  intercom(): Config['intercom'] {
    this.pair('INTERCOM_APP_ID', 'INTERCOM_SECRET', 'Both stand in Intercom under Settings > Messenger > Security.');
    const appId = this.text('INTERCOM_APP_ID');
    const secret = this.text('INTERCOM_SECRET');
    return appId !== null && secret !== null ? { appId, secret } : null;
  }

  secret(name: string, minLength: number): string | null {
    const value = this.text(name);
    if (value !== null && value.length < minLength) {
      this.refuse(
        name,
        `has ${value.length} characters.`,
        `Use at least ${minLength}, for example from: openssl rand -base64 48`,
      );
    }
    return value;
  }

  smtpAddress(): string | null {
    const value = this.text('SMTP_URL');
    if (value !== null && !/^smtps?:\/\//.test(value)) {
      this.refuse(
        'SMTP_URL',
        'is not a mail server address.',
        'Write it as smtp://user:password@host:587 or smtps://user:password@host:465.',
      );
    }
    return value;
  }

  roles(): Role[] {
    const value = this.text('ROLES') ?? 'web,worker';
    const roles = value.split(',').map((role) => role.trim());
    const known = roles.filter((role): role is Role => role === 'web' || role === 'worker');
    if (known.length !== roles.length || known.length === 0) {
      this.refuse('ROLES', `is "${value}".`, 'Write web, worker, or web,worker.');
    }
    return known;
  }

  encryptionKeys(): Config['encryptionKeys'] {
    const value = this.text('ENCRYPTION_KEYS');
    if (value === null) return null;
    return value.split(',').map((part) => {
      const [id = '', encoded = ''] = part.trim().split(/:(.*)/s);
      const key = Buffer.from(encoded, 'base64');
      if (!/^[a-z0-9-]{1,20}$/.test(id) || key.length !== 32) {
        this.refuse(
          'ENCRYPTION_KEYS',
          'has a part that is not a name and 32 bytes in base64.',
          'Make one with: echo "k1:$(openssl rand -base64 32)"; several are separated by commas, newest first.',
        );
      }
      return { id, key };
    });
  }

  metrics(): Config['metrics'] {
    const port = this.integer('METRICS_PORT', 0, 0, 65535);
    const host = this.text('METRICS_HOST') ?? '127.0.0.1';
    const token = this.secret('METRICS_TOKEN', 16);
    if (port === 0) return null;
    if (token === null && !isLoopback(host)) {
      this.refuse(
        'METRICS_TOKEN',
        'is missing although METRICS_HOST lets other machines reach the metrics.',
        'Make one with: openssl rand -hex 24; Prometheus sends it as a bearer token.',
      );
    }
    return { port, host, token };
  }

  /** The names are OpenTelemetry's own, so that one set of variables serves every program of a machine. */
  otlp(): Config['otlp'] {
    const endpoint = this.optionalWebAddress('OTEL_EXPORTER_OTLP_ENDPOINT');
    const isOff = this.oneOf('OTEL_SDK_DISABLED', 'false', ['true', 'false']) === 'true';
    this.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', ['http/json']);
    const share = Number(this.text('OTEL_TRACES_SAMPLER_ARG') ?? '0.01');
    if (!(share >= 0 && share <= 1)) {
      this.refuse('OTEL_TRACES_SAMPLER_ARG', 'is not a share.', 'Write a number from 0 to 1, like 0.01.');
    }
    const rest = {
      headers: this.list('OTEL_EXPORTER_OTLP_HEADERS'),
      serviceName: this.text('OTEL_SERVICE_NAME') ?? 'creator-hq',
      resource: this.list('OTEL_RESOURCE_ATTRIBUTES'),
      metrics: this.oneOf('OTEL_METRICS_EXPORTER', 'otlp', ['otlp', 'none']) === 'otlp',
      metricsEveryMs: this.integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 1000, 3_600_000),
      traces: this.oneOf('OTEL_TRACES_EXPORTER', 'otlp', ['otlp', 'none']) === 'otlp',
      sampled: share,
    };
    return endpoint === null || isOff ? null : { endpoint, ...rest };
  }

  /** `name=value,name=value`, percent-encoded. */
  private list(name: string): Record<string, string> {
    const parts = (this.text(name) ?? '').split(',').filter((part) => part.trim() !== '');
    try {
      return Object.fromEntries(
        parts.map((part) => {
          const [key = '', value] = part.split(/=(.*)/s);
          if (key.trim() === '' || value === undefined) throw new URIError();
          return [key.trim(), decodeURIComponent(value.trim())];
        }),
      );
    } catch {
      this.refuse(name, 'cannot be read.', 'Write it as name=value,name=value, with percent-encoded values.');
      return {};
    }
  }

  pair(id: string, secret: string, where: string): void {
    const hasId = this.text(id) !== null;
    const hasSecret = this.text(secret) !== null;
    if (hasId && !hasSecret) this.refuse(secret, `is missing although ${id} is set.`, where);
    if (!hasId && hasSecret) this.refuse(id, `is missing although ${secret} is set.`, where);
  }

  private refuse(setting: string, problem: string, remedy: string): void {
    this.problems.push({ setting, problem, remedy });
  }
}
