/** Every endpoint there is. The OpenAPI document and the tenancy walk read this list, so none can be forgotten. */
import * as admin from '#contract/admin.ts';
import * as apiTokens from '#contract/api-tokens.ts';
import * as automationDrafts from '#contract/automation-drafts.ts';
import * as automations from '#contract/automations.ts';
import * as catchUp from '#contract/catch-up.ts';
import * as clashes from '#contract/clashes.ts';
import * as connections from '#contract/connections.ts';
import * as contacts from '#contract/contacts.ts';
import * as creators from '#contract/creators.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import * as figures from '#contract/figures.ts';
import * as flags from '#contract/flags.ts';
import * as homeNotices from '#contract/home-notices.ts';
import * as interactions from '#contract/interactions.ts';
import * as keywords from '#contract/keywords.ts';
import * as linkGuard from '#contract/link-guard.ts';
import * as outgoingWebhooks from '#contract/outgoing-webhooks.ts';
import * as posts from '#contract/posts.ts';
import * as preparedPosts from '#contract/prepared-posts.ts';
import * as queue from '#contract/queue.ts';
import * as recipes from '#contract/recipes.ts';
import * as replies from '#contract/replies.ts';
import * as session from '#contract/session.ts';
import * as settings from '#contract/settings.ts';
import * as stories from '#contract/stories.ts';
import * as team from '#contract/team.ts';

const features = {
  session,
  creators,
  team,
  settings,
  connections,
  posts,
  stories,
  preparedPosts,
  queue,
  catchUp,
  automations,
  automationDrafts,
  clashes,
  recipes,
  linkGuard,
  keywords,
  replies,
  interactions,
  contacts,
  figures,
  homeNotices,
  outgoingWebhooks,
  apiTokens,
  flags,
  admin,
};

/** Each with the name it is exported by and the feature it belongs to. */
export const ENDPOINTS: { name: string; feature: string; endpoint: Endpoint }[] = Object.entries(features).flatMap(
  ([feature, exports]) =>
    Object.entries(exports)
      .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))
      .map(([name, endpoint]) => ({ name, feature, endpoint })),
);

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
