/** A simulator for one test, and Stripe's own library in front of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { type StripeSimulator, startStripeSimulator } from './main.ts';

export const START_S = Date.UTC(2027, 0, 15, 12) / 1000;
export const DAY_S = 86_400;

export type StripeWorld = StripeSimulator & {
  stripe: Stripe;
  /** A price of a product of its own, in cents. */
  price(cents: number, interval?: 'month' | 'year'): Promise<Stripe.Price>;
  /** A customer whose card is this one. */
  customer(card?: string): Promise<Stripe.Customer>;
  /** Fills in a hosted page and sends it. @returns where it leads, or what it says */
  submit(
    url: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; location: string | null; text: string }>;
};

export async function startStripeWorld(startMs = START_S * 1000): Promise<StripeWorld> {
  const simulator = await startStripeSimulator({ startMs });
  const { hostname, port } = new URL(simulator.url);
  const stripe = new Stripe(simulator.secretKey, {
    ...{ host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 },
  });
  return {
    ...simulator,
    stripe,
    async price(cents, interval = 'month') {
      return stripe.prices.create({
        ...{ unit_amount: cents, currency: 'usd', recurring: { interval }, product_data: { name: `Plan of ${cents}` } },
      });
    },
    async customer(card = 'pm_card_visa') {
      const customer = await stripe.customers.create({ email: 'anna@example.com', name: 'Anna' });
      const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
      return stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
    },
    async submit(url, fields) {
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
    },
  };
}

/** Hears what the simulator tells, and answers with `status`. */
export async function startListener() {
  const got: { path: string; body: string; signature: string }[] = [];
  const listener = { got, status: 200, url: '', close };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    got.push({ path: request.url!, body, signature: String(request.headers['stripe-signature']) });
    response.writeHead(listener.status).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  listener.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function close() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return listener;
}
