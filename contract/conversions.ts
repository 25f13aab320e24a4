/** Links to Amazon in old blog posts: shown as app links while a page is drawn. The posts themselves are never written. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, PageQuery, pageOf } from '#contract/shapes.ts';

/** Why an address is left as it is. */
export const NOT_CONVERTED = {
  not_amazon: 'This only looks like Amazon.',
  no_target: 'This isn’t an address that people can open.',
} as const;

/** Why links of a post could not be read by the plugin. */
export const POST_PROBLEMS = {
  unreadable: 'Its text isn’t valid UTF-8. Open and save the post in WordPress; we read it again then.',
  too_many: 'It has more than 100 links to Amazon. The first 100 are shown here.',
} as const;
export type PostProblem = keyof typeof POST_PROBLEMS;

export const CONVERTED_AT_ONCE = 200;
export const CONVERSIONS_AT_MOST = 5_000;
export const PROBLEMS_SHOWN = 50;
export const SHOWN_IN_SAMPLE = 20;

/** Of an address, made of it: no UUID of any version. */
const AddressId = z.guid();

const PostInBlog = z.object({ title: z.string(), url: z.string() });

const Conversions = z.object({
  /** Null: no blog with our plugin is connected. */
  blog: z.nullable(z.string()),
  postsKnown: z.int(),
  /** That the plugin has still to tell of; null: it never said. */
  postsWaiting: z.nullable(z.int()),
  /** Addresses in the posts: all, those that can be short links, those that have one, those that are shown so. */
  found: z.int(),
  mappable: z.int(),
  made: z.int(),
  on: z.int(),
  /** Short links are being made for all that can have one. */
  isMaking: z.boolean(),
  /** A post as it is, and as it would be. */
  sample: z.nullable(
    z.extend(PostInBlog, {
      swaps: atMost(SHOWN_IN_SAMPLE, z.object({ address: z.string(), shortUrl: z.nullable(z.string()) })),
    }),
  ),
  problems: atMost(
    PROBLEMS_SHOWN,
    z.extend(PostInBlog, { why: z.enum(Object.keys(POST_PROBLEMS) as [PostProblem, ...PostProblem[]]) }),
  ),
});
export type Conversions = z.infer<typeof Conversions>;

export const Conversion = z.object({
  id: AddressId,
  address: z.string(),
  posts: z.int(),
  /** One of them. */
  post: PostInBlog,
  /** `found`: it can have a short link. */
  state: z.enum(['found', 'on', 'off', 'refused']),
  why: z.nullable(
    z.enum(Object.keys(NOT_CONVERTED) as [keyof typeof NOT_CONVERTED, ...(keyof typeof NOT_CONVERTED)[]]),
  ),
  shortUrl: z.nullable(z.string()),
});
export type Conversion = z.infer<typeof Conversion>;

const path = '/creators/:creatorId/conversions';

export const getConversions = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['account', 'links'],
  summary: 'Links to Amazon in the posts of the blog: how many were found, and how many are short links there',
  params: CreatorParams,
  response: Conversions,
});

export const listConversions = endpoint({
  method: 'GET',
  path: `${path}/items`,
  access: 'creator',
  refreshedBy: ['account', 'links'],
  summary: 'Addresses of Amazon in the posts of the blog, and their short links',
  params: CreatorParams,
  query: z.object({ ...PageQuery, search: z.optional(z.string().check(z.maxLength(200))) }),
  response: pageOf(Conversion),
  errors: ['invalid_input'],
});

export const applyConversions = endpoint({
  method: 'POST',
  path: `${path}/apply`,
  access: 'creator',
  summary:
    'Make a short link for each address that can have one, and show those in the blog; again: those that are new',
  params: CreatorParams,
  response: z.object({ message: z.string() }),
  errors: ['not_possible_now'],
});

export const switchConversions = endpoint({
  method: 'PUT',
  path,
  access: 'creator',
  summary: 'Show the old address again, or the short link: of one, or of all that have one',
  params: CreatorParams,
  body: z.object({ id: z.nullable(AddressId), on: z.boolean() }),
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});
