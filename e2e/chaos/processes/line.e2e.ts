import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Line } from '#e2e/chaos/processes/line.ts';

test('bytes keep their order while the line becomes slower and quicker', async () => {
  await using cleanUp = new AsyncDisposableStack();
  const server = createServer();
  cleanUp.defer(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const line = await Line.open({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  cleanUp.defer(() => line.close());
  const near = connect({ host: '127.0.0.1', port: line.port, noDelay: true });
  const [far] = (await once(server, 'connection')) as [Socket];
  let got = '';
  far.on('data', (bytes) => {
    got += bytes;
  });

  const sent = Array.from({ length: 2000 }, (_, number) => `${number}\n`);
  for (const [number, bytes] of sent.entries()) {
    if (number % 50 === 0) line.break({ kind: 'slow', delayMs: number % 100 === 0 ? 20 : 3 });
    near.write(bytes);
    await setImmediate();
  }
  line.heal();
  near.end();
  await once(far, 'end');
  expect(got).toBe(sent.join(''));
});
