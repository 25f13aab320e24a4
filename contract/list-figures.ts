/** Who opened shopping lists and went on to a shop, of one recipe, one meal plan or all recipes. No revenue: no shop tells it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id } from '#contract/shapes.ts';

export const LIST_FIGURES_DAYS = 28;

/** People: one who opens a list again from the same message counts once. */
const Visits = z.object({ opened: z.int(), toShops: z.int() });

/** By which act of a follower the message came that led to the list; `other`: no message did. */
export const LIST_DOORS = [
  'comment',
  'live_comment',
  'story_reply',
  'story_mention',
  'direct_message',
  'other',
] as const;

export const ListFigures = z.object({
  ...Visits.shape,
  /** Most people first. `name`: null for a shop that was removed since. */
  shops: atMost(20, z.object({ shop: z.string(), name: z.nullable(z.string()), people: z.int() })),
  /** Each most opened first; null: no message led there, or its comment had none. */
  posts: atMost(20, z.extend(Visits, { postId: z.nullable(z.string()), caption: z.nullable(z.string()) })),
  words: atMost(20, z.extend(Visits, { word: z.nullable(z.string()) })),
  doors: atMost(LIST_DOORS.length, z.extend(Visits, { door: z.enum(LIST_DOORS) })),
  /** The most opened; with `recipeId` that one alone. */
  recipes: atMost(5, z.extend(Visits, { recipeId: Id, name: z.nullable(z.string()) })),
});
export type ListFigures = z.infer<typeof ListFigures>;

export const getListFigures = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/list-figures',
  access: 'creator',
  refreshedBy: ['interactions'],
  summary: 'People who opened shopping lists and went to a shop in 28 days, by shop, post, word and kind of message',
  params: CreatorParams,
  query: z.object({ recipeId: z.optional(Id), mealPlanId: z.optional(Id) }),
  response: ListFigures,
  errors: ['invalid_input'],
});
