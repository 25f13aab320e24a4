import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';

let simulator: MetaSimulator;
beforeAll(async () => {
  simulator = await startMetaSimulator();
});
afterAll(() => simulator?.close());

function statusOf(path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(simulator.url + path, { headers: { host } }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

test.each(['/phone/', '/control/app'])('%s answers to names of this machine only', async (path) => {
  const { host } = new URL(simulator.url);
  const here = await statusOf(path, host);
  expect(await statusOf(path, 'localhost:3001')).toBe(here);
  expect(await statusOf(path, 'rebinding.example:3001')).toBe(404);
  expect(await statusOf('/control/app', host)).toBe(200);
});
