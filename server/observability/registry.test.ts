import { expect, test, vi } from 'vitest';
import { expositionOf } from './exposition.ts';
import { quantile, Registry } from './registry.ts';

function createRegistry() {
  return new Registry(() => {});
}

test('a counter adds up by its labels and is written in the format of Prometheus', async () => {
  const registry = createRegistry();
  const sent = registry.counter('sent_total', 'What was sent.', ['lane', 'result']);
  sent.add(2, 'messages', 'sent');
  sent.add(1, 'messages', 'sent');
  sent.add(1, 'public_replies', 'failed');
  expect(expositionOf(await registry.snapshot())).toBe(
    [
      '# HELP sent_total What was sent.',
      '# TYPE sent_total counter',
      'sent_total{lane="messages",result="sent"} 3',
      'sent_total{lane="public_replies",result="failed"} 1',
      '',
    ].join('\n'),
  );
});

test('a counter without labels is shown before anything happened, so that zero differs from absent', async () => {
  const registry = createRegistry();
  registry.counter('appended_total', 'Appended.');
  registry.counter('by_lane_total', 'Not known yet.', ['lane']);
  expect(expositionOf(await registry.snapshot())).toBe(
    '# HELP appended_total Appended.\n# TYPE appended_total counter\nappended_total 0\n',
  );
});

test('a histogram counts what is at or below each bound, added up', async () => {
  const registry = createRegistry();
  const took = registry.histogram('took_seconds', 'How long.', [0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 7]) took.observe(seconds);
  expect(expositionOf(await registry.snapshot())).toContain(
    [
      'took_seconds_bucket{le="0.1"} 2',
      'took_seconds_bucket{le="1"} 3',
      'took_seconds_bucket{le="+Inf"} 4',
      'took_seconds_sum 7.65',
      'took_seconds_count 4',
    ].join('\n'),
  );
});

test('what is in a label or a help text cannot end its line or its quotes', async () => {
  const registry = createRegistry();
  registry.counter('odd_total', 'Two\nlines \\ here.', ['what']).add(1, 'a"b\nc\\d');
  expect(expositionOf(await registry.snapshot())).toBe(
    '# HELP odd_total Two\\nlines \\\\ here.\n# TYPE odd_total counter\nodd_total{what="a\\"b\\nc\\\\d"} 1\n',
  );
});

test('a label without an end becomes "other" instead of filling the memory', async () => {
  const registry = createRegistry();
  const counter = registry.counter('endless_total', 'Endless.', ['id']);
  for (let id = 0; id < 10_000; id++) counter.add(1, String(id));
  const [family] = await registry.snapshot();
  expect(family!.points.length).toBeLessThan(600);
  expect(counter.total()).toBe(10_000);
  expect(counter.total('other')).toBeGreaterThan(9_000);
});

test('a gauge that cannot be read is left out and told of; the others are shown', async () => {
  const onFailure = vi.fn();
  const registry = new Registry(onFailure);
  registry.gauge('away', 'Not there.', () => Promise.reject(new Error('the database is away')));
  registry.gauge('unknown', 'Not known.', () => null);
  registry.gauge('here', 'There.', () => [[['messages'], 3]], ['lane']);
  expect(expositionOf(await registry.snapshot())).toBe(
    '# HELP here There.\n# TYPE here gauge\nhere{lane="messages"} 3\n',
  );
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(new Error('the database is away'));
});

test('two measures cannot have one name', () => {
  const registry = createRegistry();
  registry.counter('twice_total', 'Once.');
  expect(() => registry.gauge('twice_total', 'Twice.', () => 1)).toThrow('twice_total');
});

test('a quantile lies within the bucket that holds it; above all bounds it is the last one', () => {
  expect(quantile(0.5, [1, 2, 4], [0, 10, 0, 0])).toBe(1.5);
  expect(quantile(0.99, [1, 2, 4], [100, 0, 0, 0])).toBeCloseTo(0.99);
  expect(quantile(0.99, [1, 2, 4], [0, 0, 0, 5])).toBe(4);
  expect(quantile(0.5, [1, 2, 4], [5, 0, 0, 5])).toBe(1);
  expect(quantile(0.5, [1, 2, 4], [0, 0, 0, 0])).toBeNull();
});
