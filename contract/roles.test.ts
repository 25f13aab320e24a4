import { expect, test } from 'vitest';
import { PERMISSIONS, type Permission } from './permissions.ts';
import { ALLOWED, mayDo, Role } from './roles.ts';

const EVERYTHING = Object.keys(PERMISSIONS) as Permission[];

test.each<[Role, Permission[]]>([
  [
    'owner',
    [
      ...['work', 'connect', 'sending', 'newsletter', 'erase', 'import', 'api_key', 'members', 'money'],
      ...['remove_connection', 'team', 'billing', 'export', 'deletion'],
    ] as Permission[],
  ],
  ['collaborator', ['work', 'connect', 'erase', 'import', 'api_key', 'members']],
  ['admin', ['work', 'members']],
])('%s may do this and nothing else', (role, allowed) => {
  expect(EVERYTHING.filter((permission) => mayDo(role, permission))).toEqual(allowed);
});

test('every role is in the table, and only an owner may do everything', () => {
  expect(Object.keys(ALLOWED)).toEqual(['owner', 'collaborator', 'admin']);
  expect(Role.def.entries).toEqual({ owner: 'owner', collaborator: 'collaborator', admin: 'admin' });
  expect(ALLOWED.owner).toHaveLength(EVERYTHING.length);
});

test('every permission is described', () => {
  expect(Object.values(PERMISSIONS).filter((says) => says.length < 10)).toEqual([]);
});
