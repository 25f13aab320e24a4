/** Every page of the web app. Each screen's code is fetched when it is first shown. */
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router';
import { adminRoutes } from '#web/features/admin/routes.tsx';
import { LEGACY_PATHS, paths } from '#web/paths.ts';
import { RouterErrorScreen, ScreenErrorBoundary } from '#web/shell/error-screens.tsx';
import { fetchCode } from '#web/shell/fetch-code.ts';
import type { PublicHandle } from '#web/shell/PublicLayout.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';
import { showToast } from '#web/ui/toast.ts';

const INSTAGRAM_SUCCESS = 'instagramAuthSuccess';

const publicScreens: RouteObject[] = [
  { path: paths.login, lazy: () => import('#web/features/people/LoginPage.tsx') },
  { path: paths.signup, lazy: () => import('#web/features/people/SignupPage.tsx') },
  { path: paths.forgotPassword, lazy: () => import('#web/features/people/ForgotPasswordPage.tsx') },
  { path: paths.passwordReset, lazy: () => import('#web/features/people/PasswordResetPage.tsx') },
  {
    path: paths.verifyEmail,
    handle: { open: true } satisfies PublicHandle,
    lazy: () => import('#web/features/people/VerifyEmailPage.tsx'),
  },
];

const mainScreens: RouteObject[] = [
  { path: paths.home, lazy: () => import('#web/features/home/HomePage.tsx') },
  { path: paths.commentForDm, lazy: () => import('#web/features/posts/CommentForDmPage.tsx') },
  { path: paths.postsAndReels, lazy: () => import('#web/features/posts/PostsPage.tsx') },
  { path: paths.customKeywords, lazy: () => import('#web/features/libraries/KeywordsPage.tsx') },
  { path: paths.customReplies, lazy: () => import('#web/features/libraries/RepliesPage.tsx') },
  { path: paths.storiesAndLives, lazy: () => import('#web/features/stories/StoriesPage.tsx') },
  { path: paths.storiesAndLivesAnalytics, lazy: () => import('#web/features/stories/StoryAnalyticsPage.tsx') },
  { path: paths.storyMentions, lazy: () => import('#web/features/stories/StoryMentionsPage.tsx') },
  ...[
    paths.shopTheRecipe,
    paths.shopTheRecipeSettings,
    paths.recipes,
    `${paths.recipes}/:recipeId`,
    paths.mealPlans,
    `${paths.mealPlans}/:mealPlanId`,
    `${paths.mealPlans}/:mealPlanId/edit-ingredients`,
  ].map((path) => ({
    path,
    lazy: () => import('#web/features/recipes/RecipeScreens.tsx'),
  })),
  { path: paths.appLinks, lazy: () => import('#web/features/app-links/AppLinksPage.tsx') },
  { path: paths.contacts, lazy: () => import('#web/features/contacts/ContactsPage.tsx') },
  { path: `${paths.saveToEmail}/*`, lazy: () => import('#web/features/save-to-email/SaveToEmailScreens.tsx') },
  { path: paths.facebookSuccess, lazy: () => import('#web/features/connections/FacebookSuccessPage.tsx') },
  { path: paths.settings, lazy: () => import('#web/features/settings/SettingsPage.tsx') },
  { path: paths.planUpgrade, lazy: () => import('#web/features/plans/PlanUpgradePage.tsx') },
  { path: paths.checkout, lazy: () => import('#web/features/plans/CheckoutPage.tsx') },
  { path: paths.memberships, lazy: () => import('#web/features/memberships/MembershipsPage.tsx') },
];

const legacyRedirects: RouteObject[] = Object.entries(LEGACY_PATHS).map(([path, target]) => ({
  path: `${paths.home}/${path}`,
  Component: Nothing,
  loader: ({ request, params }: LoaderFunctionArgs) => redirect(target(params) + new URL(request.url).search),
}));

const routes: RouteObject[] = [
  {
    ErrorBoundary: RouterErrorScreen,
    HydrateFallback: FirstScreen,
    loader: noticeInstagramSuccess,
    shouldRevalidate: ({ nextUrl }) => nextUrl.searchParams.has(INSTAGRAM_SUCCESS),
    children: [
      { path: paths.root, Component: Nothing, loader: () => redirect(paths.home) },
      ...legacyRedirects,
      ...guarded([
        { lazy: () => import('#web/shell/PublicLayout.tsx'), children: guarded(publicScreens) },
        {
          lazy: () => import('#web/frames/SetupFrame.tsx'),
          children: guarded([
            { path: paths.accountSetup, lazy: () => import('#web/features/people/AccountSetupPage.tsx') },
          ]),
        },
        { lazy: () => import('#web/frames/MainFrame.tsx'), children: guarded(mainScreens) },
        { lazy: () => import('#web/frames/AdminFrame.tsx'), children: guarded(adminRoutes) },
        { path: paths.help, lazy: () => import('#web/features/help/HelpPage.tsx') },
      ]),
      { path: '*', lazy: () => import('#web/shell/NotFound.tsx') },
    ],
  },
];

/**
 * A screen that breaks leaves the layout around it standing. The boundary has a route of its own: on a route whose code
 * failed to load React Router 8.5 would draw nothing at all.
 */
function guarded(screens: RouteObject[]): RouteObject[] {
  return [{ ErrorBoundary: ScreenErrorBoundary, children: screens }];
}

/** Back from Instagram's login, on whatever screen: say so once, and take the note out of the address. */
function noticeInstagramSuccess({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  if (!url.searchParams.has(INSTAGRAM_SUCCESS)) return null;
  showToast({ tone: 'success', title: 'Instagram authenticated successfully' });
  url.searchParams.delete(INSTAGRAM_SUCCESS);
  return redirect(url.pathname + url.search);
}

/** Never seen: the loader leads away. */
function Nothing() {
  return null;
}

function FirstScreen() {
  return <CenteredSpinner />;
}

/** Every screen's code, fetched again after a lost network or a deploy. */
function fetchedAgain(screens: RouteObject[]): RouteObject[] {
  return screens.map((screen) => {
    const { lazy, children } = screen;
    if (typeof lazy === 'function')
      screen.lazy = () => fetchCode(lazy, () => router?.state.navigation.location ?? location);
    if (children) screen.children = fetchedAgain(children);
    return screen;
  });
}

let router: ReturnType<typeof createBrowserRouter> | undefined;

export function makeRouter() {
  router = createBrowserRouter(fetchedAgain(routes));
  return router;
}
