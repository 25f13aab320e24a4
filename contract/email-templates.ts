/**
 * What mails to readers look like. Each creator has working ones of every type before they change any; a change waits as a
 * draft beside what is sent until it is published.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FORM_FONTS, HexColor, HttpsLink } from '#contract/forms.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/** `about`: what the mail may speak of. `asks`: it carries the newsletter question. */
export const EMAIL_TYPES = {
  'save-to-email': { name: 'Saved recipe', about: 'recipe', asks: true },
  confirmation: { name: 'Sign-up confirmation', about: null, asks: true },
  welcome: { name: 'Welcome', about: null, asks: false },
  broadcast: { name: 'Newsletter', about: null, asks: false },
  sequence: { name: 'Welcome series', about: null, asks: false },
  digest: { name: 'Weekly recipes', about: null, asks: false },
  correction: { name: 'Recipe correction', about: 'recipe', asks: false },
} as const;
export type EmailType = keyof typeof EMAIL_TYPES;
export const EmailTypeName = z.enum(Object.keys(EMAIL_TYPES) as [EmailType, ...EmailType[]]);

/** What `{field}` and `{field|instead}` stand for; `instead` is printed where there is nothing. */
export const EMAIL_FIELDS = {
  'first name': { label: 'First name', of: null, instead: 'there' },
  creator: { label: 'Your name', of: null, instead: '' },
  'recipe.title': { label: 'Recipe title', of: 'recipe', instead: 'Your recipe' },
  'recipe.time': { label: 'Recipe time', of: 'recipe', instead: '' },
  'recipe.yield': { label: 'Recipe yield', of: 'recipe', instead: '' },
  'recipe.blog': { label: 'Blog address', of: 'recipe', instead: 'the blog' },
} as const;
export type EmailField = keyof typeof EMAIL_FIELDS;

export const EMAIL_LIMITS = { blocks: 60, warnBytes: 80_000, mostBytes: 100_000, versions: 20, line: 300 } as const;

/** A link to the recipe's own page. */
export const RECIPE_LINK = '{recipe.url}';

const Line = z.string().check(z.maxLength(EMAIL_LIMITS.line, 'At most 300 characters.'));
const Link = z
  .string()
  .check(
    z.regex(
      /^(https?:\/\/[^\s/?#]\S*|mailto:[^\s@]+@[^\s@]+|\{recipe\.url\})$/,
      'Enter a link that starts with https:// or mailto:',
    ),
    z.maxLength(2000, 'A link can have at most 2,000 characters.'),
  );

export const TextRun = z.object({
  text: z.string().check(z.maxLength(5000, 'At most 5,000 characters.')),
  bold: z.boolean(),
  italic: z.boolean(),
  link: z.nullable(Link),
});
export type TextRun = z.infer<typeof TextRun>;

/** Lines of a paragraph are broken by hand; those of a list are its items. */
export const TextPart = z.object({
  kind: z.enum(['paragraph', 'bullets', 'numbers']),
  lines: z
    .array(z.array(TextRun).check(z.maxLength(100, 'At most 100 parts in a line.')))
    .check(z.maxLength(100, 'At most 100 lines.')),
});
export type TextPart = z.infer<typeof TextPart>;

export const HideWhen = z.enum(['no_ingredients', 'no_picture', 'confirmed']);
export type HideWhen = z.infer<typeof HideWhen>;

const Base = {
  /** Unique in the mail. */
  id: z.string().check(z.regex(/^[\w-]{1,36}$/)),
  hideWhen: z.nullable(HideWhen),
};

export const EmailBlock = z.discriminatedUnion('kind', [
  z.object({ ...Base, kind: z.literal('heading'), text: Line, size: z.enum(['large', 'small']) }),
  z.object({
    ...Base,
    kind: z.literal('text'),
    parts: z.array(TextPart).check(z.maxLength(100, 'At most 100 paragraphs.')),
  }),
  /** Without an address: that of the recipe, which leaves no hole where there is none. */
  z.object({ ...Base, kind: z.literal('picture'), url: z.nullable(HttpsLink), alt: Line, link: z.nullable(Link) }),
  z.object({ ...Base, kind: z.literal('button'), label: Line, link: Link }),
  /** Picture, title, times and yield of the recipe. */
  z.object({ ...Base, kind: z.literal('recipe'), picture: z.boolean(), facts: z.boolean() }),
  z.object({ ...Base, kind: z.literal('ingredients'), heading: Line }),
  /** Of the creator's recipes: those chosen, or the newest where none is. */
  z.object({
    ...Base,
    kind: z.literal('recipes'),
    recipeIds: atMost(12, Id),
    count: z.int().check(z.gte(1), z.lte(12)),
  }),
  /** The newsletter question in the words the reader saw; only where it is asked. */
  z.object({ ...Base, kind: z.literal('confirm'), label: Line }),
  z.object({ ...Base, kind: z.literal('divider') }),
  /** Always the last. Sender, postal address, why it came, how it stops. */
  z.object({ ...Base, kind: z.literal('footer') }),
]);
export type EmailBlock = z.infer<typeof EmailBlock>;
export type EmailBlockKind = EmailBlock['kind'];

export const EmailDesign = z.object({
  subject: Line,
  /** Shown beside the subject in the inbox. */
  preheader: Line,
  /** Decides the direction of reading, too. */
  language: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'Choose a language.')),
  look: z.object({ button: HexColor, buttonText: HexColor, font: z.enum(FORM_FONTS) }),
  blocks: z.array(EmailBlock).check(z.maxLength(EMAIL_LIMITS.blocks, 'At most 60 blocks.')),
});
export type EmailDesign = z.infer<typeof EmailDesign>;

/** Why a design can't be published. `blockId` null: about the whole mail, `path` says where: `subject`, `blocks.2.label`. */
export const EmailProblem = z.object({ blockId: z.nullable(z.string()), path: z.string(), message: z.string() });
export type EmailProblem = z.infer<typeof EmailProblem>;

export const EmailTemplate = z.object({
  type: EmailTypeName,
  name: z.string(),
  /** False: nothing sends it yet. */
  isSent: z.boolean(),
  /** 0: the one that everybody begins with. */
  version: z.int(),
  live: EmailDesign,
  /** Null: the one that everybody begins with. */
  published: z.nullable(z.object({ at: Timestamp, by: z.string() })),
  /** Counts every save, publishing and discarding. */
  draftVersion: z.int(),
  /** `base`: the version that was live when it was saved. */
  draft: z.nullable(z.object({ base: z.int(), savedAt: Timestamp, savedBy: z.string(), design: EmailDesign })),
});
export type EmailTemplate = z.infer<typeof EmailTemplate>;

const TemplateParams = z.object({ creatorId: Id, type: EmailTypeName });
/** As the editor saw them. */
const Seen = z.object({ version: z.int(), draftVersion: z.int() });

export const listEmailTemplates = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/email-templates',
  access: 'creator',
  summary: 'What emails to readers look like, one of each type',
  params: CreatorParams,
  response: z.object({ items: atMost(20, EmailTemplate) }),
});

export const getEmailTemplate = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/email-templates/:type',
  access: 'creator',
  summary: 'What emails of one type look like, with the draft',
  params: TemplateParams,
  response: EmailTemplate,
});

export const saveEmailDraft = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/email-templates/:type',
  access: 'creator',
  summary: 'Save a draft; refused if someone else changed the template or its draft',
  params: TemplateParams,
  body: z.extend(Seen, { design: EmailDesign }),
  response: EmailTemplate,
  errors: ['invalid_input', 'changed_meanwhile'],
});

export const publishEmailDraft = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/email-templates/:type/publish',
  access: 'creator',
  summary: 'Send the draft from now on; `errors` names each block with a problem',
  params: TemplateParams,
  body: Seen,
  response: EmailTemplate,
  errors: ['invalid_input', 'changed_meanwhile'],
});

export const discardEmailDraft = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/email-templates/:type/discard',
  access: 'creator',
  summary: 'Discard the draft; emails look as before',
  params: TemplateParams,
  body: Seen,
  response: EmailTemplate,
  errors: ['changed_meanwhile'],
});

export const resetEmailTemplate = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/email-templates/:type/reset',
  access: 'creator',
  summary: 'Go back to the template you began with; the draft goes, what was live stays among the versions',
  params: TemplateParams,
  body: Seen,
  response: EmailTemplate,
  errors: ['changed_meanwhile'],
});

export const listEmailVersions = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/email-templates/:type/versions',
  access: 'creator',
  summary: 'The last 20 that were published, newest first',
  params: TemplateParams,
  response: z.object({
    items: atMost(
      EMAIL_LIMITS.versions,
      z.object({ version: z.int(), publishedAt: Timestamp, publishedBy: z.string(), design: EmailDesign }),
    ),
  }),
});

/** Hard cases to look at, and an everyday one. */
export const EMAIL_SAMPLES = {
  everyday: 'Everyday recipe',
  no_picture: 'No picture',
  no_ingredients: 'No ingredients',
  long_title: '120-letter title',
  arabic: 'Arabic',
  many_ingredients: '60 ingredients',
} as const;
export type EmailSample = keyof typeof EMAIL_SAMPLES;

/** Whose data fills the mail: a sample, or what a reader really saved, and one of the contacts. */
const FilledWith = z.object({
  design: EmailDesign,
  sample: z.enum(Object.keys(EMAIL_SAMPLES) as [EmailSample, ...EmailSample[]]),
  savedRecipeId: z._default(z.nullable(Id), null),
  contactId: z._default(z.nullable(Id), null),
});

export const previewEmail = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/email-templates/:type/preview',
  access: 'creator',
  personal: true,
  summary: 'An email as readers get it, of a design that need not be saved, and what keeps it from being published',
  params: TemplateParams,
  body: FilledWith,
  response: z.object({
    subject: z.string(),
    preheader: z.string(),
    /** A whole document without scripts. */
    html: z.string(),
    text: z.string(),
    /** Of the HTML. */
    bytes: z.int(),
    /** It is near the size that Gmail cuts at. */
    warning: z.nullable(z.string()),
    problems: atMost(200, EmailProblem),
  }),
  errors: ['invalid_input', 'not_found'],
});

export const testEmail = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/email-templates/:type/test',
  access: 'creator',
  quotas: ['test_emails'],
  summary: 'Send it to an address of the team as a test; its links change nothing',
  params: TemplateParams,
  body: z.extend(FilledWith, { to: z.string().check(z.maxLength(254)) }),
  response: z.object({ message: z.string() }),
  errors: ['invalid_input', 'not_found', 'quota_reached'],
});

export const listEmailSamples = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/email-samples',
  access: 'creator',
  personal: true,
  summary: 'Real recipes and contacts to fill a preview with, newest first, and addresses that a test may go to',
  params: CreatorParams,
  response: z.object({
    savedRecipes: atMost(20, z.object({ id: Id, title: z.string() })),
    contacts: atMost(20, z.object({ id: Id, name: z.string() })),
    /** The caller's own first. */
    team: atMost(100, z.string()),
  }),
});
