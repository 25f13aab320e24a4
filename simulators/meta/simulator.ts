import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ControlApi } from './control/api.ts';
import type { AppView, LedgerMode, SettingsPatch } from './control/types.ts';
import { MetaSimulatorControl } from './control-client.ts';
import { Faults } from './faults/faults.ts';
import type { MetaPlatform } from './graph/platform.ts';
import { GraphRouter } from './graph/router.ts';
import { createMetaServer } from './http/server.ts';
import { type Pictures, StaticPages } from './http/static-pages.ts';
import { Ledger } from './ledger/ledger.ts';
import { Rates } from './limits/rates.ts';
import { Clock } from './state/clock.ts';
import { defaultApp, defaultSettings } from './state/settings.ts';
import { SnapshotFile } from './state/snapshot-file.ts';
import { World } from './state/world.ts';
import { WebhookDelivery } from './webhooks/delivery.ts';

export interface MetaSimulatorOptions {
  /** 0 or absent: any free port. Listens on 127.0.0.1. */
  port?: number;
  /** Ids, tokens and chances follow from it. */
  seed?: string;
  /** `real`: the wall clock, movable. An instant (ISO or milliseconds): stands still until moved. */
  clock?: 'real' | string | number | Date;
  /** Keeps the world over restarts. */
  stateFile?: string;
  /** The app's webhook callback. */
  webhookUrl?: string;
  app?: Partial<AppView>;
  settings?: SettingsPatch;
  ledger?: LedgerMode;
  pictures?: Pictures;
  phoneDirectory?: string;
}

export interface BaseUrls {
  META_GRAPH_URL: string;
  META_DIALOG_URL: string;
  INSTAGRAM_GRAPH_URL: string;
  INSTAGRAM_API_URL: string;
  INSTAGRAM_DIALOG_URL: string;
}

export interface MetaSimulator {
  readonly url: string;
  readonly baseUrls: BaseUrls;
  /** `baseUrls` and the app's credentials under the names of our settings. */
  readonly environment: Record<string, string>;
  /** The app as it is now. */
  readonly app: Readonly<AppView>;
  readonly control: MetaSimulatorControl;
  /** Writes the state file now. */
  save(): void;
  /** Stops listening, ends hanging calls, writes the state file. */
  close(): Promise<void>;
}

/**
 * Starts the stand-in for Meta. See README.md for what it can be asked.
 * @throws when the port is taken or the state file is broken
 */
export async function startMetaSimulator(options: MetaSimulatorOptions = {}): Promise<MetaSimulator> {
  const seed = options.seed ?? 'creator-hq';
  const start = options.clock ?? 'real';
  const clock = new Clock(start === 'real' ? 'real' : new Date(start).getTime());
  const world = new World(seed, clock, defaultApp(), defaultSettings());
  const file = options.stateFile === undefined ? null : new SnapshotFile(options.stateFile, world);
  const saved = file?.read();
  if (saved) world.load(saved);
  // The caller's settings win over saved ones.
  world.app = { ...world.app, ...options.app, ...(options.webhookUrl ? { webhookUrl: options.webhookUrl } : {}) };
  world.settings = withPatch(world.settings, {
    ...options.settings,
    ...(options.ledger ? { ledger: options.ledger } : {}),
  });
  // Where the clock is held a world is being made: a half of it is nobody's.
  if (file) world.onChange = () => clock.isHeld || file.saveSoon();

  const faults = new Faults(world, seed);
  const ledger = new Ledger(world);
  const platform: MetaPlatform = {
    world,
    faults,
    ledger,
    rates: new Rates(world),
    webhooks: new WebhookDelivery(world, faults, ledger),
    slowCalls: new Set(),
  };
  const control = new ControlApi(platform);
  const phoneDirectory = options.phoneDirectory ?? fileURLToPath(new URL('../../dist/phone', import.meta.url));
  const server = createMetaServer(
    platform,
    new GraphRouter(platform),
    control,
    new StaticPages(phoneDirectory, options.pictures),
  );
  const port = await listen(server, options.port ?? 0);
  const url = `http://127.0.0.1:${port}`;
  world.url = url;

  const baseUrls: BaseUrls = {
    META_GRAPH_URL: `${url}/graph.facebook.com`,
    META_DIALOG_URL: `${url}/www.facebook.com`,
    INSTAGRAM_GRAPH_URL: `${url}/graph.instagram.com`,
    INSTAGRAM_API_URL: `${url}/api.instagram.com`,
    INSTAGRAM_DIALOG_URL: `${url}/www.instagram.com`,
  };
  return {
    url,
    baseUrls,
    get environment() {
      const { metaAppId, metaAppSecret, verifyToken, instagramAppId, instagramAppSecret } = world.app;
      return {
        ...baseUrls,
        META_APP_ID: metaAppId,
        META_APP_SECRET: metaAppSecret,
        META_VERIFY_TOKEN: verifyToken,
        INSTAGRAM_APP_ID: instagramAppId,
        INSTAGRAM_APP_SECRET: instagramAppSecret,
      };
    },
    get app() {
      return world.app;
    },
    control: new MetaSimulatorControl(url),
    save: () => file?.save(),
    async close() {
      control.close();
      clock.close();
      await platform.webhooks.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      file?.save();
    },
  };
}

function withPatch(
  settings: ReturnType<typeof defaultSettings>,
  patch: SettingsPatch,
): ReturnType<typeof defaultSettings> {
  return {
    ...settings,
    ...patch,
    limits: { ...settings.limits, ...patch.limits },
    switches: { ...settings.switches, ...patch.switches },
    webhooks: { ...settings.webhooks, ...patch.webhooks },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
