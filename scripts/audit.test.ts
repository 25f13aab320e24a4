import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge } from './audit.ts';

const URL = 'https://github.com/advisories/GHSA-1';
const reportOf = (severity: string) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      badly: { name: 'badly', severity, via: [{ source: 1, title: 'Runs anything', url: URL, severity }] },
      dependent: { name: 'dependent', severity, via: ['badly'] },
    },
    metadata: { vulnerabilities: { total: 2 } },
  });

describe('the audit of packages', () => {
  test.each(['high', 'critical'])('fails for a hole of importance that nobody accepted: %s', (severity) => {
    expect(judge(reportOf(severity), {})).toEqual({
      holes: [`badly, ${severity}: Runs anything (${URL})`],
      notes: [],
    });
  });

  test('names lesser ones, and those that were looked at with the reason', () => {
    expect(judge(reportOf('moderate'), {})).toMatchObject({ holes: [], notes: [expect.stringContaining('moderate')] });
    expect(judge(reportOf('critical'), { [URL]: 'we never run it' })).toMatchObject({
      holes: [],
      notes: [expect.stringMatching(/accepted: we never run it$/)],
    });
  });

  test.each([
    '',
    'not found',
    '{}',
    '{"error":{"code":"ENOAUDIT","summary":"Your configured registry does not support audit requests."}}',
    '{"message":"request failed","statusCode":404}',
  ])('is not failed by a registry that answers %j', (written) => expect(judge(written)).toBeNull());
});

test('every package in the lock file is of a registry, with a hash unless it is for another machine', async () => {
  const lock = JSON.parse(await readFile(path.join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { version?: string; integrity?: string; link?: boolean; resolved?: string; os?: string[]; cpu?: string[] }
    >;
  };
  const packages = Object.entries(lock.packages).filter(([name]) => name !== '');
  expect(packages.length).toBeGreaterThan(100);
  for (const [name, { version, integrity, link, resolved, os, cpu }] of packages) {
    expect(link, name).toBeUndefined();
    expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
    expect(resolved ?? 'https://', name).toMatch(/^https:\/\//);
    if (os === undefined && cpu === undefined) expect(integrity, name).toMatch(/^sha512-/);
  }
});
