/** `npm run stripe -- conformance`: asks Stripe itself, with a test key, what the simulator is asked by its tests. Each difference belongs into simulators/stripe/DIFFERENCES.md. */
import Stripe from 'stripe';
import { CASES } from '#simulators/stripe/conformance.ts';

const [command] = process.argv.slice(2);
const key = process.env.STRIPE_SECRET_KEY ?? '';
if (command !== 'conformance') {
  console.error('Usage: STRIPE_SECRET_KEY=sk_test_… npm run stripe -- conformance');
  process.exit(2);
}
if (!/^[rs]k_test_/.test(key)) {
  console.error('Set STRIPE_SECRET_KEY to a test key (sk_test_…): the cases make customers and charge test cards.');
  process.exit(2);
}
const stripe = new Stripe(key, { telemetry: false });
let differ = 0;
for (const { name, run } of CASES) {
  const problem = await run(stripe).then(
    () => null,
    (error: Error) => error.message,
  );
  if (problem !== null) differ++;
  console.log(
    problem === null ? `ok      ${name}` : `differs ${name}\n        ${problem.replaceAll('\n', '\n        ')}`,
  );
}
console.log(`${CASES.length - differ} passed, ${differ} failed`);
process.exitCode = differ === 0 ? 0 : 1;
