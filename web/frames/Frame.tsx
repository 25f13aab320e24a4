import type { ReactNode } from 'react';
import type { Me } from '#contract/session.ts';
import { Statistics } from '#web/features/reporting/Statistics.tsx';
import { MovedScreen } from '#web/features/switching/MovedScreen.tsx';
import { useSessionWatch } from '#web/features/switching/use-session-watch.ts';
import { Gate } from '#web/shell/Gate.tsx';
import type { RouteGroup } from '#web/shell/guards.ts';
import { LetInContext, useEnv, useMovedTo } from '#web/shell/session.ts';

type Props = { group: Exclude<RouteGroup, 'public'>; children: (me: Me) => ReactNode };

/** Around everything behind the login: lets in whom it is for, and stops when the session has moved to another creator. */
export function Frame({ group, children }: Props) {
  return <Gate group={group}>{(me) => me && <Inside me={me}>{children}</Inside>}</Gate>;
}

function Inside({ me, children }: { me: Me; children: (me: Me) => ReactNode }) {
  useSessionWatch();
  const env = useEnv().data;
  const now = useMovedTo();
  if (now) return <MovedScreen shown={me} now={now} />;
  return (
    <LetInContext value={me}>
      {children(me)}
      {env?.tagManagerId && <Statistics me={me} tagManagerId={env.tagManagerId} baseUrl={env.baseUrl} />}
    </LetInContext>
  );
}
