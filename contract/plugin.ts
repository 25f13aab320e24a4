/**
 * Calls of a blog's WordPress plugin, with `Authorization: Bearer KEY`, the creator's API key: it reports its state, gets the
 * forms printed, and hands over what readers submitted.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { BlogLock } from '#contract/recipes.ts';
import { atMost, Id, Timestamp, WebLink } from '#contract/shapes.ts';

const Version = z.string().check(z.regex(/^\d{1,5}(\.\d{1,5}){0,3}(-[0-9A-Za-z.-]{1,30})?$/));
const Name = z.string().check(z.maxLength(60));

/** Versions of WordPress that the plugin is tried with; its readme says the same. */
export const TRIED_WORDPRESS = { from: '6.2', to: '7.1' };

export const FormKind = z.enum(['save', 'signup', 'gate']);
export type FormKind = z.infer<typeof FormKind>;

/**
 * Placeholders the plugin fills in, escaped for an attribute: where the form is sent, the ids of post and recipe, the
 * stamp, and the id of the attempt.
 *
 * @public
 */
export const FORM_PLACEHOLDERS = {
  action: '%%chq-action%%',
  post: '%%chq-post%%',
  recipe: '%%chq-recipe%%',
  stamp: '%%chq-stamp%%',
  attempt: '%%chq-attempt%%',
} as const;

/** Names of the fields that a form sends; `website` is for programs that fill in everything, people leave it empty. @public */
export const FORM_FIELDS = [
  'email',
  'first_name',
  'newsletter',
  'ads',
  'website',
  'form',
  'post',
  'recipe',
  'stamp',
  'attempt',
  'return',
] as const;

/** Public, and opens nothing but the form. */
export const FormKey = z.string().check(z.regex(/^[0-9A-Za-z]{22}$/));

/** Finished HTML with its CSS, for each language of the form; the first one where a page has none of them. */
export const PrintedForm = z.object({
  key: FormKey,
  kind: FormKind,
  name: z.string(),
  version: z.int(),
  languages: atMost(20, z.object({ language: z.string(), html: z.string() })),
});
export type PrintedForm = z.infer<typeof PrintedForm>;

/** `copy`: another host with the same key, which is not believed until somebody says that the blog moved. */
const Site = z.object({ id: Id, state: z.enum(['live', 'copy']) });

export const ENDED_AT_MOST = 200;

/** What the plugin keeps of members, and is also told as it happens. In seconds since 1970. */
const ToldOfMembers = z.object({
  /** When it was so: what is older than what is kept changes nothing. */
  at: z.int(),
  /** Words given to any browser before have to be asked about. */
  asksFrom: z.int(),
  /** And those given to these browsers. */
  asks: atMost(ENDED_AT_MOST, z.object({ device: Id, from: z.int() })),
  /** Until then locked parts are written into the pages of members; 0: they are fetched. */
  inlineUntil: z.int(),
});
export type ToldOfMembers = z.infer<typeof ToldOfMembers>;

/** The lowest first: each opens what is for those before it. */
const TierNames = atMost(QUOTAS.tiers.most * 10, z.object({ id: Id, name: z.string(), isOpen: z.boolean() }));

export const registerPlugin = endpoint({
  method: 'POST',
  path: '/plugin/register',
  access: 'plugin',
  summary: 'Report the WordPress plugin’s version and health',
  body: z.object({
    pluginVersion: Version,
    siteUrl: z.optional(z.string().check(z.maxLength(500))),
    wordpressVersion: z.optional(Name),
    phpVersion: z.optional(Name),
    /** Recipe cards and page caches that it found. */
    cards: z.optional(atMost(20, Name)),
    caches: z.optional(atMost(20, Name)),
    /** Submissions that wait there for us. */
    outboxDepth: z.optional(z.int().check(z.nonnegative())),
    cronIsHealthy: z.optional(z.boolean()),
    /** Its clock, in seconds since 1970. */
    time: z.optional(z.int()),
    /** A hash of its plugins and theme: another one may show locked posts otherwise. */
    stack: z.optional(Name),
    /** Published posts, and how many of them have something locked. */
    locks: z.optional(z.object({ locked: z.int().check(z.nonnegative()), all: z.int().check(z.nonnegative()) })),
    /** Fingerprints of the signing keys that it has: 16 characters of the SHA-256, base64url. */
    keys: z.optional(atMost(2, z.string().check(z.maxLength(16)))),
  }),
  response: z.object({
    handle: z.string(),
    expectedPluginVersion: z.nullable(z.string()),
    site: Site,
    /** For signing calls between hub and site: base64url, the one in use first. */
    signingKeys: atMost(2, z.string()),
    forms: atMost(100, PrintedForm),
    /** Where members say who they are; null while this installation has no memberships of readers. */
    membersAt: z.nullable(z.url()),
    /** Where readers become members; null while nothing is for sale. */
    joinAt: z.nullable(z.url()),
    members: ToldOfMembers,
    /** Where readers enter without paying; null while they do not. */
    readersAt: z.nullable(z.url()),
    /** How many locked posts a month those may open. */
    freeOpens: z.int(),
    tiers: TierNames,
  }),
  errors: ['invalid_input'],
});

export const connectPlugin = endpoint({
  method: 'POST',
  path: '/plugin/connect',
  access: 'public',
  summary: 'Fetch a new API key with the code that a person gave to the site; once, and within a minute',
  body: z.object({
    code: z.string().check(z.maxLength(1000)),
    /** The text whose hash was the `challenge`. */
    verifier: z.string().check(z.regex(/^[0-9A-Za-z_-]{43,128}$/)),
  }),
  response: z.object({ key: z.string(), handle: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_possible_now'],
});

export const listPrintedForms = endpoint({
  method: 'GET',
  path: '/plugin/forms',
  access: 'plugin',
  summary: 'The forms as the blog prints them',
  response: z.object({ forms: atMost(100, PrintedForm) }),
});

const PluginUpdate = z.object({
  version: z.string(),
  /** Versions of WordPress: the newest one it was tried with, the oldest one it runs on. */
  tested: z.string(),
  requires: z.string(),
  requiresPhp: z.string(),
  changelog: z.string(),
  /** Of the zip at `/plugin/creator-hq.zip`, in hex. */
  sha256: z.string(),
  /** HMAC-SHA-256 of the lines `plugin update`, version and sha256, with the site's newest signing key, base64url. */
  signature: z.string(),
});

export const getPluginUpdate = endpoint({
  method: 'GET',
  path: '/plugin/update',
  access: 'plugin',
  summary: 'The version of the plugin that this installation hands out; null for a site that never registered',
  query: z.object({ siteUrl: z.optional(z.string().check(z.maxLength(500))) }),
  response: z.object({ update: z.nullable(PluginUpdate) }),
  errors: ['invalid_input', 'not_found'],
});

const MOST_AT_ONCE = 50;
const Text = (most: number) => z.string().check(z.maxLength(most));
/** Longer values are cut: nobody loses a save to a long title. */
const Cut = (most: number) => z.string().check(z.overwrite((text) => text.slice(0, most)));

const PageRecipe = z.object({
  name: Cut(500),
  /** Of the card in the page, without `#`. */
  anchor: z.nullable(Text(200)),
  ingredients: z.array(Cut(500)).check(z.overwrite((all) => all.slice(0, 200))),
  totalMinutes: z.nullable(z.int().check(z.nonnegative(), z.lte(100_000))),
  yield: z.nullable(Cut(200)),
});

/** The page as the blog itself read it; nothing here comes from the reader's browser. */
const SubmittedPage = z.object({
  url: Text(2000),
  title: Cut(500),
  pictureUrl: z.nullable(Text(2000)),
  recipe: z.nullable(PageRecipe),
  /** Part of it is only for subscribers: the mail's link opens it for them. */
  isLocked: z.optional(z.boolean()),
});
export type SubmittedPage = z.infer<typeof SubmittedPage>;

export const Submission = z.object({
  /** Made where the button was pressed: the same one is one submission, however often it comes. */
  attempt: z.uuid(),
  formKey: z.string().check(z.maxLength(40)),
  formVersion: z.int().check(z.nonnegative()),
  /** As typed. */
  email: Text(1000),
  firstName: z.nullable(Cut(1000)),
  newsletter: z.boolean(),
  /** They let the blog's ad network recognize them. */
  ads: z.optional(z.boolean()),
  /** Of the page: `de-AT`. */
  language: z.nullable(Cut(35)),
  submittedAt: Timestamp,
  /** A keyed hash of where the reader's network is, base64url: the address itself stays on the blog. */
  network: z.nullable(z.string().check(z.regex(/^[A-Za-z0-9_-]{10,100}$/))),
  /** A number that the form's script found: the SHA-256 of form, attempt, address and it, a line each, begins with 12 zero bits. */
  work: z.optional(Cut(20)),
  page: SubmittedPage,
});
export type Submission = z.infer<typeof Submission>;

const SubmissionResult = z.enum(['on_its_way', 'please_confirm', 'already_sent', 'later', 'refused']);
export type SubmissionResult = z.infer<typeof SubmissionResult>;

const SubmissionsBody = z.object({
  /** One that cannot be read is refused by itself. */
  submissions: z
    .array(z.union([Submission, z.record(z.string(), z.unknown())]))
    .check(z.minLength(1), z.maxLength(MOST_AT_ONCE)),
});

/** Why one was refused. `too_many_requests` may come again later; the others stay refused. */
const SubmissionRefusal = z.enum([
  'invalid_input',
  'invalid_email',
  'consent_needed',
  'form_gone',
  'too_many_requests',
]);
export type SubmissionRefusal = z.infer<typeof SubmissionRefusal>;

const SubmissionAnswer = z.object({
  attempt: z.string(),
  result: SubmissionResult,
  code: z.nullable(SubmissionRefusal),
  message: z.nullable(z.string()),
});
export type SubmissionAnswer = z.infer<typeof SubmissionAnswer>;

export const submitForms = endpoint({
  method: 'POST',
  path: '/plugin/submissions',
  access: 'plugin',
  summary: 'What readers submitted, each answered by itself and in this order; the same attempt counts once',
  body: SubmissionsBody,
  response: z.object({ results: atMost(MOST_AT_ONCE, SubmissionAnswer) }),
  errors: ['invalid_input'],
});

/** More are left out. */
export const BLOG_POSTS_AT_MOST = 20_000;

const BlogRecipe = z.extend(PageRecipe, {
  /** Ingredients as the card groups them: `name` of "For the sauce", `uid` is the card's own name of a line. */
  groups: z.optional(
    z
      .array(
        z.object({
          name: z.nullable(Cut(100)),
          lines: z
            .array(z.object({ text: Cut(500), uid: z.nullable(Cut(100)) }))
            .check(z.overwrite((all) => all.slice(0, 200))),
        }),
      )
      .check(z.overwrite((all) => all.slice(0, 40))),
  ),
});
export type BlogRecipe = z.infer<typeof BlogRecipe>;

const AMAZON_LINKS_AT_MOST = 100;

/** A post that anybody may read, and the first recipe card in it. Its page must be the site’s. */
const BlogPost = z.object({
  ...SubmittedPage.shape,
  url: WebLink,
  recipe: z.nullable(BlogRecipe),
  /** What of it not everybody may read; `recipe` is told whole nevertheless. */
  lock: z.optional(z.nullable(BlogLock)),
  /** Of the blog: `de-AT`. */
  language: z.optional(Cut(35)),
  id: z.int().check(z.positive()),
  categories: z.array(z.object({ id: z.int(), name: Cut(200) })).check(z.maxLength(MOST_AT_ONCE)),
  publishedAt: Timestamp,
  changedAt: Timestamp,
  /** Addresses of Amazon in its text and its card, as they stand there. */
  amazonLinks: z.optional(
    z.array(Cut(2000)).check(z.overwrite((all) => [...new Set(all)].slice(0, AMAZON_LINKS_AT_MOST))),
  ),
  linksProblem: z.optional(z.nullable(z.enum(['unreadable', 'too_many']))),
});

/** `copy`: nothing was taken, and nothing of this site will be until somebody says that the blog moved. */
const Told = z.object({ state: z.enum(['live', 'copy']) });

export const syncBlogPosts = endpoint({
  method: 'POST',
  path: '/plugin/recipes',
  access: 'plugin',
  summary: 'Posts that are new, changed or moved; those with a recipe card become recipes',
  body: z.object({
    siteUrl: Text(500),
    /** Posts that the site has still to tell of. */
    waiting: z.int().check(z.nonnegative(), z.lte(1_000_000)),
    posts: z.array(BlogPost).check(z.minLength(1), z.maxLength(MOST_AT_ONCE)),
  }),
  response: Told,
  errors: ['invalid_input'],
});

export const syncGoneBlogPosts = endpoint({
  method: 'POST',
  path: '/plugin/recipes/gone',
  access: 'plugin',
  summary: 'Posts that are no longer public; their recipes stay and are marked',
  body: z.object({
    siteUrl: Text(500),
    ids: z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(MOST_AT_ONCE)),
  }),
  response: Told,
  errors: ['invalid_input'],
});

/** The post, and the code of its recipe's list. */
const ShopButton = z.object({ post: z.int(), code: z.string() });

export const listShopButtons = endpoint({
  method: 'GET',
  path: '/plugin/shop-buttons',
  access: 'plugin',
  summary: 'The posts of a site whose recipes have a shopping list; null where they are those of `version`',
  query: z.object({ siteUrl: z.optional(Text(500)), version: z.optional(Text(100)) }),
  response: z.object({
    state: z.enum(['live', 'copy']),
    version: z.string(),
    /** Lists are at it and their code. */
    listsAt: z.url(),
    buttons: z.nullable(atMost(BLOG_POSTS_AT_MOST, ShopButton)),
  }),
  errors: ['invalid_input'],
});

export const listLinkSwaps = endpoint({
  method: 'GET',
  path: '/plugin/link-swaps',
  access: 'plugin',
  summary: 'The addresses that a site shows short links for, by post; null where they are those of `version`',
  query: z.object({ siteUrl: z.optional(Text(500)), version: z.optional(Text(100)) }),
  response: z.object({
    state: z.enum(['live', 'copy']),
    version: z.string(),
    /** Short links are at it and their code. */
    linksAt: z.url(),
    posts: z.nullable(
      atMost(
        BLOG_POSTS_AT_MOST,
        z.object({
          post: z.int(),
          swaps: atMost(AMAZON_LINKS_AT_MOST, z.object({ address: z.string(), code: z.string() })),
        }),
      ),
    ),
  }),
  errors: ['invalid_input'],
});

/** People who do not confirm within this are asked again. */
export const GATE_UNCONFIRMED_DAYS = 7;

export const checkGatePasses = endpoint({
  method: 'POST',
  path: '/plugin/gate-passes',
  access: 'plugin',
  summary: 'Whether the people behind these submissions still read what is only for subscribers',
  body: z.object({ attempts: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_AT_ONCE)) }),
  response: z.object({ passes: atMost(MOST_AT_ONCE, z.object({ attempt: z.string(), opens: z.boolean() })) }),
  errors: ['invalid_input'],
});

/** The hub's word on a member's browser, signed with the site's key; null: they do not read on. */
const MemberToken = z.nullable(z.string());
const Secret = z.string().check(z.maxLength(100));

export const exchangeMemberGrant = endpoint({
  method: 'POST',
  path: '/plugin/member-passes',
  access: 'plugin',
  summary: 'Make a member’s browser known, for the grant that it brought back; once, within a minute, where it began',
  body: z.object({
    grant: Secret,
    /** What the blog gave this browser before it left; the hub knows its SHA-256. */
    start: Secret,
  }),
  response: z.object({
    token: MemberToken,
    tiers: TierNames,
    /** Of this browser, for renewing. */
    secret: z.string(),
    /** The path of the blog where it began. */
    to: z.string(),
  }),
  errors: ['invalid_input'],
});

export const renewMemberPass = endpoint({
  method: 'POST',
  path: '/plugin/member-passes/renew',
  access: 'plugin',
  summary: 'Whether a member’s browser still reads on',
  body: z.object({ device: z.uuid(), secret: Secret }),
  response: z.object({ token: MemberToken, tiers: TierNames }),
  errors: ['invalid_input'],
});

export const openForFree = endpoint({
  method: 'POST',
  path: '/plugin/free-opens',
  access: 'plugin',
  summary: 'A reader who does not pay opens a locked post; counted once a month',
  body: z.object({ device: z.uuid(), secret: Secret, post: z.int().check(z.positive()) }),
  response: z.object({ token: MemberToken, tiers: TierNames }),
  errors: ['invalid_input'],
});

export const passRecipe = endpoint({
  method: 'POST',
  path: '/plugin/passed-recipes',
  access: 'plugin',
  summary: 'A member passes a locked post to a friend; three a month',
  body: z.object({ device: z.uuid(), secret: Secret, post: z.int().check(z.positive()) }),
  response: z.object({
    token: MemberToken,
    tiers: TierNames,
    /** The end of an address of the blog; null: none is left. */
    link: z.nullable(z.string()),
  }),
  errors: ['invalid_input'],
});

export const openPassedRecipe = endpoint({
  method: 'POST',
  path: '/plugin/passed-recipes/open',
  access: 'plugin',
  summary: 'A friend opens a link: one post, for 48 hours from the first time on, in three browsers',
  body: z.object({
    link: Secret,
    /** Of the browser, where it is known. */
    device: z.nullable(z.uuid()),
    secret: z.nullable(Secret),
  }),
  response: z.object({ token: MemberToken, tiers: TierNames, secret: z.string() }),
  errors: ['invalid_input'],
});
