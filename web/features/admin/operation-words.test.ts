import { expect, test } from 'vitest';
import {
  jobState,
  jobWords,
  laneWords,
  lastMinute,
  type Operations,
  seconds,
  troubles,
  workerState,
} from '#web/features/admin/operation-words.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');

test('a worker that has been silent for more than half a minute is not called running', () => {
  expect(workerState({ seenAt: '2026-11-20T11:59:20.000Z', shards: 16 }, now).label).toBe('Silent');
  expect(workerState({ seenAt: '2026-11-20T11:59:45.000Z', shards: 16 }, now).label).toBe('Running');
});

test('a worker that was stopped and has nothing left to do is no trouble', () => {
  expect(workerState({ seenAt: '2026-11-20T11:00:00.000Z', shards: 0 }, now)).toEqual({
    label: 'Gone',
    tone: 'neutral',
  });
});

test('a lane whose time is over is open again, and its old reason is not shown', () => {
  expect(laneWords({ closedUntil: '2026-11-20T11:59:00.000Z', closedReason: 'rate_limited' }, now)).toEqual({
    closed: false,
    reason: null,
  });
  expect(laneWords({ closedUntil: '2026-11-20T12:09:00.000Z', closedReason: 'rate_limited' }, now)).toEqual({
    closed: true,
    reason: 'rate limited',
  });
});

test('a job is named without hyphens', () => {
  expect(jobWords('refresh-tokens')).toBe('refresh tokens');
});

const quiet: Operations = {
  eventLog: { waiting: 0, oldest: null, parked: 0, refusing: false },
  workers: [{ workerId: 'w', seenAt: '2026-11-20T11:59:55.000Z', shards: 16 }],
  processes: [process({})],
  shards: { held: 16, free: 0 },
  jobs: [job({})],
  failures: [],
  queue: [],
  connections: [{ state: 'working', count: 3 }],
  lanes: [],
  setup: [],
  mails: { waiting: 0, oldest: null, failed: 0, readable: false },
  readerMails: { waiting: 0, oldest: null, failed: 0, refusedUs: 0, notUnderstood: 0 },
  mailChecks: [],
  outgoingWebhooks: { waiting: 0, oldest: null, failing: 0, switchedOff: 0 },
};

function process(over: Partial<Operations['processes'][number]>): Operations['processes'][number] {
  return {
    processId: 'p',
    seenAt: '2026-11-20T11:59:55.000Z',
    host: 'hq-0',
    version: '1.0.0',
    roles: ['web', 'worker'],
    startedAt: '2026-11-20T08:00:00.000Z',
    memoryBytes: 200_000_000,
    loopDelayMs: 3,
    pools: [{ pool: 'app', used: 1, idle: 2, waiting: 0 }],
    shards: 16,
    leasesLost: 0,
    keyIds: ['k1'],
    lastMinute: {
      webhooks: 10,
      refused: 0,
      ackP99Ms: 12,
      ageP50Seconds: 2,
      ageP99Seconds: 6,
      interactions: 9,
      calls: 4,
      callP99Ms: 300,
    },
    ...over,
  };
}

function job(over: Partial<Operations['jobs'][number]>): Operations['jobs'][number] {
  return {
    name: 'sync-posts',
    nextAt: '2026-11-20T12:01:00.000Z',
    lastSucceededAt: '2026-11-20T11:59:00.000Z',
    lastFailedAt: null,
    lastFailure: null,
    heldBecause: null,
    failuresInARow: 0,
    ...over,
  };
}

function told(over: Partial<Operations>): string[] {
  return troubles({ ...quiet, ...over }, now).map(({ what }) => what);
}

test('where all goes well nothing needs a person', () => {
  expect(told({})).toEqual([]);
  // Messages that wait for Meta's limit are no trouble, however many.
  expect(told({ queue: [{ lane: 'private_replies', waiting: 90_000, oldest: '2026-11-20T02:00:00.000Z' }] })).toEqual(
    [],
  );
});

test('what stops everything comes before what can wait', () => {
  const found = troubles(
    {
      ...quiet,
      workers: [],
      mails: { waiting: 0, oldest: null, failed: 2, readable: false },
      eventLog: { ...quiet.eventLog, parked: 1 },
    },
    now,
  );
  expect(found).toEqual([
    { what: 'No worker is running, so nothing is sent.', tone: 'error' },
    { what: '1 event couldn’t be processed.', tone: 'error' },
    { what: '2 emails failed in the last 24 hours.', tone: 'warning' },
  ]);
});

test('shards without a worker, events, mails and accounts that wait are told', () => {
  expect(told({ shards: { held: 12, free: 4 } })).toEqual(['4 of 16 shards have no worker, so their accounts wait.']);
  expect(told({ eventLog: { ...quiet.eventLog, waiting: 3, oldest: '2026-11-20T11:58:00.000Z' } })).toHaveLength(1);
  expect(told({ eventLog: { ...quiet.eventLog, waiting: 3, oldest: '2026-11-20T11:59:30.000Z' } })).toEqual([]);
  const late = { waiting: 1, oldest: '2026-11-20T11:30:00.000Z', failed: 0 };
  expect(told({ mails: { ...late, readable: false } })).toHaveLength(1);
  const toReaders = { ...late, refusedUs: 0, notUnderstood: 0 };
  expect(told({ readerMails: toReaders })).toEqual(['The oldest reader email has waited more than 15 minutes.']);
  expect(told({ readerMails: { ...toReaders, oldest: null, refusedUs: 1, notUnderstood: 2 } })).toEqual([
    '1 reader email came back because a mail server doesn’t trust this one. Check SPF, DKIM, and block lists.',
    '2 email reports couldn’t be read. Look in “Creator HQ/Not understood” in the bounce mailbox.',
  ]);
  expect(told({ readerMails: { ...toReaders, oldest: null, failed: 2 } })).toEqual([
    '2 reader emails failed in the last 24 hours.',
  ]);
  // There is no mail server: that is told instead.
  expect(
    told({ mails: { ...late, readable: true }, setup: [{ setting: 'SMTP_URL', says: 'No mail server is set.' }] }),
  ).toEqual(['SMTP_URL: No mail server is set.']);
  expect(told({ connections: [{ state: 'needs_reconnect', count: 1 }] })).toEqual(['1 account must be reconnected.']);
});

test('a mail server that refuses the login comes before a return path that is not right; what waits is no trouble', () => {
  const check = { state: 'trouble', checkedAt: '2026-11-20T11:59:00.000Z' } as const;
  const found = troubles(
    {
      ...quiet,
      mailChecks: [
        { ...check, name: 'spf', says: 'No SPF.' },
        { ...check, name: 'relay', says: 'Login refused.' },
        { ...check, name: 'round_trip', state: 'waiting', says: 'On its way.' },
      ],
    },
    now,
  );
  expect(found).toEqual([
    { what: 'Login refused.', tone: 'error' },
    { what: 'No SPF.', tone: 'warning' },
  ]);
});

test('of a process that is slow, refuses webhooks or waits for the database, its name is told; not of one that is gone', () => {
  const slow = {
    loopDelayMs: 1500,
    pools: [{ pool: 'engine', used: 10, idle: 0, waiting: 3 }],
    lastMinute: { ...process({}).lastMinute, refused: 1, ackP99Ms: 5000 },
  };
  expect(told({ processes: [process(slow)] })).toEqual([
    'hq-0 is slow to acknowledge webhooks.',
    'hq-0 refused 1 webhook in the last minute.',
    'hq-0 was blocked for 1.5 s.',
    'hq-0 is waiting for database connections.',
  ]);
  expect(told({ processes: [process({ ...slow, seenAt: '2026-11-20T11:50:00.000Z' })] })).toEqual([]);
});

test('a disk is told before it is full, and events that cannot be written', () => {
  const GB = 1024 ** 3;
  const onDisk = (freeBytes: number, totalBytes = 20 * GB) =>
    told({ processes: [process({ disk: { freeBytes, totalBytes } })] });
  expect(onDisk(2 * GB)).toEqual([]);
  expect(onDisk(1.9 * GB)).toEqual(['The disk on hq-0 is filling up: 1.9 GB free.']);
  expect(onDisk(0.4 * GB)).toEqual(['The disk on hq-0 is filling up: 0.4 GB free.']);
  expect(onDisk(0.39 * GB)).toEqual(['The disk on hq-0 is almost full. Free up space now.']);
  // A large disk is not low with a tenth of it.
  expect(onDisk(5 * GB, 1000 * GB)).toEqual([]);
  expect(onDisk(4.9 * GB, 1000 * GB)).toHaveLength(1);
  // Of another version, or it cannot be read.
  expect(told({ processes: [process({ disk: null })] })).toEqual([]);
  expect(told({ eventLog: { ...quiet.eventLog, refusing: true } })).toEqual([
    'Events can’t be written, so webhooks are refused.',
  ]);
  const failing = { lastMinute: { ...process({}).lastMinute, failedAppends: 3 } };
  expect(told({ processes: [process(failing)] })).toEqual(['hq-0 couldn’t write events (3 times in the last minute).']);
});

test('a job is told of when it fails again and again', () => {
  expect(told({ jobs: [job({ failuresInARow: 2 })] })).toEqual([]);
  expect(told({ jobs: [job({ failuresInARow: 3 })] })).toEqual(['The job "sync posts" has failed 3 times in a row.']);
  expect(jobState(job({ failuresInARow: 1 }), now).label).toBe('Failing');
  expect(jobState(job({ heldBecause: 'The clock is off.' }), now).label).toBe('Held');
  expect(told({ jobs: [job({ heldBecause: 'The clock is off.' })] })).toEqual([
    'The job "sync posts" is on hold and deletes nothing. The clock is off.',
  ]);
  expect(jobState(job({ nextAt: '2026-11-20T11:50:00.000Z' }), now).label).toBe('Late');
  expect(jobState(job({ lastSucceededAt: null }), now).label).toBe('Not run yet');
  expect(jobState(job({}), now).label).toBe('OK');
});

test('figures of several processes are sums of counts and the worst of times', () => {
  const other = { ...process({}).lastMinute, webhooks: 5, ackP99Ms: 40, callP99Ms: null };
  const gone = process({ seenAt: '2026-11-20T11:50:00.000Z' });
  const figures = lastMinute([process({}), process({ lastMinute: other }), gone], now);
  expect(figures).toMatchObject({ webhooks: 15, calls: 8, ackP99Ms: 40, callP99Ms: 300 });
  expect(lastMinute([], now)).toMatchObject({ webhooks: 0, ackP99Ms: null });
});

test.each([
  [0.012, '12 ms'],
  [1.52, '1.5 s'],
  [61, '61 s'],
  [300, '5 min'],
  [9000, '3 h'],
])('%d seconds read as %s', (value, words) => {
  expect(seconds(value)).toBe(words);
});
