/** Meta's answers, checked on arrival. Both shapes of an answer that was seen in two are accepted (reference 8.5). */
import * as z from 'zod/mini';
import { idOf, isObject } from './json.ts';

export type GraphError = {
  code: number;
  subcode: number | null;
  message: string;
  /** For the person, in their language; null when Meta gives none. */
  userMessage: string | null;
  isTransient: boolean;
};

/** The Graph error in a body, null when there is none. Reads both Graph's shape and that of api.instagram.com. */
export function graphErrorOf(body: unknown): GraphError | null {
  if (!isObject(body)) return null;
  if (isObject(body.error)) {
    const { code, error_subcode, message, error_user_msg, is_transient } = body.error;
    if (typeof code !== 'number') return null;
    return {
      code,
      subcode: typeof error_subcode === 'number' && error_subcode !== 0 ? error_subcode : null,
      message: typeof message === 'string' ? message : '',
      userMessage: typeof error_user_msg === 'string' ? error_user_msg : null,
      isTransient: is_transient === true,
    };
  }
  if (typeof body.error_type === 'string') {
    return {
      code: typeof body.code === 'number' ? body.code : 0,
      subcode: null,
      message: typeof body.error_message === 'string' ? body.error_message : '',
      userMessage: null,
      isTransient: false,
    };
  }
  return null;
}

const Id = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value) => idOf(value) ?? ''),
);
const Words = z.nullish(z.string());
const Count = z.nullish(z.number());

/** Lists seen flat and inside `{"data": [...]}`. */
export function flatOrWrapped<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.transform((value: unknown) => (isObject(value) && Array.isArray(value.data) ? value.data[0] : value)),
    schema,
  );
}

export function listOf<S extends z.ZodMiniType>(item: S) {
  return z.object({
    data: z.array(item),
    paging: z.optional(
      z.object({
        cursors: z.optional(z.object({ after: z.optional(z.string()) })),
        next: z.optional(z.string()),
      }),
    ),
  });
}

/** Scopes came as a list and as text with commas. */
const Scopes = z.pipe(
  z.nullish(z.union([z.string(), z.array(z.string())])),
  z.transform((value) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((scope) => scope.trim())
          .filter((scope) => scope !== '')
      : (value ?? null),
  ),
);

export const InstagramCodeAnswer = flatOrWrapped(
  // `user_id` is left out on purpose: it was seen as a number that JavaScript rounds. `/me` tells it safely.
  z.object({ access_token: z.string().check(z.minLength(1)), permissions: Scopes }),
);

export const TokenAnswer = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.optional(z.nullish(z.number())),
});

export const InstagramMe = flatOrWrapped(
  z.object({
    id: Id,
    user_id: Id,
    username: z.string(),
    name: Words,
    account_type: Words,
    profile_picture_url: Words,
    followers_count: Count,
    media_count: Count,
  }),
);

export const FacebookMe = z.object({ id: Id, name: Words });

export const Permissions = z.object({
  data: z.array(z.object({ permission: z.string(), status: z.string() })),
});

const LinkedInstagram = z.object({ id: Id, username: Words, name: Words, profile_picture_url: Words });

export const Page = z.object({
  id: Id,
  name: Words,
  /** Missing when the person did not grant this Page. */
  access_token: Words,
  tasks: z.nullish(z.array(z.string())),
  picture: z.nullish(z.object({ data: z.nullish(z.object({ url: Words })) })),
  followers_count: Count,
  instagram_business_account: z.nullish(LinkedInstagram),
});
export type Page = z.infer<typeof Page>;

export const Business = z.object({ id: Id, name: Words });

/** An Instagram account read through its Page. */
export const PageInstagram = z.object({
  id: Id,
  username: z.string(),
  name: Words,
  profile_picture_url: Words,
  followers_count: Count,
});

export const OwnProfile = z.object({ website: Words, biography: Words });

/** Instagram answers plain names, Pages name the app whose fields they are. */
export const Subscriptions = z.object({
  data: z.array(z.object({ id: z.optional(Id), subscribed_fields: z.nullish(z.array(z.string())) })),
});

export const Success = z.object({ success: z.boolean() });

export const Media = z.object({
  id: Id,
  caption: Words,
  media_type: Words,
  media_product_type: Words,
  /** Absent for copyrighted media. */
  media_url: Words,
  thumbnail_url: Words,
  permalink: Words,
  timestamp: z.string(),
  comments_count: Count,
  like_count: Count,
});
export type Media = z.infer<typeof Media>;

/** A Page's post in the words of a Page. */
export const PagePost = z.object({
  id: Id,
  message: Words,
  created_time: z.string(),
  permalink_url: Words,
  full_picture: Words,
  status_type: Words,
  comments: z.nullish(z.object({ summary: z.nullish(z.object({ total_count: Count })) })),
  reactions: z.nullish(z.object({ summary: z.nullish(z.object({ total_count: Count })) })),
});

const StoryOfMessage = z.nullish(z.object({ id: z.nullish(Id) }));

/** `GET /{mid}`; `story` is Instagram's. */
export const Message = z.object({
  id: z.string(),
  created_time: Words,
  from: z.nullish(z.object({ id: z.optional(Id) })),
  to: z.nullish(z.object({ data: z.array(z.object({ id: z.optional(Id) })) })),
  message: Words,
  story: z.nullish(z.object({ reply_to: StoryOfMessage, mention: StoryOfMessage })),
});

/** A figure comes in `values` (most metrics) or in `total_value` (those with a breakdown). */
export const Insights = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      values: z.nullish(z.array(z.object({ value: z.nullish(z.unknown()) }))),
      total_value: z.nullish(
        z.object({
          value: Count,
          breakdowns: z.nullish(
            z.array(
              z.object({
                results: z.nullish(z.array(z.object({ dimension_values: z.array(z.string()), value: z.number() }))),
              }),
            ),
          ),
        }),
      ),
    }),
  ),
});

const Person = z.nullish(z.object({ id: z.optional(Id), username: Words, name: Words }));

/** Instagram writes `text` and `timestamp`, Pages `message` and `created_time`. */
export const Comment = z.object({
  id: Id,
  text: Words,
  message: Words,
  timestamp: Words,
  created_time: Words,
  username: Words,
  from: Person,
  parent_id: z.nullish(Id),
  parent: z.nullish(z.object({ id: z.optional(Id) })),
  hidden: z.nullish(z.boolean()),
  is_hidden: z.nullish(z.boolean()),
  can_reply_privately: z.nullish(z.boolean()),
});

/** With the replies below it; the rest of many is read by itself. */
export const CommentWithReplies = z.extend(Comment, { replies: z.nullish(listOf(Comment)) });

export const CommentCount = z.object({ comments_count: Count });

export const Conversations = listOf(
  z.object({
    id: z.string(),
    messages: z.nullish(
      z.object({
        data: z.array(z.object({ id: z.string(), message: Words, created_time: Words, from: Person })),
      }),
    ),
  }),
);

/** A person as the account may see them once they wrote. Meta leaves out what it does not want to tell. */
export const Profile = z.object({
  name: Words,
  username: Words,
  profile_pic: Words,
  follower_count: Count,
  is_user_follow_business: z.nullish(z.boolean()),
  is_verified_user: z.nullish(z.boolean()),
});

export const DebugToken = z.object({
  data: z.object({
    is_valid: z.nullish(z.boolean()),
    expires_at: Count,
    scopes: z.nullish(z.array(z.string())),
    granular_scopes: z.nullish(z.array(z.object({ scope: z.string(), target_ids: z.nullish(z.array(Id)) }))),
    user_id: z.nullish(Id),
  }),
});
