/** The layout as HTML, without a browser: what stands where, and under which condition. */
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { describe, expect, it, test } from 'vitest';
import type { Flags } from '#contract/flags.ts';
import { getEnv, type Me } from '#contract/session.ts';
import { getBillingEmail } from '#contract/settings.ts';
import { AccountTools } from '#web/frames/AccountTools.tsx';
import { FallbackScreen, RouterErrorScreen } from '#web/shell/error-screens.tsx';
import { queryKey } from '#web/shell/queries.ts';
import { draw } from '#web/shell/testing/draw.tsx';
import { EXAMPLE_ME } from '#web/shell/testing/example-me.ts';
import { Alert, type AlertVariant } from '#web/ui/Alert.tsx';

const FLAGS: Flags = {
  mealPlansEnabled: true,
  appLinksEnabled: true,
  storyMentions: true,
  referralFactoryEnabled: true,
};
const ADMIN: Me = {
  ...EXAMPLE_ME,
  account: { ...EXAMPLE_ME.account, isAdmin: true },
  adminAccess: { until: '2100-01-01T00:00:00Z', reason: 'Checking the queue' },
};

describe('the right end of the top bar', () => {
  const tools = (me: Me, configured = true) => {
    const env = {
      intercomAppId: configured ? 'chat' : null,
      referralProgrammeUrl: configured ? 'https://refer.example.com' : null,
    };
    return draw(
      <AccountTools me={me} flags={FLAGS} withSettings invites={{ invites: null, open: false, setOpen: () => {} }} />,
      [
        [queryKey(getEnv, {}), env],
        [
          queryKey(getBillingEmail, { params: { creatorId: me.creatorAccount?._id ?? '' } }),
          { email: 'ada@example.com' },
        ],
      ],
    );
  };

  it('has a live chat button, a Refer & Earn button and the user menu', () => {
    const html = tools(EXAMPLE_ME);
    const places = ['Live chat', 'Refer &amp; Earn', 'Account menu'].map((label) => html.indexOf(label));
    expect(Math.min(...places)).toBeGreaterThan(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(html).not.toContain('Exit Admin Access Mode');
  });

  it('has no live chat where none is configured', () => {
    expect(tools(EXAMPLE_ME, false)).not.toContain('Live chat');
  });

  it('shows an admin Exit Admin Access Mode, to the end-creator-session endpoint, instead of chat and refer', () => {
    for (const admin of [ADMIN, { ...ADMIN, adminAccess: null }]) {
      const html = tools(admin);
      expect(html).toMatch(/<a [^>]*href="\/api\/v1\/auth\/end-creator-session"[^>]*>.*Exit Admin Access Mode/);
      expect(html).not.toContain('Live chat');
      expect(html).not.toContain('Refer &amp; Earn');
    }
  });
});

describe('alerts', () => {
  const variants: AlertVariant[] = ['info', 'infoSecondary', 'warning', 'error', 'success'];

  it('come in five variants that look different', () => {
    expect(new Set(variants.map((variant) => draw(<Alert variant={variant} title="Words" />))).size).toBe(5);
  });

  it('can be dismissed where that is allowed', () => {
    expect(draw(<Alert title="Words" onDismiss={() => {}} />)).toContain('Dismiss');
    expect(draw(<Alert title="Words" />)).not.toContain('Dismiss');
  });
});

describe('error screens', () => {
  test('the fallback reads Whoops, something went wrong.... with a button Head back to Creator-HQ', () => {
    const html = draw(<FallbackScreen />);
    expect(html).toContain('Whoops, something went wrong....');
    expect(html).toMatch(/<a [^>]*href="\/creator-hq"[^>]*>Head back to Creator-HQ<\/a>/);
  });

  test.each([
    ['status and status text of an answer', new Response('', { status: 418, statusText: 'Teapot' }), '418 Teapot'],
    ['the message of an error', new Error('The oven is cold'), 'The oven is cold'],
  ])('the router error screen reads Unexpected Application Error! with %s', async (_what, thrown, words) => {
    const routes = [
      {
        path: '/',
        ErrorBoundary: RouterErrorScreen,
        loader: () => {
          throw thrown;
        },
        Component: FallbackScreen,
      },
    ];
    const handler = createStaticHandler(routes);
    const context = await handler.query(new Request('http://localhost/'));
    if (context instanceof Response) throw new Error('No redirect was asked for');
    const html = renderToStaticMarkup(
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />,
    );
    expect(html).toContain('Unexpected Application Error!');
    expect(html).toContain(words);
  });
});
