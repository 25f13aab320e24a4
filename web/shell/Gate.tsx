import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths } from '#web/paths.ts';
import { type RouteGroup, redirectFor } from '#web/shell/guards.ts';
import { hasEnded, type Session, useSession, wasLeftOnPurpose } from '#web/shell/session.ts';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';
import { ErrorState } from '#web/ui/states.tsx';

/** Where to go after logging in, when the way led from a screen of the app to the login page. */
export type LoginState = { from?: string; ended?: boolean } | null;

type Props = { group: RouteGroup; children: (session: Session) => ReactNode };

/** Lets a screen show itself to those it is for, and leads the others where they belong. */
export function Gate({ group, children }: Props) {
  const session = useSession();
  const location = useLocation();
  if (session.isPending) return <CenteredSpinner />;
  // A later call that failed takes nothing away from what is known.
  if (session.isError && session.data === undefined) {
    return (
      <ErrorState title={session.error.title} onRetry={() => session.refetch()} retrying={session.isFetching}>
        {session.error.detail}
      </ErrorState>
    );
  }
  const target = redirectFor(group, session.data);
  if (target === null) return children(session.data);
  if (target === paths.login && !wasLeftOnPurpose()) {
    const state: LoginState = { from: location.pathname + location.search, ended: hasEnded() };
    return <Navigate to={target} replace state={state} />;
  }
  const from = group === 'public' ? (location.state as LoginState)?.from : undefined;
  return <Navigate to={from ?? target} replace />;
}
