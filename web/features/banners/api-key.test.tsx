import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { Me } from '#contract/session.ts';
import { getApiKey } from '#contract/settings.ts';
import { Banners } from '#web/features/banners/Banners.tsx';
import { makeQueryClient } from '#web/shell/query-client.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { NowProvider } from '#web/ui/RelativeTime.tsx';

/** How the banners ask for the API key's record. */
function asking(me: Me) {
  const client = makeQueryClient();
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <NowProvider>
          <Banners me={me} invites={null} onOpenInvites={() => {}} />
        </NowProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return client.getQueryCache().find({ queryKey: [getApiKey.path], exact: false })?.options;
}

it('asks for the API key only when the creator id exists, and without a retry', () => {
  expect(asking({ ...EXAMPLE_ME, creatorAccount: null })).toMatchObject({ enabled: false });
  expect(asking(EXAMPLE_ME)).toMatchObject({ enabled: true, retry: false });
});
