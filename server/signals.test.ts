import pino from 'pino';
import { expect, test } from 'vitest';
import type { Notifications } from '#server/db/notifications.ts';
import { createSignals, type Signal } from './signals.ts';

/** Signals of a process without an engine, and what it forgot of connections. */
function listening() {
  const forgotten: string[] = [];
  let hear = (_payload: string) => {};
  let reconnect = () => {};
  const notifications = {
    on: (_channel: string, listener: (payload: string) => void) => {
      hear = listener;
    },
    onReconnect: (listener: () => void) => {
      reconnect = listener;
    },
    publish: async () => {},
  } as unknown as Notifications;
  const signals = createSignals({
    notifications,
    here: () => null,
    onConnection: (connectionId) => forgotten.push(connectionId),
    onAnyConnection: () => forgotten.push('any'),
    log: pino({ level: 'silent' }),
  });
  return {
    forgotten,
    signals,
    hear: (signal: Signal) => hear(JSON.stringify(signal)),
    reconnect: () => reconnect(),
  };
}

test.each<[string, Signal, string[]]>([
  ['of one connection', { what: 'connection', creatorId: 'ada', connectionId: 'hers' }, ['hers']],
  ['of everything', { what: 'all' }, ['any']],
  ['of automations', { what: 'automations', creatorId: 'ada' }, []],
])('a signal %s makes every process forget what it says, the sender too', async (_of, signal, expected) => {
  const one = listening();
  const other = listening();
  await one.signals.send(signal);
  other.hear(signal);
  expect(one.forgotten).toEqual(expected);
  expect(other.forgotten).toEqual(expected);
});

test('where signals may have been missed, nothing of any connection is believed', () => {
  const process = listening();
  process.reconnect();
  expect(process.forgotten).toEqual(['any']);
});
