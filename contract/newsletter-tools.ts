/** Newsletter tools that get the contacts who confirmed, and tell us who left. Kit has a path of its own. */
import * as z from 'zod/mini';
import { API_BASE, endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

export const ToolName = z.enum(['kit', 'mailchimp']);
export type ToolName = z.infer<typeof ToolName>;

export const TOOL_NAMES: Record<ToolName, string> = { kit: 'Kit', mailchimp: 'Mailchimp' };

/** A tag of Kit, an audience of Mailchimp. */
const Target = z.object({ id: z.string(), name: z.string() });

export const DataIntegration = z.object({
  id: Id,
  tool: ToolName,
  /** `reconnect`: it does not take the key or login any more. */
  state: z.enum(['on', 'off', 'reconnect']),
  /** What is wrong, in words; null: nothing. */
  because: z.nullable(z.string()),
  accountName: z.string(),
  target: z.nullable(Target),
  /** Contacts that were sent, wait to be, and that it refused. */
  sent: z.int(),
  waiting: z.int(),
  failed: z.int(),
  /** Confirmed contacts that it was never told of. */
  unsent: z.int(),
  /** Until all that wait are sent, as fast as the tool allows. */
  minutesLeft: z.int(),
  lastSentAt: z.nullable(Timestamp),
  connectedAt: Timestamp,
});
export type DataIntegration = z.infer<typeof DataIntegration>;

/** Full-page navigation: to Kit and back to Settings, with `kitProblem=CODE` where it did not end in a connection. */
export const kitAuthorizePath = (creatorId: string) => `${API_BASE}/creators/${creatorId}/convert-kit/authorize`;
/** To be registered in the app at Kit, below the hub's address. */
export const KIT_CALLBACK = `${API_BASE}/convert-kit/callback`;

export const KitProblem = z.enum(['refused', 'state_mismatch', 'expired', 'kit_error']);
export type KitProblem = z.infer<typeof KitProblem>;

const MOST_TARGETS = 1000;
const IntegrationParams = z.object({ creatorId: Id, integrationId: Id });
const ApiKey = z
  .string()
  .check(z.trim(), z.minLength(10, 'Paste the API key.'), z.maxLength(200, 'That’s too long for a key.'));
const refreshedBy = ['account'] as const;

export const listIntegrations = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/data-integrations',
  access: 'creator',
  summary: 'Connected newsletter tools and what they were sent',
  params: CreatorParams,
  refreshedBy,
  response: z.object({
    items: atMost(2, DataIntegration),
    /** Kit is connected by going there (`kitAuthorizePath`); else with an API key. */
    kitLogin: z.boolean(),
  }),
});

export const connectMailchimp = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/data-integrations',
  access: 'creator',
  needs: 'export',
  summary: 'Connect Mailchimp with an API key; nothing is sent before an audience is chosen',
  params: CreatorParams,
  body: z.object({ apiKey: ApiKey }),
  response: DataIntegration,
  errors: ['invalid_input', 'tool_refused', 'tool_unreachable'],
});

export const getKit = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/convert-kit',
  access: 'creator',
  summary: 'Whether Kit is connected',
  params: CreatorParams,
  refreshedBy,
  response: z.object({ integration: z.nullable(DataIntegration) }),
});

export const connectKit = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/convert-kit',
  access: 'creator',
  needs: 'export',
  summary: 'Connect Kit with an API key, or renew its key',
  params: CreatorParams,
  body: z.object({ apiKey: ApiKey }),
  response: DataIntegration,
  errors: ['invalid_input', 'tool_refused', 'tool_unreachable'],
});

export const changeIntegration = endpoint({
  method: 'PATCH',
  path: '/creators/:creatorId/data-integrations/:integrationId',
  access: 'creator',
  needs: 'export',
  summary: 'Turn a tool on or off, or choose the tag or audience that contacts are added to',
  params: IntegrationParams,
  body: z.object({
    on: z.optional(z.boolean()),
    /** Null: none. Mailchimp needs one. */
    targetId: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  }),
  response: DataIntegration,
  errors: ['invalid_input', 'not_found', 'not_possible_now', 'tool_refused', 'tool_unreachable'],
});

export const disconnectTool = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/data-integrations/:integrationId',
  access: 'creator',
  needs: 'export',
  summary: 'Disconnect a tool. Contacts stay, here and there',
  params: IntegrationParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const listTargets = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/data-integrations/:integrationId/targets',
  access: 'creator',
  needs: 'export',
  summary: 'Tags or audiences of the tool',
  params: IntegrationParams,
  response: z.object({ items: atMost(MOST_TARGETS, Target) }),
  errors: ['not_found', 'tool_refused', 'tool_unreachable'],
});

export const backFill = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/data-integrations/:integrationId/back-fill',
  access: 'creator',
  needs: 'export',
  summary: 'Send all confirmed contacts that the tool was never told of',
  params: IntegrationParams,
  response: DataIntegration,
  errors: ['not_found', 'not_possible_now'],
});

export const retryFailed = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/data-integrations/:integrationId/retry',
  access: 'creator',
  needs: 'export',
  summary: 'Try again what the tool refused: one contact, or all',
  params: IntegrationParams,
  body: z.object({ contactId: z.optional(Id) }),
  response: DataIntegration,
  errors: ['not_found'],
});

export const leaveFailed = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/data-integrations/:integrationId/leave',
  access: 'creator',
  needs: 'export',
  summary: 'Leave out a contact that the tool refused, until they change',
  params: IntegrationParams,
  body: z.object({ contactId: Id }),
  response: DataIntegration,
  errors: ['not_found'],
});

export const IntegrationFailure = z.object({ contactId: Id, email: z.string(), reason: z.string() });
export type IntegrationFailure = z.infer<typeof IntegrationFailure>;

export const listFailures = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/data-integrations/:integrationId/failures',
  access: 'creator',
  personal: true,
  summary: 'Contacts that the tool refused, and why',
  params: IntegrationParams,
  query: z.object(PageQuery),
  response: pageOf(IntegrationFailure),
  errors: ['not_found', 'invalid_input'],
});
