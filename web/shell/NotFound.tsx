import { Compass } from 'lucide-react';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { EmptyState } from '#web/ui/states.tsx';

/** No screen has this address. */
export function Component() {
  usePageTitle('Page not found');
  return (
    <main id="main" className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<Compass className="size-7" />}
        title="Page not found"
        titleAs="h1"
        action={<ButtonLink to={paths.home}>Go to Creator HQ</ButtonLink>}
      >
        There’s no page at this address. Check the link, or start over from home.
      </EmptyState>
    </main>
  );
}
