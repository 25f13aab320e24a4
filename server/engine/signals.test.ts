import pino from 'pino';
import { expect, test } from 'vitest';
import type { Notifications } from '#server/db/notifications.ts';
import { createSignals, type Signal } from '#server/engine/signals.ts';

/** Signals of a process without an engine, what it sent and what it forgot of connections. */
function listening(processId: string) {
  const forgotten: string[] = [];
  const sent: string[] = [];
  let hear = (_payload: string) => {};
  let reconnect = () => {};
  const notifications = {
    on: (_channel: string, listener: (payload: string) => void) => {
      hear = listener;
    },
    onReconnect: (listener: () => void) => {
      reconnect = listener;
    },
    publish: async (_channel: string, payloads: string[]) => void sent.push(...payloads),
  } as unknown as Notifications;
  const signals = createSignals({
    processId,
    notifications,
    here: () => null,
    onConnection: (connectionId) => forgotten.push(connectionId),
    onAnyConnection: () => forgotten.push('any'),
    log: pino({ level: 'silent' }),
  });
  return { forgotten, sent, signals, hear: (payload: string) => hear(payload), reconnect: () => reconnect() };
}

test.each<[string, Signal, string[]]>([
  ['of one connection', { what: 'connection', creatorId: 'ada', connectionId: 'theirs' }, ['theirs']],
  ['of everything', { what: 'all' }, ['any']],
  ['of automations', { what: 'automations', creatorId: 'ada' }, []],
])('a signal %s makes every process forget what it says, the sender once', async (_of, signal, expected) => {
  const one = listening('one');
  const other = listening('other');
  await one.signals.send(signal);
  expect(one.sent).toHaveLength(1);
  for (const process of [one, other]) {
    process.hear(one.sent[0]!);
    expect(process.forgotten).toEqual(expected);
  }
});

test('a signal that the database sent, from nobody, is heeded', () => {
  const process = listening('one');
  process.hear(JSON.stringify({ what: 'all' } satisfies Signal));
  expect(process.forgotten).toEqual(['any']);
});

test('where signals may have been missed, nothing of any connection is believed', () => {
  const process = listening('one');
  process.reconnect();
  expect(process.forgotten).toEqual(['any']);
});
