/** The simulator as its own process: `node simulators/meta/main.ts --port 4020 --state FILE`. Prints one JSON line when it listens. */
import { parseArgs } from 'node:util';
import { seedDemo } from './demo/world.ts';
import { startMetaSimulator } from './simulator.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    state: { type: 'string' },
    seed: { type: 'string' },
    clock: { type: 'string' },
    'webhook-url': { type: 'string' },
    ledger: { type: 'string' },
    'lift-limits': { type: 'boolean', default: false },
    'accept-unknown-comments': { type: 'boolean', default: false },
    /** With The Golden Spoon, its posts and followers, drawn. */
    demo: { type: 'boolean', default: false },
  },
});

const simulator = await startMetaSimulator({
  port: Number(values.port),
  ...(values.state === undefined ? {} : { stateFile: values.state }),
  ...(values.seed === undefined ? {} : { seed: values.seed }),
  ...(values.clock === undefined ? {} : { clock: values.clock }),
  ...(values['webhook-url'] === undefined ? {} : { webhookUrl: values['webhook-url'] }),
  ...(values.demo ? { pictures: (await import('./demo/pictures.ts')).demoPicture } : {}),
  ledger: values.ledger === 'compact' ? 'compact' : 'full',
  settings: {
    limits: { lifted: values['lift-limits'] },
    switches: { acceptUnknownComments: values['accept-unknown-comments'] },
  },
});
if (values.demo) await seedDemo(simulator.control);
process.stdout.write(
  `${JSON.stringify({ url: simulator.url, baseUrls: simulator.baseUrls, environment: simulator.environment })}\n`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void simulator.close().then(() => process.exit(0)));
}
