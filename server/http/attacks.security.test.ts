/** What one client can do to everybody else: the real program, attacked from outside with bounded loads. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, test } from 'vitest';
import { type AttackedProgram, expectUnharmed, startAttacked } from '#server/testing/attacks.ts';

let program: AttackedProgram;
beforeAll(async () => {
  program = await startAttacked();
});
afterAll(() => program?.[Symbol.asyncDispose]());

/** Connections that send these bytes, all at once, and read nothing. */
async function open(count: number, bytes: (index: number) => string): Promise<Socket[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(program.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      await once(socket, 'connect');
      return socket;
    }),
  );
  for (const [index, socket] of sockets.entries()) socket.write(bytes(index));
  return sockets;
}

const close = (sockets: Socket[]) => () => {
  for (const socket of sockets) socket.destroy();
};

test('two hundred connections that say nothing hold nobody up', async () => {
  expectUnharmed(await program.measure(async () => close(await open(200, () => ''))));
});
