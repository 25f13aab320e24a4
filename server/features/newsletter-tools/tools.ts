/** Which tools there are, and how to reach the one that a creator connected. */
import type { ToolName } from '#contract/newsletter-tools.ts';
import type { Config } from '#server/config.ts';
import { kitTool } from '#server/platforms/newsletter-tools/kit.ts';
import { mailchimpTool } from '#server/platforms/newsletter-tools/mailchimp.ts';
import type { NewsletterTool } from '#server/platforms/newsletter-tools/tool.ts';
import { type Keys, open } from '#server/secrets.ts';

export type ToolDeps = { config: Pick<Config, 'baseUrl' | 'kitUrl' | 'mailchimpUrl'>; keys: Keys };

export function toolOf({ config }: Pick<ToolDeps, 'config'>, name: ToolName, apiKey: string): NewsletterTool {
  return name === 'kit' ? kitTool(config.kitUrl, apiKey) : mailchimpTool(config.mailchimpUrl, apiKey);
}

export function connectedTool(deps: ToolDeps, { tool, secret }: { tool: ToolName; secret: string }): NewsletterTool {
  return toolOf(deps, tool, open(deps.keys.encryptionKeys, secret));
}

/** Where the tool tells us of changes. */
export const HOOKS_PATH = '/webhooks/tools';
