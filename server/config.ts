/**
 * The only reader of the environment; what belongs to a platform stands in the settings.ts of its folder. Raw
 * values become one checked object; a bad start lists every problem with its remedy at once. Any setting may come from a file: `NAME_FILE=/run/secrets/name`. `docs/configuration.md` lists all, `docs/email.md` those of email.
 */
import { resolve } from 'node:path';
import { type ObservabilitySettings, readObservabilitySettings } from '#server/observability/settings.ts';
import { type DnsSettings, readDnsSettings } from '#server/platforms/dns/settings.ts';
import { type MailSettings, readMailSettings } from '#server/platforms/email/settings.ts';
import { isMetaSet, type MetaSettings, readMetaSettings, requireMetaSecrets } from '#server/platforms/meta/settings.ts';
import { type KitSettings, readKitSettings } from '#server/platforms/newsletter-tools/settings.ts';
import { readShopsSettings, type ShopsSettings } from '#server/platforms/shops/settings.ts';
import { readStripeSettings, type StripeSettings } from '#server/platforms/stripe/settings.ts';
import { readWordPressSettings, type WordPressSettings } from '#server/platforms/wordpress/settings.ts';
import { type ConfigProblem, isLoopback, SettingsReader } from '#server/settings-reader.ts';

export type Role = 'web' | 'worker';

export type Config = MetaSettings &
  MailSettings &
  DnsSettings &
  ObservabilitySettings &
  WordPressSettings & {
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
    /** The most calls of the API that one person makes; a token makes half of it. */
    apiCalls: { perSecond: number; atOnce: number };
    kit: KitSettings;
    /** Null: Mailchimp's own, which the key names. */
    mailchimpUrl: string | null;
    shops: ShopsSettings;
    /** Null: nothing has to be paid here. */
    /** For plans that creators pay for. */
    stripe: StripeSettings | null;
    /** For memberships that readers pay creators for. */
    fanStripe: StripeSettings | null;
    /** So many days from the first payment a plan can be given back. */
    /** Whether readers can be members of a creator. */
    fanMemberships: boolean;
    /** What we take of each payment of a member. */
    membershipFeePercent: number;
    refundDays: number;
    /** Null: none is brought. */
    stripeSimulatorPort: number | null;
    /** A file of rules by which links open apps; null: those that are built in. */
    openingRules: string | null;
    /** With it a proxy on another machine may ask which hosts are creators' own. */
    domainsAskToken: string | null;
    featureFlagClientId: string | null;
    /** Live chat; the secret signs the user hash. */
    intercom: { appId: string; secret: string } | null;
    tagManagerId: string | null;
    referralProgrammeUrl: string | null;
    helpDocsUrl: string;
    /** Where holes are reported to, for `/.well-known/security.txt`; null: that page is not there. */
    securityContact: string | null;
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
  const fanMemberships = read.onOff('FAN_MEMBERSHIPS', false);
  const stripe = readStripeSettings(read, baseUrl, fanMemberships);
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

  const meta = readMetaSettings(read);
  const host = read.text('HOST') ?? '127.0.0.1';
  // The demo lets anybody in as its creator, who reads every mail: never where strangers come.
  const isOwnMachine = isNearby(baseUrl) && isLoopback(host);
  const simulators = read.onOff('SIMULATORS', !isMetaSet(meta) && env.NODE_ENV !== 'production' && isOwnMachine);
  if (isMetaSet(meta) && !simulators) requireMetaSecrets(read, meta);

  const config: Config = {
    ...meta,
    ...readMailSettings(read),
    ...readDnsSettings(read),
    ...readObservabilitySettings(read),
    ...readWordPressSettings(read, baseUrl.replace(/\/+$/, '')),
    environment: read.text('ENVIRONMENT') ?? env.NODE_ENV ?? 'development',
    roles: readRoles(read),
    host,
    port,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl,
    nats: natsUrl === null ? null : { url: natsUrl, ...nats },
    secretKey: read.secret('SECRET_KEY', 32),
    encryptionKeys: readEncryptionKeys(read),
    adminsNeedTwoStep: read.onOff('ADMINS_NEED_TWO_STEP', true),
    trustedProxies: read.integer('TRUSTED_PROXIES', 0, 0, 10),
    signUp: read.oneOf('SIGN_UP', isNearby(baseUrl) ? 'open' : 'invited', ['open', 'invited', 'closed']),
    logLevel: read.oneOf('LOG_LEVEL', 'warn', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    simulators,
    simulatorsChosen: read.text('SIMULATORS') !== null,
    trying: simulators && isOwnMachine,
    privateWebhooks: read.onOff('PRIVATE_WEBHOOKS', false),
    // Links in the simulated world are made up.
    linkGuard: read.onOff('LINK_GUARD', !simulators),
    simulatorPort: read.integer('SIMULATOR_PORT', port === 0 ? 0 : port + 1, 0, 65535),
    simulatorUrl: read.optionalWebAddress('SIMULATOR_URL'),
    apiCalls: {
      perSecond: read.integer('API_CALLS_PER_SECOND', 60, 1, 100_000),
      atOnce: read.integer('API_CALLS_AT_ONCE', 30, 1, 1000),
    },
    kit: readKitSettings(read),
    mailchimpUrl: read.optionalWebAddress('MAILCHIMP_URL'),
    shops: readShopsSettings(read),
    stripe: stripe.plans,
    fanStripe: stripe.fans,
    fanMemberships,
    membershipFeePercent: read.integer('MEMBERSHIP_FEE_PERCENT', 0, 0, 30),
    refundDays: read.integer('REFUND_DAYS', 14, 0, 90),
    stripeSimulatorPort:
      read.text('BILLING') === 'off'
        ? null
        : read.integer('STRIPE_SIMULATOR_PORT', port === 0 ? 0 : port + 5, 0, 65535),
    openingRules: read.text('OPENING_RULES'),
    domainsAskToken: read.text('DOMAINS_ASK_TOKEN'),
    featureFlagClientId: read.text('FEATURE_FLAG_CLIENT_ID'),
    intercom: readIntercom(read),
    tagManagerId: read.text('TAG_MANAGER_ID'),
    referralProgrammeUrl: read.optionalWebAddress('REFERRAL_PROGRAMME_URL'),
    helpDocsUrl: read.optionalWebAddress('HELP_DOCS_URL') ?? '/creator-hq/help',
    securityContact:
      read.matching(
        'SECURITY_CONTACT',
        '',
        /^((mailto:|https:\/\/)[^\s]+)?$/,
        'Write it as mailto:security@example.com or https://example.com/report.',
      ) || null,
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

function readRoles(read: SettingsReader): Role[] {
  const value = read.text('ROLES') ?? 'web,worker';
  const roles = value.split(',').map((role) => role.trim());
  const known = roles.filter((role): role is Role => role === 'web' || role === 'worker');
  if (known.length !== roles.length || known.length === 0) {
    read.refuse('ROLES', `is "${value}".`, 'Write web, worker, or web,worker.');
  }
  return known;
}

function readEncryptionKeys(read: SettingsReader): Config['encryptionKeys'] {
  const value = read.text('ENCRYPTION_KEYS');
  if (value === null) return null;
  return value.split(',').map((part) => {
    const [id = '', encoded = ''] = part.trim().split(/:(.*)/s);
    const key = Buffer.from(encoded, 'base64');
    if (!/^[a-z0-9-]{1,20}$/.test(id) || key.length !== 32) {
      read.refuse(
        'ENCRYPTION_KEYS',
        'has a part that is not a name and 32 bytes in base64.',
        'Make one with: echo "k1:$(openssl rand -base64 32)"; several are separated by commas, newest first.',
      );
    }
    return { id, key };
  });
}

function readIntercom(read: SettingsReader): Config['intercom'] {
  read.pair('INTERCOM_APP_ID', 'INTERCOM_SECRET', 'Both stand in Intercom under Settings > Messenger > Security.');
  const appId = read.text('INTERCOM_APP_ID');
  const secret = read.text('INTERCOM_SECRET');
  return appId !== null && secret !== null ? { appId, secret } : null;
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
