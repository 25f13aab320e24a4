/** The screens of the spec's section 2 for what nobody expected. */
import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { paths } from '#web/paths.ts';
import { LogoMark } from '#web/shell/Logo.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { LinkButton } from '#web/ui/Button.tsx';

/** A screen broke or its code could not be fetched. The link reloads the app: its state may be what broke it. */
export function FallbackScreen() {
  usePageTitle('Something went wrong');
  return (
    <div className="grid min-h-[70dvh] place-items-center p-4 text-center">
      <div className="flex flex-col items-center gap-5">
        <LogoMark className="size-12 opacity-60" />
        <h1 className="font-semibold text-2xl">Whoops, something went wrong....</h1>
        <LinkButton href={paths.home}>Head back to Creator-HQ</LinkButton>
      </div>
    </div>
  );
}

/** Boundary of single screens: a route's own error answer is shown as such, everything else as the fallback. */
export function ScreenErrorBoundary() {
  const error = useRouteError();
  return isRouteErrorResponse(error) ? <RouterErrorScreen /> : <FallbackScreen />;
}

/** Boundary of the whole app: status and status text of an answer, or the error's message. */
export function RouterErrorScreen() {
  const error = useRouteError();
  usePageTitle('Unexpected error');
  useEffect(() => console.error(error), [error]);
  const what = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : error instanceof Error
      ? error.message
      : String(error);
  return (
    <div className="grid min-h-[70dvh] place-items-center p-4 text-center">
      <div className="flex flex-col items-center gap-4">
        <LogoMark className="size-12 opacity-60" />
        <h1 className="font-semibold text-2xl">Unexpected Application Error!</h1>
        <p className="max-w-prose break-words text-muted">{what}</p>
        <LinkButton href={paths.home}>Head back to Creator-HQ</LinkButton>
      </div>
    </div>
  );
}
