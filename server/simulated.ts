/** The demo: Meta and a blog played by simulators, and a creator with posts, followers and an account to connect. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from '#server/config.ts';
import type { StripeSettings } from '#server/platforms/stripe/settings.ts';
import { type Kit, startKit } from '#simulators/kit/kit.ts';
import { type AppView, MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import { demoPicture } from '#simulators/meta/demo/pictures.ts';
import { type DemoWorld, findDemo, seedDemo } from '#simulators/meta/demo/world.ts';
import { type BaseUrls, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { type ShopsSimulator, startShopsSimulator } from '#simulators/shops/main.ts';
import { startStripeSimulator } from '#simulators/stripe/main.ts';
import { startAmazonWeb } from '#simulators/web/amazon/amazon.ts';
import { type Blog, startBlog } from '#simulators/web/blog/blog.ts';

export type Simulated = {
  config: Config;
  control: MetaSimulatorControl;
  /** Null: it is to be made with a past; see `server/demo/make-demo.ts`. */
  world: DemoWorld | null;
  /** Writes down all that the simulator knows. */
  save(): void;
  phoneUrl: string;
  /** The demo creator's blog; null where the simulators run elsewhere. */
  blog: Blog | null;
  /** Hosts that a simulator answers for; see `createGuardedFetch`. */
  hosts: ReadonlyMap<string, string>;
  close(): Promise<void>;
};

/**
 * Starts the simulator, or finds the one of SIMULATOR_URL, and points the settings at it.
 *
 * @param options.past where there is no demo yet, it is made with one
 */
export function startSimulated(config: Config, { past }: { past: boolean }): Promise<Simulated> {
  return config.simulatorUrl === null ? startHere(config, past) : findElsewhere(config, config.simulatorUrl);
}

/** There while the demo is made: a half-made demo is made again. */
export const beingMadeFile = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'simulators', 'demo-being-made');

/** Its world is kept in the data folder. */
async function startHere(config: Config, past: boolean): Promise<Simulated> {
  const stateFile = join(config.dataDir, 'simulators', 'meta.json');
  if (existsSync(beingMadeFile(config))) await rm(stateFile, { force: true });
  const simulator = await startMetaSimulator({
    port: config.simulatorPort,
    stateFile,
    webhookUrl: `http://127.0.0.1:${config.port}/webhooks/meta`,
    pictures: demoPicture,
  });
  await simulator.control.updateApp({
    deauthorizeUrl: `http://127.0.0.1:${config.port}/webhooks/meta/deauthorize`,
    dataDeletionUrl: `http://127.0.0.1:${config.port}/webhooks/meta/data-deletion`,
  });
  const blog = await startBlogNear(config);
  const kit = config.kit.isDefault ? await startKitNear(config) : null;
  const amazon = await startAmazonWeb();
  const shops = config.shops.instacart.isDefault ? await startShopsNear(config) : null;
  const { port, stripeSimulatorPort } = config;
  const playsMoney = config.stripe === null && stripeSimulatorPort !== null;
  const stripe = playsMoney ? await startStripeNear(port, stripeSimulatorPort) : null;
  const world = past ? await findDemo(simulator.control) : await seedDemo(simulator.control);
  return {
    control: simulator.control,
    world,
    save: () => simulator.save(),
    phoneUrl: `${simulator.url}/phone/`,
    blog,
    hosts: amazon.hosts,
    config: {
      ...pointedAt(config, simulator.app, simulator.baseUrls),
      ...(kit !== null && { kit: { ...config.kit, url: kit.url, app: kit.app } }),
      ...(stripe !== null && { stripe: stripe.settings, fanStripe: config.fanMemberships ? stripe.settings : null }),
      ...(shops !== null && {
        shops: { ...config.shops, instacart: { url: shops.url, apiKey: shops.apiKey, isDefault: true } },
      }),
    },
    close: async () => {
      await blog.close();
      await amazon.close();
      await kit?.close();
      await shops?.close();
      await stripe?.close();
      await simulator.close();
    },
  };
}

/** On the port after the simulator's, or on any where that one is taken. */
async function startBlogNear({ port, simulatorPort }: Config): Promise<Blog> {
  const hubUrl = `http://127.0.0.1:${port}`;
  if (simulatorPort === 0) return startBlog({ hubUrl });
  return startBlog({ hubUrl, port: simulatorPort + 1 }).catch(() => startBlog({ hubUrl }));
}

/** On the port after the blog's. */
async function startKitNear({ simulatorPort }: Config): Promise<Kit> {
  if (simulatorPort === 0) return startKit();
  return startKit({ port: simulatorPort + 2 }).catch(() => startKit());
}

/** On the port after Kit's. */
async function startShopsNear({ simulatorPort, dataDir }: Config): Promise<ShopsSimulator> {
  const stateFile = join(dataDir, 'simulators', 'shops.json');
  if (simulatorPort === 0) return startShopsSimulator({ stateFile });
  return startShopsSimulator({ port: simulatorPort + 3, stateFile }).catch(() => startShopsSimulator({ stateFile }));
}

/** It forgets when it ends, and so does our copy of it: see `forgetStripe`. */
async function startStripeNear(port: number, ownPort: number) {
  const simulator = await startStripeSimulator({ port: ownPort }).catch(() => startStripeSimulator());
  const { url, secretKey } = simulator;
  const hub = `http://127.0.0.1:${port}/webhooks/stripe`;
  const listen = async <Answer>(path: string, body: URLSearchParams | string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${secretKey}` };
    return (await (await fetch(`${url}${path}`, { method: 'POST', headers, body })).json()) as Answer;
  };
  const endpoint = async (at: string, connect: boolean) => {
    const body = new URLSearchParams({ url: hub + at, 'enabled_events[0]': '*', connect: `${connect}` });
    return (await listen<{ secret: string }>('/v1/webhook_endpoints', body)).secret;
  };
  const { webhook_endpoint: thin } = await listen<{ webhook_endpoint: { signing_secret: string } }>(
    '/v2/core/event_destinations',
    JSON.stringify({
      ...{ name: 'Creator HQ', type: 'webhook_endpoint', event_payload: 'thin', enabled_events: ['*'] },
      ...{ webhook_endpoint: { url: `${hub}/connect` }, include: ['webhook_endpoint.signing_secret'] },
    }),
  );
  const settings: StripeSettings = {
    secretKey,
    url,
    webhookSecrets: [await endpoint('/platform', false)],
    connectSecrets: [await endpoint('/connect', true), thin.signing_secret],
    hasTax: false,
    isLive: false,
    isPlayed: true,
  };
  return { settings, close: () => simulator.close() };
}

/** One that all processes share; where its addresses are is in the settings already. */
async function findElsewhere(config: Config, url: string): Promise<Simulated> {
  const control = new MetaSimulatorControl(url);
  const world = await findDemo(control);
  if (world === null) {
    throw new ConfigError([
      {
        setting: 'SIMULATOR_URL',
        problem: `names a simulator without the demo (${url}).`,
        remedy: 'Start it with: node simulators/meta/main.ts --demo --port 3001',
      },
    ]);
  }
  const facts = { control, world, phoneUrl: `${url}/phone/`, blog: null, hosts: new Map<string, string>(), config };
  return { ...facts, save: () => {}, close: async () => {} };
}

function pointedAt(config: Config, app: Readonly<AppView>, baseUrls: BaseUrls): Config {
  return {
    ...config,
    meta: {
      ...config.meta,
      appId: app.metaAppId,
      appSecret: app.metaAppSecret,
      verifyToken: app.verifyToken,
      instagramAppId: app.instagramAppId,
      instagramAppSecret: app.instagramAppSecret,
      graphUrl: baseUrls.META_GRAPH_URL,
      dialogUrl: baseUrls.META_DIALOG_URL,
      instagramGraphUrl: baseUrls.INSTAGRAM_GRAPH_URL,
      instagramApiUrl: baseUrls.INSTAGRAM_API_URL,
      instagramDialogUrl: baseUrls.INSTAGRAM_DIALOG_URL,
    },
  };
}
