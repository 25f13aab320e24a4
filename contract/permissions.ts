/** What a role may be allowed to do, in words; who is allowed what: roles.ts. */
export const PERMISSIONS = {
  work: 'See everything; set up and change automations; reply to followers',
  connect: 'Connect and reconnect accounts',
  sending: 'Choose who emails come from',
  newsletter: 'Send newsletters',
  erase: 'Erase contacts',
  import: 'Import contacts',
  api_key: 'See and rotate the API key',
  members: 'See and help members; choose what is only for members',
  money: 'Set prices; see revenue, payouts and refunds; connect Stripe',
  remove_connection: 'Disconnect accounts',
  team: 'Invite and remove people, change roles and the handle',
  billing: 'See and change plan and billing email',
  export: 'Download all data',
  deletion: 'Choose how long data is kept; delete the creator account',
} as const satisfies Record<string, string>;

export type Permission = keyof typeof PERMISSIONS;
