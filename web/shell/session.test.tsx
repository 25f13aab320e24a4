import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { makeQueryClient } from '#web/shell/query-client.ts';
import { forgetSession, LetInContext, useCreator } from '#web/shell/session.ts';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';

describe('whose screen it is', () => {
  it('is what the frame let in, although the session ended before the screen was drawn to its end', () => {
    const client = makeQueryClient();
    forgetSession(client, { onPurpose: true });
    const html = renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <LetInContext value={EXAMPLE_ME}>
          <Screen />
        </LetInContext>
      </QueryClientProvider>,
    );
    expect(html).toBe('ada.cooks');
  });

  it('is nobody’s outside of a frame', () => {
    expect(() => renderToStaticMarkup(<Screen />)).toThrow('useCreator is for screens of the main group');
  });
});

function Screen() {
  return useCreator().creatorAccount.handle;
}
