/** Webhooks of one account: asked for, read back, repaired. Meta may unsubscribe us in silence (reference 2.7). */
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import { failureDetail } from '#server/platforms/meta/client.ts';
import { type Kind, missingWebhooks, wantedWebhooks } from './permissions.ts';

/** Which login's token speaks. */
export function kindOf(speaker: Speaker): Kind {
  return { platform: speaker.platform, login: speaker.via === 'instagram' ? 'instagram' : 'facebook' };
}

/** Subscriptions missing after asking for all; those Meta did not name count as missing. */
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

/**
 * Reads them and subscribes again where something is missing. Null: Meta did not answer.
 *
 * @param completely also where only webhooks are missing that we can do without: those of an account that was connected
 * before we wanted them. Meta may refuse some for good, or not tell of them: not to be asked with every check.
 */
export async function ensureSubscribed(
  meta: MetaClient,
  speaker: Speaker,
  { completely }: { completely: boolean },
): Promise<{ missing: string[]; repaired: boolean; detail: string | null } | null> {
  const kind = kindOf(speaker);
  const before = await meta.readSubscriptions(speaker);
  if (!before.ok) return null;
  const missing = missingWebhooks(kind, before.data);
  if (missing.length > 0) {
    const after = await subscribe(meta, speaker);
    return { ...after, repaired: after.missing.length < missing.length };
  }
  const fields = wantedWebhooks(kind.login);
  const isComplete = fields.every((field) => before.data.includes(field));
  const asked = isComplete || !completely ? null : await meta.subscribe({ ...speaker, fields });
  return { missing, repaired: false, detail: asked === null || asked.ok ? null : failureDetail(asked) };
}
