/** The example alerts ask for measures that there are, and mean what they say. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { findPromtool } from '../../scripts/promtool.ts';
import { diskOf } from './disk.ts';
import { measureInstallation } from './installation.ts';
import { createMeasures } from './measures.ts';
import { measureProcess } from './process-measures.ts';

const root = path.resolve(import.meta.dirname, '../..');
const alerts = path.join(root, 'deploy/alerts');
const rules = readFileSync(path.join(alerts, 'creator-hq.rules.yaml'), 'utf8');
const tests = readFileSync(path.join(alerts, 'tests.yaml'), 'utf8');
const operations = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

function allMeasures(): string[] {
  const measures = createMeasures();
  measureInstallation(measures.gauge, {
    db,
    eventLog: new PostgresEventLog(db.enginePool),
    clock: createTestClock(),
  });
  measureProcess(measures, { db, version: '1', roles: ['web'], readDisk: diskOf(root) })();
  return measures.registry.getMetricsAsArray().map(({ name }) => name);
}

test('every measure that an alert asks for is there', () => {
  const names = allMeasures();
  const asked = new Set([...rules.matchAll(/\b((?:creator_hq|process|nodejs)_[a-z_]+)/g)].map(([, name]) => name!));
  expect(asked.size).toBeGreaterThan(15);
  for (const name of asked) expect(names).toContain(name.replace(/_(bucket|sum|count)$/, ''));
});

test('every alert leads to a part of docs/operations.md that is there', () => {
  const headings = [...operations.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const anchors = [...rules.matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(([, anchor]) => anchor!);
  expect(anchors.length).toBe([...rules.matchAll(/- alert:/g)].length);
  for (const anchor of anchors) expect(headings).toContain(anchor);
});

test('every alert is seen to fire in deploy/alerts/tests.yaml', () => {
  const alertNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const fired = new Set([...tests.matchAll(/alertname: (\w+)\s+exp_alerts:/g)].map(([, name]) => name!));
  expect(alertNames.filter((name) => !fired.has(name))).toEqual([]);
});

/** It plays a day minute by minute. */
const SLOW = { timeout: 300_000 };
const promtool = findPromtool();

test.skipIf(promtool === null)(
  'promtool finds nothing wrong with the rules, and they fire when they should',
  SLOW,
  async () => {
    await promisify(execFile)(promtool!, ['check', 'rules', 'creator-hq.rules.yaml'], { cwd: alerts });
    await promisify(execFile)(promtool!, ['test', 'rules', 'tests.yaml'], { cwd: alerts });
  },
);
