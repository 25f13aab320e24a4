import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';
import { createTestApp } from '#server/testing/test-app.ts';

const URL = '/.well-known/security.txt';

test('says where to write to, and for how long that holds', async () => {
  const settings = { BASE_URL: 'https://hq.example.test', SECURITY_CONTACT: 'mailto:security@example.test' };
  const app = await createTestApp({ settings });
  try {
    const answer = await app.app.inject({ method: 'GET', url: URL });
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const fields = Object.fromEntries(
      answer.body
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/s)),
    );
    expect(fields).toMatchObject({
      Contact: 'mailto:security@example.test',
      Canonical: 'https://hq.example.test/.well-known/security.txt',
    });
    const days = (Date.parse(fields.Expires) - app.clock.now().getTime()) / (24 * 3_600_000);
    expect(days).toBe(180);
  } finally {
    await app.close();
  }
});

test('where nobody was named it says so, and names no address', async () => {
  const app = await createTestApp();
  try {
    const answer = await app.app.inject({ method: 'GET', url: URL });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toContain('SECURITY_CONTACT isn’t set');
    expect(answer.body).not.toMatch(/mailto:|https?:|@/);
  } finally {
    await app.close();
  }
});

test.each(['security@example.test', 'http://example.test/', 'mailto:a@b.test\nX: y'])(
  'takes no contact like %j',
  (contact) => {
    expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(ConfigError);
  },
);
