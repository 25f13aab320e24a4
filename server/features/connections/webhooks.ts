/** Webhooks of one account: asked for, read back, repaired. Meta may unsubscribe us in silence (reference 2.7). */
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import { failureDetail } from '#server/platforms/meta/client.ts';
import { type Kind, missingWebhooks, wantedWebhooks } from './asking.ts';

/** Which login's token speaks. */
export function kindOf(speaker: Speaker): Kind {
  return { platform: speaker.platform, login: speaker.via === 'instagram' ? 'instagram' : 'facebook' };
}

/** What is missing after asking for all; what Meta did not say counts as missing. */
export async function subscribe(
  meta: MetaClient,
  speaker: Speaker,
): Promise<{ missing: string[]; detail: string | null }> {
  const kind = kindOf(speaker);
  const asked = await meta.subscribe({ ...speaker, fields: wantedWebhooks(kind.login) });
  const subscribed = await meta.readSubscriptions(speaker);
  if (subscribed.ok) {
    return { missing: missingWebhooks(kind, subscribed.data), detail: asked.ok ? null : failureDetail(asked) };
  }
  return { missing: missingWebhooks(kind, []), detail: failureDetail(subscribed) };
}

/** Reads them and subscribes again where something is missing. Null: Meta did not answer. */
export async function ensureSubscribed(
  meta: MetaClient,
  speaker: Speaker,
): Promise<{ missing: string[]; repaired: boolean } | null> {
  const kind = kindOf(speaker);
  const before = await meta.readSubscriptions(speaker);
  if (!before.ok) return null;
  const missing = missingWebhooks(kind, before.data);
  if (missing.length === 0) return { missing, repaired: false };
  const after = await subscribe(meta, speaker);
  return { missing: after.missing, repaired: after.missing.length < missing.length };
}
