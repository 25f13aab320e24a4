import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFree, priceLabel } from '#contract/plans.ts';
import { listPlans } from '#contract/settings.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('plans are listed cheapest first, with what they cost and give', async () => {
  const anna = await app.signUpAndIn();
  const { status, body } = await anna.call(listPlans);
  expect(status).toBe(200);
  expect(
    body.items.map((plan: { productId: string; name: string; price: Record<string, number> }) => [
      plan.productId,
      isFree(plan),
      priceLabel(plan.price, 'month'),
    ]),
  ).toEqual([
    ['free-plan', true, 'Free'],
    ['creator-plan', false, '$29.00'],
    ['studio-plan', false, '$79.00'],
  ]);
  for (const plan of body.items) {
    expect(plan.tagline).not.toBe('');
    expect(plan.features).not.toEqual([]);
  }
});

test('plans are for people signed in', async () => {
  expect((await app.visitor().call(listPlans)).status).toBe(401);
});
