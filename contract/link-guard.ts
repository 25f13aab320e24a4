/** Link guard: whether the addresses that automations send still lead where they should. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, byAutomation, CreatorParams, Id, PageQuery, pageOf, Timestamp, WebLink } from '#contract/shapes.ts';

/** The possible findings. `breaks`: nobody gets to the page; the others are worth knowing. `says` is shown as it stands. */
export const LINK_PROBLEMS = {
  gone: { breaks: true, says: 'The page no longer exists.' },
  server_error: { breaks: true, says: 'The site has an error.' },
  unreachable: { breaks: true, says: 'We can’t reach the site.' },
  no_answer: { breaks: true, says: 'The site doesn’t respond in time.' },
  private_address: { breaks: true, says: 'The link goes to a private network your followers can’t reach.' },
  certificate: {
    breaks: true,
    says: 'The site’s certificate isn’t valid, so browsers show a warning.',
  },
  loop: { breaks: true, says: 'The link redirects in a loop.' },
  home_page: { breaks: true, says: 'The link goes to the home page instead of its own page.' },
  not_found_page: { breaks: true, says: 'The page says it wasn’t found.' },
  recipe_gone: { breaks: true, says: 'The recipe is no longer on the page.' },
  product_gone: { breaks: true, says: 'Amazon no longer has this product.' },
  short_link_dead: { breaks: true, says: 'Amazon’s short link no longer works. Use the product’s full address.' },

  tag_missing: { breaks: false, says: 'The link to Amazon has no tag, and you have none for that country.' },
  tag_not_yours: { breaks: false, says: 'The tag in this link to Amazon is not one of yours.' },
  changed: {
    breaks: false,
    says: 'The page’s title and text changed. Is it still the right page?',
  },
  no_entry: {
    breaks: false,
    says: 'The site blocks our check, so we can’t tell. Open it yourself now and then.',
  },
  slow: { breaks: false, says: 'The page takes more than 5 seconds to load.' },
  certificate_ends: {
    breaks: false,
    says: 'The site’s certificate expires within two weeks. Renew it before then.',
  },
} as const satisfies Record<string, { breaks: boolean; says: string }>;
export type LinkProblem = keyof typeof LINK_PROBLEMS;

/** How messages are handled while one of their links is broken. */
export const WhenLinkBreaks = z.enum(['send', 'hold', 'swap']);
export type WhenLinkBreaks = z.infer<typeof WhenLinkBreaks>;

/** Of those that lead to one address. */
export const MOST_APP_LINKS_NAMED = 20;

/** `failing`: it failed once and is looked at again in a moment. */
export const LinkSight = z.object({
  state: z.enum(['unchecked', 'fine', 'failing', 'broken']),
  problem: z.nullable(z.enum(Object.keys(LINK_PROBLEMS) as [LinkProblem, ...LinkProblem[]])),
  checkedAt: z.nullable(Timestamp),
  brokenSince: z.nullable(Timestamp),
});
export type LinkSight = z.infer<typeof LinkSight>;

export const LinkCheck = z.object({
  id: Id,
  url: z.string(),
  /** Whose address it is; null for a typed one. */
  recipe: z.nullable(z.object({ id: Id, name: z.string() })),
  appLinks: atMost(MOST_APP_LINKS_NAMED, z.object({ id: Id, name: z.string() })),
  ...LinkSight.shape,
  nextCheckAt: Timestamp,
  usedBy: byAutomation(
    z.object({
      automationId: Id,
      name: z.string(),
      postId: z.nullable(z.string()),
      whenBroken: WhenLinkBreaks,
      insteadUrl: z.nullable(z.string()),
      /** Messages that wait for the link. */
      held: z.int(),
    }),
  ),
});
export type LinkCheck = z.infer<typeof LinkCheck>;

export const listLinkChecks = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/link-checks',
  access: 'creator',
  refreshedBy: ['automations', 'links'],
  summary: 'Links in automations that are on, and broken ones of app links, broken ones first, with what we found',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: z.extend(pageOf(LinkCheck), {
    /** False: this installation does not check links. */
    checking: z.boolean(),
  }),
  errors: ['invalid_input'],
});

export const checkLinkAgain = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/link-checks/:linkCheckId/again',
  access: 'creator',
  summary: 'Check a link now',
  params: z.object({ creatorId: Id, linkCheckId: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

/** How an automation behaves while one of its links is broken. */
export const LinkPlan = z.object({
  whenBroken: WhenLinkBreaks,
  /** For `swap`: where its links lead meanwhile. */
  insteadUrl: z.nullable(WebLink),
});
export type LinkPlan = z.infer<typeof LinkPlan>;

const AutomationParams = z.object({ creatorId: Id, automationId: Id });

export const getLinkPlan = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/automations/:automationId/link-plan',
  access: 'creator',
  refreshedBy: ['interactions', 'automations'],
  summary: 'What an automation does while one of its links is broken',
  params: AutomationParams,
  response: LinkPlan,
  errors: ['not_found'],
});

export const changeLinkPlan = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/automations/:automationId/link-plan',
  access: 'creator',
  summary: 'Choose what to do about a broken link; applies right away, also to waiting messages',
  params: AutomationParams,
  body: LinkPlan,
  response: LinkPlan,
  errors: ['invalid_input', 'not_found'],
});
