import { Hammer } from 'lucide-react';
import { matchPath, useLocation } from 'react-router';
import { UNBUILT_SCREENS } from '#web/features/being-built/screens.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Says plainly that a screen is not there yet, and what it will be. */
export function Component() {
  const { pathname } = useLocation();
  const pattern = Object.keys(UNBUILT_SCREENS).find((path) => matchPath(path, pathname));
  const screen = pattern ? UNBUILT_SCREENS[pattern] : undefined;
  if (!screen) throw new Error(`No words for the unbuilt screen ${pathname}`);
  const { title, says } = screen;
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon={<Hammer className="size-7" />}
        title="Coming soon"
        titleAs="h2"
        action={
          <ButtonLink variant="secondary" to={paths.home}>
            Go to Home
          </ButtonLink>
        }
      >
        <p>What’s coming: {says}</p>
      </EmptyState>
    </>
  );
}
