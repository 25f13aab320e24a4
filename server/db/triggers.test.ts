/** Triggers are guards and counters: what happens is written by TypeScript. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const schema = readFileSync('server/db/schema.sql', 'utf8');
const triggers = [...schema.matchAll(/^CREATE TRIGGER (\w+) .* ON public\.(\w+) .*EXECUTE FUNCTION (\w+)/gm)].map(
  ([, name, table, calls]) => ({ name: name!, table: table!, calls: calls! }),
);

test('there are ten triggers at most', () => {
  expect(triggers.length).toBeGreaterThan(0);
  expect(triggers.length).toBeLessThanOrEqual(10);
});

test('no trigger builds JSON or writes what others are told', () => {
  const functions = [
    ...schema.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)\([\s\S]*?\$function\$([\s\S]*?)\$function\$/gm),
  ];
  const called = functions.filter(([, name]) => triggers.some(({ calls }) => calls === name));
  expect(called.length).toBe(new Set(triggers.map(({ calls }) => calls)).size);
  expect(called.filter(([, , body]) => /json|outgoing_/i.test(body!)).map(([, name]) => name)).toEqual([]);
});

test('docs/reading-the-code.md says of each why it is one', () => {
  const listed = [
    ...readFileSync('docs/reading-the-code.md', 'utf8').matchAll(/^\| `(\w+)` +\| ([`\w, ]+?) +\| \S.*\|$/gm),
  ].flatMap(([, name, tables]) => [...tables!.matchAll(/`(\w+)`/g)].map(([, table]) => `${name} on ${table}`));
  expect(listed.toSorted()).toEqual(triggers.map(({ name, table }) => `${name} on ${table}`).toSorted());
});
