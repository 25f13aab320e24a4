import { expect, test } from 'vitest';
import { commentEvent } from '#server/platforms/meta/found-events.ts';
import { NotAnEnvelope, readEnvelope } from '#server/platforms/meta/webhook.ts';
import { bodyOf, eventsOf } from './bodies.ts';

const receivedAt = new Date('2026-06-01T12:00:00.123Z');
const found = commentEvent(
  { platform: 'facebook', accountId: '1' },
  {
    id: 'c',
    postId: 'p',
    parentId: null,
    personId: null,
    username: null,
    text: '{"at": "\u0000 \ud83d"}',
    at: receivedAt,
  },
  { found: true },
);

test('events that we found come out of the log as they went in, times and odd letters too', () => {
  const { body } = bodyOf([found]);
  expect(eventsOf({ body, receivedAt })).toEqual([found]);
});

test('events that are read already are not read again', () => {
  const { read } = bodyOf([found]);
  expect(eventsOf({ body: 'unreadable', receivedAt, read: read! })).toBe(read);
});

test('the body of a webhook is read as one, and cannot pass for what we found', () => {
  const body = JSON.stringify({ object: 'instagram', entry: [{ id: '1', changes: [] }] });
  expect(eventsOf({ body, receivedAt })).toEqual(readEnvelope(body, receivedAt));
  expect(() => readEnvelope(bodyOf([found]).body)).toThrow(NotAnEnvelope);
});
