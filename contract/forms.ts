/** Forms that a creator designs for their blog: readers save a recipe, or sign up to the newsletter. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FormKey, FormKind } from '#contract/plugin.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';
import { TagName } from '#contract/tags.ts';

/** WCAG 2.2, 1.4.3: of text that is not large. */
export const LEAST_CONTRAST = 4.5;
/** Fingers hit it. */
const LEAST_TARGET_PX = 44;

export const HexColor = z.string().check(z.regex(/^#[0-9a-f]{6}$/, 'Enter a color like #1f6f4a.'));

/** @returns 1 to 21, as WCAG 2.2 defines it; colors are `#rrggbb` */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The color nearest to `wanted` on the way to black or to white that can be read on `background`. */
export function readableOn(background: string, wanted: string): string {
  const steps = Array.from({ length: 101 }, (_, step) => step / 100);
  for (const part of steps) {
    for (const end of [0, 255]) {
      const mixed = channelsOf(wanted).map((channel) => Math.round(channel + (end - channel) * part));
      const color = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
      if (contrastOf(color, background) >= LEAST_CONTRAST) return color;
    }
  }
  return luminanceOf(background) > 0.18 ? '#000000' : '#ffffff';
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `path` names the color that is refused. */
function readable(text: string, background: string) {
  return (context: { value: Record<string, unknown>; issues: unknown[] }) => {
    const [color, behind] = [context.value[text], context.value[background]] as [string, string];
    const isSeen = text !== 'text' || context.value.kind === 'own';
    if (!isSeen || contrastOf(color, behind) >= LEAST_CONTRAST) return;
    context.issues.push({
      code: 'custom',
      input: color,
      path: [text],
      message: `Too hard to read here. The nearest color that works is ${readableOn(behind, color)}.`,
    });
  };
}

const Button = {
  button: HexColor,
  buttonText: HexColor,
  buttonHeight: z
    .int()
    .check(
      z.gte(LEAST_TARGET_PX, `Too small for a finger. The nearest height that works is ${LEAST_TARGET_PX} px.`),
      z.lte(72, 'At most 72 px.'),
    ),
  corners: z.int().check(z.gte(0), z.lte(36)),
};

export const FORM_FONTS = ['system', 'serif', 'rounded'] as const;

/** `theme`: font and colors of the blog's theme around a button of its own; the other colors wait for `own`. */
const KeptLook = z.object({
  kind: z.enum(['own', 'theme']),
  background: HexColor,
  text: HexColor,
  font: z.enum(FORM_FONTS),
  ...Button,
});
const Look = KeptLook.check(readable('text', 'background') as never, readable('buttonText', 'button') as never);

const line = (most: number) => z.string().check(z.trim(), z.maxLength(most, `At most ${most} characters.`));
const needed = (most: number, empty: string) => line(most).check(z.minLength(1, empty));
export const HttpsLink = z
  .string()
  .check(
    z.regex(/^https:\/\/[^\s/?#]+[^\s]*$/, 'Enter a link that starts with https://'),
    z.maxLength(2000, 'A link can have at most 2,000 characters.'),
  );

export const ADS_WORDING = 'Let my ad partner recognize me';

/** Of one language. Labels are seen: a placeholder is gone once somebody types. */
export const FormTexts = z.object({
  language: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'Choose a language.')),
  heading: line(120),
  description: line(300),
  emailLabel: needed(60, 'Enter a label for the email field.'),
  placeholder: line(60),
  firstNameLabel: needed(60, 'Enter a label for the first name.'),
  button: needed(40, 'Enter what the button says.'),
  thanks: needed(200, 'Enter what readers see afterward.'),
  /** The text they say yes to; kept in the ledger word for word. */
  newsletter: needed(300, 'Enter what readers say yes to.'),
  privacyLabel: needed(60, 'Enter what the privacy link says.'),
  /** Of the box for the ad partner; kept in the ledger, too. Empty or absent: `ADS_WORDING`. */
  ads: z.optional(line(200)),
});
export type FormTexts = z.infer<typeof FormTexts>;

export const FormDesign = z.object({
  /** The first one where a page has none of them. */
  texts: z
    .array(FormTexts)
    .check(z.minLength(1, 'Add a language.'), z.maxLength(10, 'At most 10 languages.'), ((context: {
      value: FormTexts[];
      issues: unknown[];
    }) => {
      const languages = context.value.map(({ language }) => language);
      if (new Set(languages).size < languages.length)
        context.issues.push({ code: 'custom', input: context.value, message: 'Each language once.' });
    }) as never),
  firstName: z.boolean(),
  /** `button`: the form opens when it is pressed. */
  layout: z.enum(['stacked', 'inline', 'button']),
  look: Look,
  pictureUrl: z.nullable(HttpsLink),
  /** `ticked`: EU law does not count it as a yes. A sign-up asks for nothing else and has no box, a gate always has one. */
  newsletter: z.enum(['off', 'unticked', 'ticked']),
  privacyUrl: z.nullable(HttpsLink),
  /** How a yes is confirmed: by one tap in the mail, by a press after it, or not at all. */
  confirm: z.enum(['mail', 'mail_and_press', 'none']),
  /** Sign-ups may use addresses that work only for a few minutes; saves always may. */
  throwAway: z.optional(z.boolean()),
  /** A box, never checked for them, that lets the blog's ad network recognize who checks it. Nothing of it comes to us but the yes. */
  ads: z.optional(z.boolean()),
  /** Given to whoever presses the button. */
  tags: z.optional(z.array(TagName).check(z.maxLength(5, 'At most 5 tags.'))),
  /** Also one for each category that the post has on the blog, like "Category: Pasta". */
  categoryTags: z.optional(z.boolean()),
});
export type FormDesign = z.infer<typeof FormDesign>;

const FormName = needed(60, 'Enter a name for the form.');

export const Form = z.object({
  id: Id,
  key: FormKey,
  kind: FormKind,
  name: z.string(),
  design: z.extend(FormDesign, { look: KeptLook, texts: atMost(10, FormTexts) }),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Presses of its button in the last 28 days, without those on a copy of the blog. */
  submissions: z.int(),
});
export type Form = z.infer<typeof Form>;

const FormParams = z.object({ creatorId: Id, formId: Id });

export const listForms = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/forms',
  access: 'creator',
  summary: 'Forms for the blog, most recently changed first; the first call creates three',
  params: CreatorParams,
  response: z.object({ items: atMost(100, Form) }),
});

export const getForm = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/forms/:formId',
  access: 'creator',
  summary: 'One form',
  params: FormParams,
  response: Form,
  errors: ['not_found'],
});

export const createForm = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/forms',
  access: 'creator',
  quotas: ['forms'],
  makes: true,
  summary: 'Create a form',
  params: CreatorParams,
  body: z.object({ kind: FormKind, name: FormName, design: FormDesign }),
  response: Form,
  errors: ['invalid_input'],
});

export const updateForm = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/forms/:formId',
  access: 'creator',
  summary: 'Change a form; the blog shows it within minutes',
  params: FormParams,
  body: z.object({ name: FormName, design: FormDesign, version: z.int() }),
  response: Form,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});

export const archiveForm = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/forms/:formId',
  access: 'creator',
  summary: 'Archive a form: the blog stops showing it; what readers submitted stays',
  params: FormParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const previewForm = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/forms/preview',
  access: 'creator',
  summary: 'A form as the blog prints it, in each of its languages',
  params: CreatorParams,
  body: z.object({ kind: FormKind, design: FormDesign }),
  response: z.object({ languages: atMost(10, z.object({ language: z.string(), html: z.string() })) }),
  errors: ['invalid_input'],
});

export const FormPageCheck = z.object({
  found: z.boolean(),
  /** In words: found, or why not. */
  says: z.string(),
  /** What emails will show of it. */
  page: z.nullable(z.object({ title: z.string(), pictureUrl: z.nullable(z.string()), ingredients: z.int() })),
});
export type FormPageCheck = z.infer<typeof FormPageCheck>;

export const checkFormPage = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/forms/:formId/page',
  access: 'creator',
  summary: 'Look for the form’s snippet on a page of a blog; found, its website may send the form',
  params: FormParams,
  body: z.object({ url: z.string().check(z.trim(), z.minLength(1, 'Enter an address.'), z.maxLength(2000)) }),
  response: FormPageCheck,
  errors: ['invalid_input', 'not_found', 'not_possible_now'],
});

const MostSaved = z.object({ title: z.string(), url: z.string(), readers: z.int() });

export const getFormFigures = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/form-figures',
  access: 'creator',
  summary: 'What readers did with all forms in the last 28 days, without copies of the blog',
  params: CreatorParams,
  response: z.object({
    /** Presses that saved a recipe. */
    saves: z.int(),
    /** People who saved one. */
    readers: z.int(),
    /** People who asked for the newsletter then and are on it now. */
    subscribers: z.int(),
    /** By people, most first. */
    mostSaved: atMost(5, MostSaved),
  }),
});
