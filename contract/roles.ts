/**
 * Who may do what in a creator account. The one table: the server enforces it (`Endpoint.needs`), the browser hides what is not
 * allowed and shows the table in Settings > Team.
 */
import * as z from 'zod/mini';

/** `admin` is support inside an account in admin access mode: an hour at most; reads of people's data and changes are noted. */
export const Role = z.enum(['owner', 'collaborator', 'admin']);
export type Role = z.infer<typeof Role>;

export const PERMISSIONS = {
  work: 'See everything; set up and change automations; reply to followers',
  connect: 'Connect and reconnect accounts',
  sending: 'Choose who emails come from',
  erase: 'Erase contacts',
  import: 'Import contacts',
  api_key: 'See and rotate the API key',
  remove_connection: 'Disconnect accounts',
  team: 'Invite and remove people, change roles and the handle',
  billing: 'See and change plan and billing email',
  export: 'Download all data',
  deletion: 'Choose how long data is kept; delete the creator account',
} as const satisfies Record<string, string>;

export type Permission = keyof typeof PERMISSIONS;

export const ALLOWED: Record<Role, readonly Permission[]> = {
  owner: [
    'work',
    'connect',
    'erase',
    'import',
    'api_key',
    'sending',
    'remove_connection',
    'team',
    'billing',
    'export',
    'deletion',
  ],
  collaborator: ['work', 'connect', 'erase', 'import', 'api_key'],
  admin: ['work'],
};

export function mayDo(role: Role, permission: Permission): boolean {
  return ALLOWED[role].includes(permission);
}
