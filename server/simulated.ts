/** The demo: Meta played by the simulator, and a creator with posts, followers and an account to connect. */
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { drawPicture } from '#simulators/meta/demo/pictures.ts';
import { type DemoWorld, seedDemo } from '#simulators/meta/demo/world.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';

export type Simulated = { config: Config; simulator: MetaSimulator; world: DemoWorld; phoneUrl: string };

/** Starts the simulator and points the settings at it. Its world is kept in the data folder. */
export async function startSimulated(config: Config): Promise<Simulated> {
  const simulator = await startMetaSimulator({
    port: config.simulatorPort,
    stateFile: join(config.dataDir, 'simulators', 'meta.json'),
    webhookUrl: `http://127.0.0.1:${config.port}/webhooks/meta`,
    pictures: drawPicture,
  });
  const world = await seedDemo(simulator.control);
  const { app, baseUrls } = simulator;
  return {
    simulator,
    world,
    phoneUrl: `${simulator.url}/phone/`,
    config: {
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
    },
  };
}
