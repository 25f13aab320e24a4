/** How long lists, searches and figures of one creator take, over HTTP against the real program and a real PostgreSQL. */
import { getAppLink, getAppLinkFigures, listAppLinks } from '#contract/app-links.ts';
import { listAutomations } from '#contract/automations.ts';
import { listMisses, previewCatchUp, previewPostCatchUp } from '#contract/catch-up.ts';
import { listContacts } from '#contract/contacts.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { getComparison, getFigures } from '#contract/figures.ts';
import { getHome } from '#contract/home.ts';
import { listInteractions } from '#contract/interactions.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { getListFigures } from '#contract/list-figures.ts';
import { getPlanIngredients } from '#contract/meal-plan-ingredients.ts';
import { getMealPlan, listMealPlans } from '#contract/meal-plans.ts';
import { listPosts } from '#contract/posts.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listExpiring, listQueues } from '#contract/queue.ts';
import { getIngredients } from '#contract/recipe-ingredients.ts';
import { getRecipe, listRecipes } from '#contract/recipes.ts';
import { getMe } from '#contract/session.ts';
import { getStoryAnalytics, listStories, listStoryMentions } from '#contract/stories.ts';
import type { BusyCreator, CreatorSize } from './busy-creator.ts';
import { type BusyOptions, startBusyProgram } from './busy-program.ts';
import { percentile } from './load.ts';

export type ListTime = { name: string; rows: number; p50Ms: number; p95Ms: number };

/** The limits for every list and search. */
const LIMIT_MS = 100;

/**
 * @param options.calls of each list
 * @param options.only a regular expression for the names of lists
 */
export async function measureLists(
  size: CreatorSize,
  options: BusyOptions & { calls: number; only?: string | undefined },
): Promise<ListTime[]> {
  await using program = await startBusyProgram(size, options);
  const { url, cookie, creatorId, creator } = program;
  const times: ListTime[] = [];
  for (const [name, path, query] of listsOf(creator)) {
    if (options.only !== undefined && !new RegExp(options.only).test(name)) continue;
    const address = `${url}${API_BASE}${path.replace(':creatorId', creatorId)}?${new URLSearchParams(query)}`;
    const time = await measureOne(name, address, cookie, options.calls);
    times.push(time);
    const tooSlow = time.p95Ms > LIMIT_MS ? '  TOO SLOW' : '';
    console.log(
      `${time.p50Ms.toFixed(0).padStart(5)} ms p50 ${time.p95Ms.toFixed(0).padStart(5)} ms p95  ${String(time.rows).padStart(3)} rows  ${name}${tooSlow}`,
    );
  }
  return times;
}

async function measureOne(name: string, address: string, cookie: string, calls: number): Promise<ListTime> {
  const call = async () => {
    const from = performance.now();
    const response = await fetch(address, { headers: { cookie } });
    const body = (await response.json()) as { items?: unknown[] };
    if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
    return { ms: performance.now() - from, rows: body.items?.length ?? 1 };
  };
  const { rows } = await call();
  const times: number[] = [];
  for (let done = 0; done < calls; done++) times.push((await call()).ms);
  return { name, rows, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

type Asked = [name: string, path: string, query: Record<string, string>];

/** Every list, search and figure of the screens, common cases and the worst ones we know. */
function listsOf({ connectionId, automationId, handle, recipeId, appLinkId, mealPlanId }: BusyCreator): Asked[] {
  const contact = (id: string) => `${listContacts.path}/${connectionId}.${id}`;
  const ofPost = (path: string, postId: string) => path.replace(':postId', postId);
  const never = '00000000-0000-7000-8000-000000000000';
  const today = new Date();
  const year = {
    from: new Date(today.getTime() - 360 * 86_400_000).toISOString().slice(0, 10),
    to: today.toISOString().slice(0, 10),
  };
  const contactFilters = [
    'with_email',
    'followers',
    'not_followers',
    'following_unknown',
    'stopped',
    'taken_over',
    'blocked',
  ];
  const outcomes = ['replied', 'waiting', 'skipped', 'missed', 'failed', 'expired'];
  const kinds = ['comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message', 'button_tap'];
  return [
    ['me', getMe.path, {}],
    ['home', getHome.path, {}],
    ['contacts', listContacts.path, {}],
    ['contacts, one letter', listContacts.path, { search: 'a' }],
    ['contacts, two letters', listContacts.path, { search: 'ab' }],
    ['contacts, three letters', listContacts.path, { search: 'abc' }],
    ['contacts, whole handle', listContacts.path, { search: handle }],
    ['contacts, second word of the name', listContacts.path, { search: 'müller7' }],
    ['contacts, every name', listContacts.path, { search: 'müller' }],
    ['contacts, many who were here long ago', listContacts.path, { search: 'oldtimer' }],
    ['contacts, e-mail', listContacts.path, { search: 'mail77' }],
    ['contacts, nobody', listContacts.path, { search: 'zzzzzz' }],
    ...contactFilters.map((filter): Asked => [`contacts, ${filter}`, listContacts.path, { filter }]),
    ['contacts, stopped and searched', listContacts.path, { filter: 'stopped', search: 'a' }],
    ['contacts, with e-mail and searched', listContacts.path, { filter: 'with_email', search: 'müller' }],
    ['contacts, answered by', listContacts.path, { automationId }],
    ['contacts, answered by one that never did', listContacts.path, { automationId: never }],
    ['contact', contact('person777'), {}],
    ['contact who comments on everything', contact('person1'), {}],
    ['timeline', `${contact('person777')}/timeline`, {}],
    ['timeline of who comments on everything', `${contact('person1')}/timeline`, {}],
    ['activity', listInteractions.path, {}],
    ['activity, handle', listInteractions.path, { handle: handle.slice(0, 4) }],
    ['activity, whole handle', listInteractions.path, { handle }],
    ['activity, one letter', listInteractions.path, { handle: 'a' }],
    ['activity, two letters', listInteractions.path, { handle: 'ab' }],
    ...outcomes.map((outcome): Asked => [`activity, ${outcome}`, listInteractions.path, { outcome }]),
    ...kinds.map((kind): Asked => [`activity, ${kind}`, listInteractions.path, { kind }]),
    ['activity, of who comments on everything', listInteractions.path, { personId: 'person1' }],
    ['activity, of a post', listInteractions.path, { postId: 'post7' }],
    ['activity, of the viral post', listInteractions.path, { postId: 'post1' }],
    ...outcomes.map(
      (outcome): Asked => [
        `activity, of the viral post, ${outcome}`,
        listInteractions.path,
        { postId: 'post1', outcome },
      ],
    ),
    [
      'activity, replied on a viral post without automation',
      listInteractions.path,
      { postId: 'post2', outcome: 'replied' },
    ],
    ['activity, of an automation', listInteractions.path, { automationId }],
    ['activity, of an automation that never answered', listInteractions.path, { automationId: never }],
    ['activity, of an automation, failed', listInteractions.path, { automationId, outcome: 'failed' }],
    ['posts', listPosts.path, {}],
    ['posts, a hundred', listPosts.path, { limit: '100' }],
    ['posts, search', listPosts.path, { search: 'cake 29' }],
    ['posts, nothing found', listPosts.path, { search: 'zzz' }],
    ['posts, reels with automation', listPosts.path, { kind: 'reel', automation: 'on' }],
    ['posts, without automation', listPosts.path, { automation: 'none' }],
    ['post', `${listPosts.path}/post7`, {}],
    ['viral post', `${listPosts.path}/post1`, {}],
    ['words missed under the viral post', ofPost(listMisses.path, 'post2'), {}],
    ['who could be caught up with', previewCatchUp.path, {}],
    ['who could be caught up with under a post', ofPost(previewPostCatchUp.path, 'post7'), {}],
    ['who could be caught up with under the viral post', ofPost(previewPostCatchUp.path, 'post2'), {}],
    ['prepared posts', listPreparedPosts.path, {}],
    ['caption warnings', listCaptionWarnings.path, {}],
    ['waking posts', listWakingPosts.path, {}],
    ['automations', listAutomations.path, {}],
    ['figures of the account', getFigures.path, {}],
    ['figures of a year', getFigures.path, year],
    ['figures of an automation over a year', getFigures.path, { automationId, ...year }],
    ['figures of the viral post over a year', getFigures.path, { postId: 'post1', ...year }],
    ['wordings side by side', getComparison.path.replace(':automationId', automationId), {}],
    ['queue', listQueues.path, {}],
    ['who in the queue will expire', listExpiring.path.replace(':connectionId', connectionId), {}],
    ['recipes', listRecipes.path, {}],
    ['recipes, a hundred', listRecipes.path, { limit: '100' }],
    ['recipes, one letter', listRecipes.path, { search: 'a' }],
    ['recipes, a food', listRecipes.path, { search: 'flour' }],
    ['recipes, nothing found', listRecipes.path, { search: 'zzzzzz' }],
    ['recipes, to check', listRecipes.path, { state: 'to_check' }],
    ['recipes, ready', listRecipes.path, { state: 'ready' }],
    ['recipes, without ingredients', listRecipes.path, { state: 'none' }],
    ['recipe', getRecipe.path.replace(':recipeId', recipeId), {}],
    ['ingredients of the most opened list', getIngredients.path.replace(':recipeId', recipeId), {}],
    ['figures of lists', getListFigures.path, {}],
    ['figures of the most opened list', getListFigures.path, { recipeId }],
    ['app links', listAppLinks.path, {}],
    ['app links, a hundred', listAppLinks.path, { limit: '100' }],
    ['app links, one letter', listAppLinks.path, { search: 'a' }],
    ['app links, one of them', listAppLinks.path, { search: 'B000007777' }],
    ['app links, nothing found', listAppLinks.path, { search: 'zzzzzz' }],
    ['app link', getAppLink.path.replace(':appLinkId', appLinkId), {}],
    ['figures of the most followed app link', getAppLinkFigures.path.replace(':appLinkId', appLinkId), {}],
    ['meal plans', listMealPlans.path, {}],
    ['meal plans, a hundred', listMealPlans.path, { limit: '100' }],
    ['meal plan', getMealPlan.path.replace(':mealPlanId', mealPlanId), {}],
    ['ingredients of a plan of 60 meals', getPlanIngredients.path.replace(':mealPlanId', mealPlanId), {}],
    ['link checks', listLinkChecks.path, {}],
    ['stories', listStories.path, {}],
    ['story mentions', listStoryMentions.path, {}],
    ['story analytics', getStoryAnalytics.path, { days: '90' }],
  ];
}
