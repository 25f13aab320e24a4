import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { Me } from '#contract/session.ts';
import { keepConsent, readConsent } from '#web/features/reporting/consent.ts';
import { identityEvent, NOBODY, pageViewEvent, push, startTagManager } from '#web/features/reporting/data-layer.ts';
import { Button } from '#web/ui/Button.tsx';

/**
 * Feeds the tag manager of this install, for who agreed. We cannot know under which law somebody reads us, so everybody is
 * asked once; nothing is fetched or written before.
 */
export function Statistics({ me, tagManagerId, baseUrl }: { me: Me; tagManagerId: string; baseUrl: string }) {
  const [consent, setConsent] = useState(readConsent);
  const { pathname } = useLocation();
  const agreed = consent === 'given';
  const identity = JSON.stringify(identityEvent(me, baseUrl));

  useEffect(() => {
    if (!agreed) return;
    push(JSON.parse(identity));
    startTagManager(tagManagerId, Date.now());
  }, [agreed, identity, tagManagerId]);
  useEffect(() => {
    if (agreed) push(pageViewEvent(pathname));
  }, [agreed, pathname]);
  useEffect(() => {
    if (agreed) return () => push(NOBODY);
  }, [agreed]);

  if (consent !== 'not asked') return null;
  const answer = (given: 'given' | 'refused') => {
    keepConsent(given);
    setConsent(given);
  };
  return (
    // In the flow, after everything: whatever it covers can be scrolled out from under it.
    <section
      aria-label="Statistics"
      className="sticky bottom-3 z-30 mx-3 my-3 flex flex-col sm:mx-auto sm:max-w-xl gap-3 rounded-lg border border-line bg-raised p-4 shadow-raised sm:flex-row sm:items-center"
    >
      <p className="flex-1 text-sm">
        May we measure how Creator HQ is used? It helps us see what works. Your messages and your followers are never
        part of it.
      </p>
      <div className="flex shrink-0 gap-2">
        <Button size="small" variant="secondary" onClick={() => answer('refused')}>
          No
        </Button>
        <Button size="small" variant="secondary" onClick={() => answer('given')}>
          Yes
        </Button>
      </div>
    </section>
  );
}
