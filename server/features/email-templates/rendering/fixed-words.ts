/** Words of a mail that are ours. */
import type { EmailType } from '#contract/email-templates.ts';
import type { Facts } from './facts.ts';

export const STOP = 'Not you? Stop emails to this address';
export const UNSUBSCRIBE = 'Unsubscribe';
export const ALSO_SAVED = 'Also saved';
export const COOKBOOK = 'Your cookbook';
export const VIEW = 'View on the blog';

export function moreOnPage({ moreIngredients }: Facts): string {
  return `…and ${moreIngredients} more on the page`;
}

/** Time and yield of the recipe; empty where neither is known. */
export function factsLine({ fields }: Facts): string {
  return [fields['recipe.time'], fields['recipe.yield']].filter((fact) => fact !== '').join(' · ');
}

export function why(type: EmailType, { creatorName, host }: Facts): string {
  const where = host === null ? '' : ` on ${host}`;
  switch (type) {
    case 'save-to-email':
      return `You got this email because your address was entered to save this recipe${where}. It’s not a subscription.`;
    case 'confirmation':
      return `You got this email because your address was entered to sign up for recipes from ${creatorName}. If you don’t confirm, you won’t get any.`;
    case 'correction':
      return `You got this email because you saved this recipe${where}.`;
    default:
      return `You got this email because you signed up for recipes from ${creatorName}.`;
  }
}

/** Of what somebody subscribes to; a correction comes with what they saved. */
export function isSubscription(type: EmailType): boolean {
  return type !== 'save-to-email' && type !== 'confirmation' && type !== 'correction';
}
