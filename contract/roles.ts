/**
 * Who may do what in a creator account. The one table: the server enforces it (`Endpoint.needs`), the browser hides what is not
 * allowed and shows the table in Settings > Team.
 */
import * as z from 'zod/mini';
import type { Permission } from '#contract/permissions.ts';

/** `admin` is support inside an account in admin access mode: an hour at most; reads of people's data and changes are noted. */
export const Role = z.enum(['owner', 'collaborator', 'admin']);
export type Role = z.infer<typeof Role>;

export const ALLOWED: Record<Role, readonly Permission[]> = {
  owner: [
    'work',
    'connect',
    'erase',
    'import',
    'api_key',
    'sending',
    'newsletter',
    'members',
    'money',
    'remove_connection',
    'team',
    'billing',
    'export',
    'deletion',
  ],
  collaborator: ['work', 'connect', 'erase', 'import', 'api_key', 'members'],
  admin: ['work', 'members'],
};

export function mayDo(role: Role, permission: Permission): boolean {
  return ALLOWED[role].includes(permission);
}
