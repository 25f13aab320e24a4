import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { startErrorReporting } from '#web/features/reporting/error-reporting.ts';
import { makeRouter } from '#web/routes.tsx';
import { makeQueryClient } from '#web/shell/query-client.ts';
import { envQuery, sessionQuery } from '#web/shell/session.ts';
import { applyTheme, readTheme } from '#web/shell/theme.ts';
import { showKeptToast } from '#web/shell/toast-after-load.ts';
import { Toaster } from '#web/ui/Toaster.tsx';

applyTheme(readTheme());

// Every screen waits for these two: ask while the screen's own code is still on its way.
const queryClient = makeQueryClient();
void queryClient.prefetchQuery(sessionQuery);
void queryClient.prefetchQuery(envQuery);
startErrorReporting(queryClient);
showKeptToast();

// In tasks of their own: a slow phone is not held up by starting everything in one go.
setTimeout(() => {
  const router = makeRouter();
  setTimeout(() => draw(router));
});

function draw(router: ReturnType<typeof makeRouter>): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const app = (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
      </QueryClientProvider>
    </StrictMode>
  );
  // Drawn in slices.
  startTransition(() => createRoot(root).render(app));
}
