import type { SettingsReader } from '#server/settings-reader.ts';

export type KitSettings = {
  url: string;
  /** The operator's app at Kit; null: creators paste an API key. */
  app: { clientId: string; clientSecret: string } | null;
  /** Nothing of it was set: a simulator may stand in. */
  isDefault: boolean;
};

export function readKitSettings(read: SettingsReader): KitSettings {
  read.pair('KIT_CLIENT_ID', 'KIT_CLIENT_SECRET', 'Both are in Kit under Settings > Developer, in your app.');
  const url = read.optionalWebAddress('KIT_URL');
  const [clientId, clientSecret] = [read.text('KIT_CLIENT_ID'), read.text('KIT_CLIENT_SECRET')];
  const app = clientId !== null && clientSecret !== null ? { clientId, clientSecret } : null;
  return { url: url ?? 'https://api.kit.com', app, isDefault: url === null && app === null };
}
