import type { SettingsReader } from '#server/settings-reader.ts';
import { pluginVersion } from './plugin-package.ts';

export type WordPressSettings = {
  /** The version of the plugin that should be installed, and where it is to be had. */
  plugin: { version: string | null; downloadUrl: string };
};

/** @param baseUrl where we hand out the plugin that came with us */
export function readWordPressSettings(read: SettingsReader, baseUrl: string): WordPressSettings {
  return {
    plugin: {
      version: read.text('PLUGIN_VERSION') ?? pluginVersion(),
      downloadUrl: read.optionalWebAddress('PLUGIN_DOWNLOAD_URL') ?? `${baseUrl}/api/v1/plugin/creator-hq.zip`,
    },
  };
}
