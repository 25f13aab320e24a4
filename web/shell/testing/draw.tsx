import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { makeQueryClient } from '#web/shell/query-client.ts';
import { LetInContext } from '#web/shell/session.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { NowProvider } from '#web/ui/RelativeTime.tsx';

export type Answered = [key: unknown[], answer: unknown];

/** A screen as HTML, without a browser: drawn once, for `EXAMPLE_ME`, with what the server would have answered. */
export function draw(screen: ReactNode, answers: Answered[] = [], at = '/'): string {
  const client = makeQueryClient();
  for (const [key, answer] of answers) client.setQueryData(key, answer);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[at]}>
        <NowProvider>
          <LetInContext value={EXAMPLE_ME}>{screen}</LetInContext>
        </NowProvider>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  client.clear();
  return html;
}
