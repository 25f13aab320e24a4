/** New versions of the plugin: this installation hands out the one that came with it, and says by a signature which file that is. */
import { createHmac } from 'node:crypto';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { getPluginUpdate } from '#contract/plugin.ts';
import { AppError } from '#server/errors.ts';
import { type PluginPackage, packPlugin } from '#server/platforms/wordpress/plugin-package.ts';

export type Packages = () => Promise<PluginPackage>;

/** Packs it once. */
export function packagesOf(hub: string): Packages {
  let packed: Promise<PluginPackage> | null = null;
  return () => {
    packed ??= packPlugin(hub).catch((error: NodeJS.ErrnoException) => {
      packed = null;
      throw error.code === 'ENOENT' ? new AppError('not_found', 'The plugin is not part of this installation.') : error;
    });
    return packed;
  };
}

/** @param signingKey of the site that asks */
export function updateFor(
  { version, tested, requires, requiresPhp, changelog, sha256 }: PluginPackage,
  signingKey: Buffer,
): NonNullable<ResponseOf<typeof getPluginUpdate>['update']> {
  const signed = ['plugin update', version, sha256].join('\n');
  const signature = createHmac('sha256', signingKey).update(signed).digest('base64url');
  return { version, tested, requires, requiresPhp, changelog, sha256, signature };
}
