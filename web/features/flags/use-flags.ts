import { useEffect, useState } from 'react';
import type { Flags } from '#contract/flags.ts';
import type { Me } from '#contract/session.ts';
import { useEnv } from '#web/shell/session.ts';

const ALL_OFF: Flags = {
  mealPlansEnabled: false,
  appLinksEnabled: false,
  storyMentions: false,
  referralFactoryEnabled: false,
};

/** The flags of this person and creator; null until they are known. They stay up to date. */
export function useFlags({ account, creatorAccount }: Me): Flags | null {
  const env = useEnv();
  const userId = account._id;
  const creatorId = creatorAccount?._id;
  const [known, setKnown] = useState<{ creatorId: string; flags: Flags } | null>(null);
  const clientId = env.data?.featureFlagClientId ?? null;

  useEffect(() => {
    // Who decides must be known before anybody is asked.
    if (env.isPending || creatorId === undefined) return;
    let stop = () => {};
    let left = false;
    const tell = (flags: Flags) => setKnown({ creatorId, flags });
    import('#web/features/flags/openfeature.ts').then(
      ({ watchFlags }) => {
        if (!left) stop = watchFlags({ userId, creatorId, clientId }, tell);
      },
      () => tell(ALL_OFF),
    );
    return () => {
      left = true;
      stop();
    };
  }, [env.isPending, clientId, userId, creatorId]);

  return known && known.creatorId === creatorId ? known.flags : null;
}
