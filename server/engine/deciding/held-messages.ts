/** Messages that wait for a broken link. */

import type { Decision } from './decision.ts';
import type { DeliveryContent } from './message-plan.ts';

/** A message whose link is broken waits while the creator wants it to: see server/engine/outcomes/settle-holds.ts. */
export function holdBack({ interaction, delivery }: Decision, holding: ReadonlySet<string>, now: Date): void {
  if (delivery === null || !holding.has(delivery.automation_id ?? '')) return;
  const { content, lane, due_at, expires_at } = delivery;
  if (lane === 'live_replies' || !carriesLink(content)) return;
  delivery.held_from = due_at;
  delivery.due_at = heldUntil(now, expires_at);
  if (interaction.reason !== 'queued' && interaction.reason !== 'rate_limited') return;
  interaction.reason = 'link_broken';
  interaction.waiting_until = delivery.due_at;
}

/**
 * Until when a message can be held back that the platform takes until `expiresAt`: the last seventh of the time is for sending,
 * for a message whose link may work again later is worth more than none.
 */
export function heldUntil(now: Date, expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - Math.max(0, expiresAt.getTime() - now.getTime()) / 7);
}

/** The message after a tap is only known when it is sent; it may be the link. */
function carriesLink({ step }: DeliveryContent): boolean {
  return step === undefined || step === 'next' || step === 'delivery' || step === 'follow_up';
}
