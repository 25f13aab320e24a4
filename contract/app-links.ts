/** App links: short links of any address, which open the right app; where one leads can be changed after it was shared. */
import * as z from 'zod/mini';
import { IN_APP_BROWSERS, PHONE_SYSTEMS } from '#contract/agents.ts';
import { asinOf, readAmazon } from '#contract/amazon.ts';
import { LinkTarget } from '#contract/app-link-reading.ts';
import { endpoint } from '#contract/endpoint.ts';
import { UsedBy } from '#contract/keywords.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { LinkSight } from '#contract/link-guard.ts';
import { completeLink } from '#contract/links.ts';
import { LIST_DOORS } from '#contract/list-figures.ts';
import { atMost, byAutomation, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';
import { AMAZON_MARKETPLACES, Marketplace } from '#contract/shops.ts';

/** Changes that are shown, the newest. */
export const MOST_CHANGES = 50;

/** Stand in a campaign for the place where the link was followed, and for the post and word that its message answered. */
export const IN_CAMPAIGN = { channel: '{channel}', post: '{post}', word: '{word}' } as const;

const MARK = /^(utm_[a-z_]{1,30})=[^&#=\s]+$/;

/** Marks that a website's statistics read, as in an address: `utm_source=instagram&utm_medium={channel}`. Empty: none. */
const Campaign = z.string().check(
  z.trim(),
  z.overwrite((typed) => typed.replace(/^\?/, '')),
  z.maxLength(500, 'At most 500 characters.'),
  z.check(({ value, issues }) => {
    const names = value.split('&').map((mark) => MARK.exec(mark)?.[1]);
    if (value === '' || (!names.includes(undefined) && new Set(names).size === names.length)) return;
    const message = `Enter marks like utm_source=instagram&utm_medium=${IN_CAMPAIGN.channel}, each once.`;
    issues.push({ code: 'custom', message, input: value });
  }),
);

const Slug = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(/^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])$/, 'Use 3 to 60 letters, digits and hyphens, like lemon-pasta.'),
  );

/** A product at another country's Amazon, as its address there or its ASIN. */
export const ProductAbroad = z
  .object({ marketplace: Marketplace, product: z.string().check(z.trim(), z.maxLength(2000)) })
  .check(
    z.check(({ value, issues }) => {
      if (productAt(value) !== null) return;
      const message = `Enter the product’s address at ${value.marketplace}, or its number (ASIN).`;
      issues.push({ code: 'custom', message, path: ['product'], input: value });
    }),
  );
export type ProductAbroad = z.infer<typeof ProductAbroad>;

/** @returns its ASIN; null: it is no product of this Amazon */
export function productAt({ marketplace, product }: ProductAbroad): string | null {
  const read = readAmazon(completeLink(product));
  if (read === null) return asinOf(product);
  return read.marketplace === marketplace ? read.asin : null;
}

/** The fields a creator fills in. */
export const AppLinkInput = z
  .object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a name for the link.'), z.maxLength(120, 'At most 120 characters.')),
    address: LinkTarget,
    /** Added to the address where it is followed, but never at Amazon. */
    campaign: Campaign,
    /** Out of the browser that another app has of its own. */
    opensApp: z.boolean(),
    beginsAt: z.nullable(Timestamp),
    endsAt: z.nullable(Timestamp),
    /** In the address under the creator's own host, in place of its code. */
    slug: z.nullable(Slug),
    /** Where it leads outside of these times; null: to a page that says so. */
    elsewhere: z.nullable(LinkTarget),
    /** For people of other countries, each Amazon once. */
    productsAbroad: z._default(
      z.array(ProductAbroad).check(
        z.maxLength(Object.keys(AMAZON_MARKETPLACES).length),
        z.check(({ value, issues }) => {
          if (new Set(value.map(({ marketplace }) => marketplace)).size === value.length) return;
          issues.push({ code: 'custom', message: 'An Amazon is in the list twice.', input: value });
        }),
      ),
      [],
    ),
  })
  .check(
    z.check(({ value: { beginsAt, endsAt }, issues, value }) => {
      if (beginsAt === null || endsAt === null || Date.parse(beginsAt) < Date.parse(endsAt)) return;
      issues.push({ code: 'custom', message: 'The end must come after the start.', path: ['endsAt'], input: value });
    }),
  );
export type AppLinkInput = z.infer<typeof AppLinkInput>;

export const AppLink = z.object({
  name: z.string(),
  address: z.url(),
  campaign: z.string(),
  opensApp: z.boolean(),
  beginsAt: z.nullable(Timestamp),
  endsAt: z.nullable(Timestamp),
  elsewhere: z.nullable(z.url()),
  slug: z.nullable(z.string()),
  /** As ASINs. */
  productsAbroad: atMost(
    Object.keys(AMAZON_MARKETPLACES).length,
    z.object({ marketplace: Marketplace, product: z.string() }),
  ),
  id: Id,
  version: z.int(),
  state: z.enum(['to_come', 'on', 'ended']),
  /** What is shared; with a channel after it, as in `/qr`, figures and rules know where it stands. */
  shortUrl: z.url(),
  /** What we saw where it leads; null while it is not watched: not followed for long, ended, or one of very many. */
  sight: z.nullable(LinkSight),
  /** Automations with a button that leads to it. */
  usedBy: byAutomation(UsedBy),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type AppLink = z.infer<typeof AppLink>;

/** How far back figures of app links reach. */
export const APP_LINK_FIGURES_DAYS = 28;
export const COUNTRIES_SHOWN = 10;
export const MESSAGES_SHOWN = 10;

export const ListedAppLink = z.extend(AppLink, {
  /** Who followed it in these days. */
  people: z.int(),
});
export type ListedAppLink = z.infer<typeof ListedAppLink>;

/** Of a list of app links. */
export const APP_LINK_FILTERS = ['amazon', 'broken', 'ended'] as const;
export type AppLinkFilter = (typeof APP_LINK_FILTERS)[number];

const AppLinkParams = z.object({ creatorId: Id, appLinkId: Id });
const path = '/creators/:creatorId/app-links';

export const listAppLinks = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['links'],
  summary:
    'App links, most recently changed first; `search` looks in name, address and short link, `show` leaves those of Amazon, broken or ended ones',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    search: z.optional(z.string().check(z.maxLength(200))),
    show: z.optional(z.enum(APP_LINK_FILTERS)),
  }),
  response: pageOf(ListedAppLink),
  errors: ['invalid_input'],
});

export const getAppLink = endpoint({
  method: 'GET',
  path: `${path}/:appLinkId`,
  access: 'creator',
  refreshedBy: ['links'],
  summary: 'One app link',
  params: AppLinkParams,
  response: AppLink,
  errors: ['not_found'],
});

export const createAppLink = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  quotas: ['app_links', 'app_links_made'],
  makes: true,
  summary: 'Make a short link; one of ours is taken apart and leads where that one leads',
  params: CreatorParams,
  body: AppLinkInput,
  response: AppLink,
  errors: ['invalid_input', 'already_exists'],
});

export const changeAppLink = endpoint({
  method: 'PUT',
  path: `${path}/:appLinkId`,
  access: 'creator',
  summary: 'Change an app link; wherever it was shared it leads there within 10 seconds',
  params: AppLinkParams,
  body: z.extend(AppLinkInput, { version: z.int() }),
  response: AppLink,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile'],
});

export const listAppLinkChanges = endpoint({
  method: 'GET',
  path: `${path}/:appLinkId/changes`,
  access: 'creator',
  refreshedBy: ['links'],
  summary: 'Where an app link led before, the newest change first',
  params: AppLinkParams,
  response: z.object({
    items: atMost(MOST_CHANGES, z.object({ id: Id, address: z.url(), changedAt: Timestamp, changedBy: z.string() })),
  }),
  errors: ['not_found'],
});

/** People: a network counts once a minute at each place and in each app, programs and previews do not. Each part has the most people first. */
export const AppLinkFigures = z.object({
  people: z.int(),
  /** Null: its address named no place. */
  channels: atMost(LINK_CHANNELS.length + 1, z.object({ channel: z.nullable(z.enum(LINK_CHANNELS)), people: z.int() })),
  /** In whose own browser; null: an ordinary one. */
  apps: atMost(IN_APP_BROWSERS.length + 1, z.object({ app: z.nullable(z.enum(IN_APP_BROWSERS)), people: z.int() })),
  /** ISO 3166-1 alpha-2, as the proxy or the languages of the browser say; null: nothing says it. */
  countries: atMost(COUNTRIES_SHOWN, z.object({ country: z.nullable(z.string()), people: z.int() })),
  /** Of the days of these, in UTC; those with nobody are left out. */
  days: atMost(APP_LINK_FIGURES_DAYS + 1, z.object({ day: z.string(), people: z.int() })),
  /** Of messages: the posts, words and doors that they answered. */
  posts: atMost(
    MESSAGES_SHOWN,
    z.object({ postId: z.nullable(z.string()), caption: z.nullable(z.string()), people: z.int() }),
  ),
  words: atMost(MESSAGES_SHOWN, z.object({ word: z.nullable(z.string()), people: z.int() })),
  doors: atMost(LIST_DOORS.length, z.object({ door: z.enum(LIST_DOORS), people: z.int() })),
  /** What the opening page told: whether another app or browser came up. Of some nothing is heard. */
  opened: z.int(),
  stayed: z.int(),
});
export type AppLinkFigures = z.infer<typeof AppLinkFigures>;

/** Trying a link on one's own phone: where to open it, and what came of it before, for links to the same app. */
export const OpeningTest = z.object({
  /** To be opened inside Instagram, TikTok and so on; asks afterwards whether the app came up. Null: the link opens no app. */
  url: z.nullable(z.url()),
  /** Whose app it is; null: any other address, which only leaves the other app. */
  target: z.nullable(z.string()),
  answers: atMost(
    IN_APP_BROWSERS.length * PHONE_SYSTEMS.length,
    z.object({
      app: z.enum(IN_APP_BROWSERS),
      system: z.enum(PHONE_SYSTEMS),
      worked: z.boolean(),
      /** How it was tried, and since when that is known; empty: by the app's own menu. */
      rule: z.string(),
      testedAt: Timestamp,
    }),
  ),
});
export type OpeningTest = z.infer<typeof OpeningTest>;

export const getOpeningTest = endpoint({
  method: 'GET',
  path: `${path}/:appLinkId/opening-test`,
  access: 'creator',
  refreshedBy: ['links'],
  summary: 'Where to try an app link on one’s own phone, and what came of it in each app',
  params: AppLinkParams,
  response: OpeningTest,
  errors: ['not_found'],
});

export const getAppLinkFigures = endpoint({
  method: 'GET',
  path: `${path}/:appLinkId/figures`,
  access: 'creator',
  refreshedBy: ['links'],
  summary: 'People who followed an app link in 28 days, by place, app and country, and whether the app opened',
  params: AppLinkParams,
  response: AppLinkFigures,
  errors: ['not_found'],
});
