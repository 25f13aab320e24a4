import type { adminGetFlags } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { FlagName } from '#contract/flags.ts';

export type AllFlags = ResponseOf<typeof adminGetFlags>;
/** One creator's setting of a flag: the same as everyone, or always on or off. */
export type FlagChoice = 'everyone' | 'on' | 'off';

export const FLAG_WORDS: Record<FlagName, string> = {
  mealPlansEnabled: 'Meal plans',
  appLinksEnabled: 'App links',
  storyMentions: 'Story mentions',
  referralFactoryEnabled: 'Refer & Earn',
};

export function choiceOf(own: Partial<Record<FlagName, boolean>>, flag: FlagName): FlagChoice {
  const on = own[flag];
  if (on === undefined) return 'everyone';
  return on ? 'on' : 'off';
}

/** As the server wants it: null makes the creator follow everyone again. */
export function flagValue(choice: FlagChoice): boolean | null {
  return choice === 'everyone' ? null : choice === 'on';
}

/** Creators that differ from everyone, with the one just picked in front if it does not differ yet. */
export function withPicked(
  creators: AllFlags['items'],
  picked: { creatorId: string; handle: string } | null,
): AllFlags['items'] {
  if (!picked || creators.some(({ creatorId }) => creatorId === picked.creatorId)) return creators;
  return [{ ...picked, flags: {} }, ...creators];
}
