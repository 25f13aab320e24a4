import type { SettingsReader } from '#server/settings-reader.ts';

export type StripeSettings = {
  secretKey: string;
  /** Null: Stripe's own. */
  url: string | null;
  /** Of the endpoint `/webhooks/stripe/platform`; several while one is changed. */
  webhookSecrets: string[];
  /** Of `/webhooks/stripe/connect`, to which what happens in creators' own accounts is told. */
  connectSecrets: string[];
  /** Stripe computes taxes and adds them. */
  hasTax: boolean;
  /** Real money. */
  isLive: boolean;
  /** Money of the simulator that this program brings, which forgets all when it ends. */
  isPlayed: boolean;
};

/** `plans`: for what creators pay; `fans`: for what is paid to creators. Null: nobody can. */
export type StripeUses = { plans: StripeSettings | null; fans: StripeSettings | null };

/** @param fanMemberships whether readers can be members */
export function readStripeSettings(read: SettingsReader, baseUrl: string, fanMemberships: boolean): StripeUses {
  const secretKey = read.secret('STRIPE_SECRET_KEY', 16);
  const url = read.optionalWebAddress('STRIPE_API_URL');
  const webhookSecrets = secretsIn(read, 'STRIPE_WEBHOOK_SECRETS');
  const connectSecrets = secretsIn(read, 'STRIPE_CONNECT_WEBHOOK_SECRETS');
  const billing = read.oneOf('BILLING', 'auto', ['auto', 'on', 'off']);
  const hasTax = read.oneOf('STRIPE_TAX', 'off', ['off', 'on']) === 'on';
  if (secretKey === null && billing === 'on') {
    read.refuse('BILLING', 'is on without a key of Stripe.', 'Set STRIPE_SECRET_KEY, or leave BILLING out.');
  }
  if (secretKey === null || (billing === 'off' && !fanMemberships)) return { plans: null, fans: null };
  const [, mode] = /^[rs]k_(live|test)_/.exec(secretKey) ?? [];
  if (mode === undefined) {
    read.refuse(
      'STRIPE_SECRET_KEY',
      'is not a key of Stripe.',
      'Use one that begins with rk_live_, sk_live_, rk_test_ or sk_test_.',
    );
  }
  if (mode === 'live' && !baseUrl.startsWith('https:')) {
    read.refuse(
      'STRIPE_SECRET_KEY',
      'is a live key, and BASE_URL begins with http:.',
      'Serve the program over https, or use a test key.',
    );
  }
  if (billing !== 'off') refuseWithout(read, 'STRIPE_WEBHOOK_SECRETS', webhookSecrets);
  if (fanMemberships) refuseWithout(read, 'STRIPE_CONNECT_WEBHOOK_SECRETS', connectSecrets);
  const isLive = mode === 'live';
  const settings = { secretKey, url, webhookSecrets, connectSecrets, hasTax, isLive, isPlayed: false };
  return { plans: billing === 'off' ? null : settings, fans: fanMemberships ? settings : null };
}

function secretsIn(read: SettingsReader, name: string): string[] {
  return (read.text(name) ?? '').split(',').flatMap((part) => part.trim() || []);
}

function refuseWithout(read: SettingsReader, name: string, secrets: string[]): void {
  if (secrets.length > 0 && secrets.every((secret) => secret.startsWith('whsec_'))) return;
  read.refuse(
    name,
    'does not have the secret of the webhook endpoint.',
    'Copy it from Stripe, as in whsec_…; two with a comma between them while one is changed.',
  );
}
