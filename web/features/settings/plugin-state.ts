import { pluginBanner } from '#contract/versions.ts';
import type { BadgeTone } from '#web/ui/Badge.tsx';

type Plugin = { pluginVersion: string | null; expectedPluginVersion: string | null };

/** How the WordPress plugin is doing, in a word and a sentence. The same conditions as the two plugin banners. */
export function pluginState(plugin: Plugin): { label: string; tone: BadgeTone; words: string } {
  const { pluginVersion: installed, expectedPluginVersion: expected } = plugin;
  if (installed === null) {
    return {
      label: 'Not registered',
      tone: expected === null ? 'neutral' : 'warning',
      words: 'No WordPress site has used this key yet. Install the plugin on your site and paste in the key.',
    };
  }
  if (pluginBanner(plugin) === 'update') {
    return {
      label: 'Update available',
      tone: 'warning',
      words: `Your site runs version ${installed}; ${expected} is the latest. Update it in WordPress.`,
    };
  }
  return { label: 'Up to date', tone: 'accent', words: `Your site runs version ${installed}.` };
}
