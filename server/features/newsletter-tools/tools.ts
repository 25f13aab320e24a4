/** Which tools there are, and how to reach the one that a creator connected. */
import type { ToolName } from '#contract/newsletter-tools.ts';
import { kitTool } from '#server/platforms/newsletter-tools/kit.ts';
import { mailchimpTool } from '#server/platforms/newsletter-tools/mailchimp.ts';
import type { NewsletterTool } from '#server/platforms/newsletter-tools/tool.ts';
import { openOrNull } from '#server/secrets.ts';
import { kitTokenOf } from './kit-tokens.ts';
import type { IntegrationRow, ToolDeps } from './tool-deps.ts';

export function toolOf({ config }: Pick<ToolDeps, 'config'>, name: ToolName, apiKey: string): NewsletterTool {
  return name === 'kit' ? kitTool(config.kit.url, { apiKey }) : mailchimpTool(config.mailchimpUrl, apiKey);
}

/** A secret that cannot be opened any more is one that the tool refuses. */
export function connectedTool(deps: ToolDeps, row: IntegrationRow): NewsletterTool {
  if (row.refresh_secret !== null) return kitTool(deps.config.kit.url, { token: kitTokenOf(deps, row) });
  return toolOf(deps, row.tool, openOrNull(deps.keys.encryptionKeys, row.secret) ?? '');
}

/** Where the tool tells us of changes. */
export const HOOKS_PATH = '/webhooks/tools';
