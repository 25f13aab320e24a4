/** Every address of the web app. Nothing else spells one out. */
const HQ = '/creator-hq';

export const paths = {
  root: '/',
  home: HQ,
  login: `${HQ}/login`,
  signup: `${HQ}/signup`,
  forgotPassword: `${HQ}/forgot-password`,
  passwordReset: `${HQ}/password-reset`,
  verifyEmail: `${HQ}/verify-email`,
  accountSetup: `${HQ}/account-setup`,
  facebookSuccess: `${HQ}/facebook-success`,
  checkout: `${HQ}/checkout`,
  help: `${HQ}/help`,

  commentForDm: `${HQ}/comment-for-dm`,
  postsAndReels: `${HQ}/comment-for-dm/posts-and-reels`,
  storiesAndLives: `${HQ}/comment-for-dm/stories-and-lives`,
  storiesAndLivesAnalytics: `${HQ}/comment-for-dm/stories-and-lives/analytics`,

  customKeywords: `${HQ}/comment-for-dm/custom-keywords`,
  customReplies: `${HQ}/comment-for-dm/custom-replies`,

  contacts: `${HQ}/contacts`,
  saveToEmail: `${HQ}/save-to-email`,
  sending: `${HQ}/save-to-email/sending`,
  /** The list; one of them below it, by its id. */
  newsletter: `${HQ}/save-to-email/newsletter`,
  welcomeMail: (mailId: string) => `${HQ}/save-to-email/newsletter/welcome/${encodeURIComponent(mailId)}`,
  memberships: `${HQ}/memberships`,
  appLinks: `${HQ}/app-links`,
  storyMentions: `${HQ}/story-mentions`,

  settings: `${HQ}/settings`,
  planUpgrade: `${HQ}/settings/plan-upgrade`,

  shopTheRecipe: `${HQ}/shop-the-recipe`,
  recipes: `${HQ}/shop-the-recipe/recipes`,
  /** The list; one of them below it, by its type. */
  emails: `${HQ}/save-to-email/emails`,
  form: (formId: string) => `${HQ}/save-to-email/forms/${encodeURIComponent(formId)}`,
  recipe: (recipeId: string) => `${HQ}/shop-the-recipe/recipes/${encodeURIComponent(recipeId)}`,
  mealPlans: `${HQ}/shop-the-recipe/meal-plans`,
  mealPlan: (mealPlanId: string) => `${HQ}/shop-the-recipe/meal-plans/${encodeURIComponent(mealPlanId)}`,
  mealPlanIngredients: (mealPlanId: string) =>
    `${HQ}/shop-the-recipe/meal-plans/${encodeURIComponent(mealPlanId)}/edit-ingredients`,
  /** For admins, outside any creator account. */
  admin: `${HQ}/admin`,
  adminUsers: `${HQ}/admin/users`,
  adminFlags: `${HQ}/admin/flags`,
  adminMoney: `${HQ}/admin/money`,
  adminOperations: `${HQ}/admin/operations`,
  adminAudit: `${HQ}/admin/audit`,

  shopTheRecipeSettings: `${HQ}/shop-the-recipe/settings`,
} as const;

/** Full-page navigations that the server answers with a redirect (spec section 7). */
export const SERVER_PATHS = {
  endCreatorSession: '/api/v1/auth/end-creator-session',
  addNewCreator: '/api/v1/auth/add-new-creator',
} as const;

export type RecipeTab = 'details' | 'ingredients' | 'used' | 'figures';

/** One part of a recipe. */
export function recipePath(recipeId: string, tab: RecipeTab): string {
  return `${paths.recipe(recipeId)}?tab=${tab}`;
}

/** All recipes of a blog at once. */
export const WHOLE_BLOG_PATH = `${paths.recipes}?import=blog`;

/** A post's panel over the grid; its address can be sent to an assistant. */
export function postPath(postId: string): string {
  return `${paths.postsAndReels}?${new URLSearchParams({ post: postId })}`;
}

/** One person among the contacts; see server/features/contacts/contact-id.ts for how they are named. */
export function contactPath(connectionId: string, personId: string): string {
  return `${paths.contacts}?${new URLSearchParams({ contact: `${connectionId}.${personId}` })}`;
}

/** A story's or live's panel over its page. */
export function storyPath(kind: 'story' | 'live', id: string): string {
  return `${paths.storiesAndLives}?${new URLSearchParams({ [kind]: id })}`;
}

/** An automation in its post's panel, or in one of its own when it listens on any post. */
export function automationPath(automationId: string, postId: string | null): string {
  return `${paths.postsAndReels}?${new URLSearchParams({ ...(postId !== null && { post: postId }), edit: automationId })}`;
}

/** A new automation for a post that is not there yet. */
export function preparePath(): string {
  return `${paths.postsAndReels}?edit=next`;
}

/** The list of Custom Keywords, or one of them opened over it: its id, or `new`. */
export function keywordsPath(edit?: string): string {
  return edit === undefined ? paths.customKeywords : `${paths.customKeywords}?${new URLSearchParams({ edit })}`;
}

/** The list of Custom Replies, or one of them opened over it: its id, or `new`. */
export function repliesPath(edit?: string): string {
  return edit === undefined ? paths.customReplies : `${paths.customReplies}?${new URLSearchParams({ edit })}`;
}

export type SettingsTab =
  | 'connections'
  | 'profile'
  | 'security'
  | 'team'
  | 'notifications'
  | 'answering'
  | 'api-key'
  | 'other-tools'
  | 'plan'
  | 'data'
  | 'visits'
  | 'appearance';

export function settingsPath(tab: SettingsTab): string {
  return `${paths.settings}?tab=${tab}`;
}

/** Addresses of the observed product's earlier versions, below /creator-hq; each keeps its query string. */
export const LEGACY_PATHS: Record<string, (params: Record<string, string | undefined>) => string> = {
  'comment-for-recipe': () => paths.commentForDm,
  'comment-for-recipe/analytics': () => paths.postsAndReels,
  'comment-for-recipe/posts': () => paths.postsAndReels,
  posts: () => paths.postsAndReels,
  'story-reply': () => paths.storiesAndLives,
  'story-reply/analytics': () => paths.storiesAndLivesAnalytics,
  'email/save-to-email': () => paths.saveToEmail,
  recipes: () => paths.recipes,
  'recipes/:recipeId': ({ recipeId = '' }) => paths.recipe(recipeId),
};
