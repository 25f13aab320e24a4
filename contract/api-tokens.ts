/** Personal API tokens: another tool acts for one person in one creator, within the scopes they gave it. */
import * as z from 'zod/mini';
import * as appLinks from '#contract/app-links.ts';
import * as automations from '#contract/automations.ts';
import * as contacts from '#contract/contacts.ts';
import { type Endpoint, endpoint } from '#contract/endpoint.ts';
import * as figures from '#contract/figures.ts';
import * as home from '#contract/home.ts';
import * as interactions from '#contract/interactions.ts';
import * as keywords from '#contract/keywords.ts';
import * as members from '#contract/members.ts';
import * as posts from '#contract/posts.ts';
import * as ingredients from '#contract/recipe-ingredients.ts';
import * as recipes from '#contract/recipes.ts';
import * as replies from '#contract/replies.ts';
import * as segments from '#contract/segments.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';
import * as tags from '#contract/tags.ts';
import * as tiers from '#contract/tiers.ts';

/**
 * The endpoints of each scope, in one table: whatever is in no scope, no token can call (accounts, team, billing, connections,
 * export, deletion, webhooks, tokens).
 */
const OPENS = {
  'read:figures': { says: 'Read figures', endpoints: [home.getHome, figures.getFigures, figures.getComparison] },
  'read:interactions': {
    says: 'Read what followers wrote and what was sent',
    endpoints: [interactions.listInteractions, interactions.getInteraction],
  },
  'read:contacts': {
    says: 'Read contacts with their email addresses',
    endpoints: [
      contacts.listContacts,
      contacts.getContact,
      tags.listTags,
      segments.listSegments,
      segments.countSegment,
    ],
  },
  'read:members': {
    says: 'Read members, tiers and figures of memberships',
    endpoints: [members.listMembers, members.getMember, members.getMemberFigures, tiers.listTiers],
  },
  'read:posts': { says: 'Read posts', endpoints: [posts.listPosts, posts.getPost] },
  'read:recipes': {
    says: 'Read recipes and their ingredients',
    endpoints: [recipes.listRecipes, recipes.getRecipe, ingredients.getIngredients],
  },
  'write:recipes': {
    says: 'Create, change and delete recipes and their ingredients',
    endpoints: [recipes.createRecipe, recipes.updateRecipe, recipes.deleteRecipe, ingredients.saveIngredients],
  },
  'read:links': {
    says: 'Read app links and how many people followed them',
    endpoints: [appLinks.listAppLinks, appLinks.getAppLink, appLinks.listAppLinkChanges, appLinks.getAppLinkFigures],
  },
  'write:links': { says: 'Create and change app links', endpoints: [appLinks.createAppLink, appLinks.changeAppLink] },
  'read:automations': {
    says: 'Read and test automations, keywords and replies',
    endpoints: [
      automations.listAutomations,
      automations.getAutomation,
      automations.testComment,
      keywords.listKeywords,
      replies.listReplies,
    ],
  },
  'write:automations': {
    says: 'Create, change, turn on or off, and delete automations',
    endpoints: [
      automations.createAutomation,
      automations.updateAutomation,
      automations.switchAutomation,
      automations.deleteAutomation,
    ],
  },
} as const satisfies Record<string, { says: string; endpoints: readonly Endpoint[] }>;

export const Scope = z.enum(Object.keys(OPENS) as [keyof typeof OPENS, ...(keyof typeof OPENS)[]]);
export type Scope = z.infer<typeof Scope>;

/** In the order of a list of choices. */
export const SCOPES: { scope: Scope; says: string }[] = Scope.options.map((scope) => ({
  scope,
  says: OPENS[scope].says,
}));

const SCOPE_OF = new Map<Endpoint, Scope>(
  Scope.options.flatMap((scope) => OPENS[scope].endpoints.map((one) => [one as Endpoint, scope] as const)),
);

/** The scope that a token needs to call this; null: no token can. */
export function scopeOf(called: Endpoint): Scope | null {
  return SCOPE_OF.get(called) ?? null;
}

export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  /** The first letters, to tell tokens apart. */
  prefix: z.string(),
  scopes: atMost(20, Scope),
  createdAt: Timestamp,
  /** Whom it acts for; null: no longer in the team. */
  createdBy: z.nullable(z.string()),
  yours: z.boolean(),
  expiresAt: z.nullable(Timestamp),
  lastUsedAt: z.nullable(Timestamp),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const listTokens = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/api-tokens',
  access: 'creator',
  summary: 'Active API tokens for this creator, newest first: yours, or the whole team’s if you’re an owner',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: pageOf(ApiToken),
  errors: ['invalid_input'],
});

export const makeToken = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/api-tokens',
  access: 'creator',
  needs: 'api_key',
  quotas: ['tokens', 'tokens_made'],
  makes: true,
  summary: 'Create an API token. It is shown only once',
  params: CreatorParams,
  body: z.object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'A name can have at most 60 characters.')),
    scopes: z.array(Scope).check(z.minLength(1, 'Choose what it can do.')),
    /** Null: it does not end by itself. */
    days: z.nullable(z.int().check(z.minimum(1), z.maximum(366))),
  }),
  response: z.extend(ApiToken, { token: z.string() }),
  errors: ['invalid_input'],
});

export const revokeToken = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/api-tokens/:tokenId',
  access: 'creator',
  needs: 'api_key',
  summary: 'Revoke an API token: one of yours, or any of the team’s if you’re an owner',
  params: z.object({ creatorId: Id, tokenId: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});
