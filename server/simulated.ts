/** The demo: Meta played by the simulator, and a creator with posts, followers and an account to connect. */
import { join } from 'node:path';
import { type Config, ConfigError } from '#server/config.ts';
import { type AppView, MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import { demoPicture } from '#simulators/meta/demo/pictures.ts';
import { type DemoWorld, findDemo, seedDemo } from '#simulators/meta/demo/world.ts';
import { type BaseUrls, startMetaSimulator } from '#simulators/meta/simulator.ts';

export type Simulated = {
  config: Config;
  control: MetaSimulatorControl;
  world: DemoWorld;
  phoneUrl: string;
  close(): Promise<void>;
};

/** Starts the simulator, or finds the one of SIMULATOR_URL, and points the settings at it. */
export function startSimulated(config: Config): Promise<Simulated> {
  return config.simulatorUrl === null ? startHere(config) : findElsewhere(config, config.simulatorUrl);
}

/** Its world is kept in the data folder. */
async function startHere(config: Config): Promise<Simulated> {
  const simulator = await startMetaSimulator({
    port: config.simulatorPort,
    stateFile: join(config.dataDir, 'simulators', 'meta.json'),
    webhookUrl: `http://127.0.0.1:${config.port}/webhooks/meta`,
    pictures: demoPicture,
  });
  await simulator.control.updateApp({
    deauthorizeUrl: `http://127.0.0.1:${config.port}/webhooks/meta/deauthorize`,
    dataDeletionUrl: `http://127.0.0.1:${config.port}/webhooks/meta/data-deletion`,
  });
  const world = await seedDemo(simulator.control);
  return {
    control: simulator.control,
    world,
    phoneUrl: `${simulator.url}/phone/`,
    config: pointedAt(config, simulator.app, simulator.baseUrls),
    close: () => simulator.close(),
  };
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
  return { control, world, phoneUrl: `${url}/phone/`, config, close: async () => {} };
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
