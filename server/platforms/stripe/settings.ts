import type { SettingsReader } from '#server/settings-reader.ts';

export type StripeSettings = {
  secretKey: string;
  /** Null: Stripe's own. */
  url: string | null;
  /** Of the endpoint `/webhooks/stripe/platform`; several while one is changed. */
  webhookSecrets: string[];
  /** Stripe computes taxes and adds them. */
  hasTax: boolean;
  /** Real money. */
  isLive: boolean;
  /** Money of the simulator that this program brings, which forgets all when it ends. */
  isPlayed: boolean;
};

/** @returns null where nobody can pay: without a key, or with BILLING=off */
export function readStripeSettings(read: SettingsReader, baseUrl: string): StripeSettings | null {
  const secretKey = read.secret('STRIPE_SECRET_KEY', 16);
  const url = read.optionalWebAddress('STRIPE_API_URL');
  const webhookSecrets = (read.text('STRIPE_WEBHOOK_SECRETS') ?? '').split(',').flatMap((part) => part.trim() || []);
  const billing = read.oneOf('BILLING', 'auto', ['auto', 'on', 'off']);
  const hasTax = read.oneOf('STRIPE_TAX', 'off', ['off', 'on']) === 'on';
  if (secretKey === null && billing === 'on') {
    read.refuse('BILLING', 'is on without a key of Stripe.', 'Set STRIPE_SECRET_KEY, or leave BILLING out.');
  }
  if (secretKey === null || billing === 'off') return null;
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
  if (webhookSecrets.length === 0 || !webhookSecrets.every((secret) => secret.startsWith('whsec_'))) {
    read.refuse(
      'STRIPE_WEBHOOK_SECRETS',
      'does not have the secret of the webhook endpoint.',
      'Copy it from Stripe, as in whsec_…; two with a comma between them while one is changed.',
    );
  }
  return { secretKey, url, webhookSecrets, hasTax, isLive: mode === 'live', isPlayed: false };
}
