import { expect, it } from 'vitest';
import { scrubAddress, scrubText, scrubValue } from '#web/features/reporting/scrub.ts';
import { scrubBreadcrumb, scrubEvent, scrubReplayEvent } from '#web/features/reporting/scrub-event.ts';

const TOKEN = `EAAB${'x1Y2'.repeat(20)}`;

it('takes tokens, secrets and addresses out of text', () => {
  for (const text of [
    `Bearer ${TOKEN} refused`,
    `access_token=${TOKEN}`,
    `{"token":"abc"}`,
    'sent to ada.lovelace+test@example.co.uk',
    'mailto%3Aada%40example.com',
    `the key ${TOKEN}`,
  ]) {
    const clean = scrubText(text);
    expect(clean, text).toContain('[removed]');
    expect(clean, text).not.toMatch(/EAAB|abc|ada|example/);
  }
});

it('leaves in what names our code', () => {
  const text = 'Cannot read properties of undefined (reading id) for 0197a0aa-0000-7000-8000-000000000001';
  expect(scrubText(text)).toBe(text);
});

it('keeps an address’s path and the names of its query, not their values', () => {
  expect(scrubAddress('https://hq.example.com/creator-hq/verify-email?token=abc&x=1#part')).toBe(
    'https://hq.example.com/creator-hq/verify-email?token=[removed]&x=[removed]',
  );
});

it('replaces what people wrote at any depth', () => {
  expect(scrubValue({ a: [{ text: 'Hi Ada', count: 2, access_token: 't' }], url: '/x?search=ada' })).toEqual({
    a: [{ text: '[removed]', count: 2, access_token: '[removed]' }],
    url: '/x?search=[removed]',
  });
});

it('keeps of breadcrumbs only where somebody went', () => {
  expect(scrubBreadcrumb({ category: 'console', message: 'Hi Ada' })).toBeNull();
  expect(scrubBreadcrumb({ category: 'ui.click', message: 'button[aria-label="@ada"]' })).toBeNull();
  expect(
    scrubBreadcrumb({
      category: 'fetch',
      message: 'secret words',
      data: { method: 'GET', url: '/api/v1/x?search=ada', status_code: 500, request_body_size: 3 },
    }),
  ).toEqual({ category: 'fetch', data: { method: 'GET', url: '/api/v1/x?search=[removed]', status_code: 500 } });
});

it('sends an event without person, headers or words', () => {
  const event = scrubEvent({
    message: 'failed for ada@example.com',
    exception: { values: [{ type: 'Error', value: `token=${TOKEN}` }] },
    request: { url: 'https://hq.example.com/creator-hq?token=abc', headers: { cookie: 'a=b' }, data: 'words' },
    user: { id: 'u1', email: 'ada@example.com', ip_address: '10.0.0.1' },
    extra: { draft: { message: 'Hi' } },
    spans: [
      {
        span_id: 's',
        trace_id: 't',
        start_timestamp: 1,
        status: 'ok',
        description: 'GET /api/v1/x?search=ada',
        data: { url: '/x?q=ada' },
      },
    ],
  });
  expect(JSON.stringify(event)).not.toMatch(/ada|EAAB|abc|cookie|words|10\.0|Hi/);
  expect(event.user).toEqual({ id: 'u1' });
});

it('takes the values of queries out of the addresses of a replay', () => {
  const replay = scrubReplayEvent({
    type: 'replay_event',
    urls: ['https://hq.example.com/creator-hq/verify-email?token=abc'],
    request: { url: 'https://hq.example.com/creator-hq?search=ada' },
  });
  expect(replay.urls).toEqual(['https://hq.example.com/creator-hq/verify-email?token=[removed]']);
  expect(replay.request.url).toBe('https://hq.example.com/creator-hq?search=[removed]');
  const other = { type: 'transaction', urls: ['/?a=b'] };
  expect(scrubReplayEvent(other)).toBe(other);
});
