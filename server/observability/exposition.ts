/**
 * Prometheus' text format, version 0.0.4, which every scraper reads:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
import type { Family, Point } from './registry.ts';

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function expositionOf(families: Family[]): string {
  return families
    .map(({ name, help, type, points }) => {
      const lines = points.flatMap((point) => linesOf(name, point));
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
    })
    .join('');
}

function linesOf(name: string, point: Point): string[] {
  if ('value' in point) return [`${name}${labelsOf(point.labels)} ${numberOf(point.value)}`];
  const { labels, bounds, counts, sum, count } = point;
  let below = 0;
  const buckets = counts.map((inBucket, index) => {
    below += inBucket;
    const bound = bounds[index] ?? Number.POSITIVE_INFINITY;
    return `${name}_bucket${labelsOf([...labels, ['le', numberOf(bound)]])} ${below}`;
  });
  return [...buckets, `${name}_sum${labelsOf(labels)} ${numberOf(sum)}`, `${name}_count${labelsOf(labels)} ${count}`];
}

function labelsOf(labels: [string, string][]): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
