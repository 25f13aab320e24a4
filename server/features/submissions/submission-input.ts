/** Checks a blog's submissions one by one: a bad one never refuses the others. */
import * as z from 'zod/mini';
import { parseEmailAddress } from '#contract/email-address.ts';
import { Submission, type SubmissionRefusal, type SubmittedPage } from '#contract/plugin.ts';

export type Submitted = Omit<Submission, 'email' | 'submittedAt'> & {
  email: { address: string; key: string };
  submittedAt: Date;
};
export type Refusal = { attempt: string; code: SubmissionRefusal; message: string };

const LANGUAGE = /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const NOT_IN_LINES = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** @param now what says it is from later is from now */
export function readSubmission(entry: unknown, now: Date): Submitted | Refusal {
  const parsed = z.safeParse(Submission, entry);
  if (!parsed.success) {
    const { attempt } = (entry ?? {}) as { attempt?: unknown };
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    const known = typeof attempt === 'string' ? attempt.slice(0, 100) : '';
    return { attempt: known, code: 'invalid_input', message: `The blog sent something that can’t be read: ${field}.` };
  }
  const { email, submittedAt, language, page, ...rest } = parsed.data;
  const address = parseEmailAddress(email);
  if (address === null) {
    return {
      attempt: rest.attempt,
      code: 'invalid_email',
      message: 'That isn’t an email address. Check it for typos.',
    };
  }
  if (!isWebPage(page.url)) {
    return { attempt: rest.attempt, code: 'invalid_input', message: 'The blog sent no address of its page.' };
  }
  return {
    ...rest,
    email: address,
    submittedAt: new Date(Math.min(Date.parse(submittedAt), now.getTime())),
    language: language !== null && LANGUAGE.test(language) ? language.replaceAll('_', '-') : null,
    page: cleanPage(page),
  };
}

export function isRefusal(read: Submitted | Refusal): read is Refusal {
  return 'code' in read;
}

/** What a page is called while it was not read. */
export function nameOfPage(url: string): string {
  const { host, pathname } = new URL(url);
  return lineOf(`${host}${pathname}`, 300);
}

export function cleanPage({ url, title, pictureUrl, recipe, isLocked }: SubmittedPage): SubmittedPage {
  return {
    url,
    title: lineOf(title, 300),
    pictureUrl: pictureUrl !== null && isWebPage(pictureUrl) ? pictureUrl : null,
    ...(isLocked && { isLocked }),
    recipe: recipe && {
      name: lineOf(recipe.name, 300),
      // A name in a page: what cannot be one leads to the page itself.
      anchor: recipe.anchor !== null && /^[\w:.-]+$/.test(recipe.anchor) ? recipe.anchor : null,
      ingredients: recipe.ingredients.map((line) => lineOf(line, 300)).filter((line) => line !== ''),
      totalMinutes: recipe.totalMinutes,
      yield: recipe.yield === null ? null : lineOf(recipe.yield, 100) || null,
    },
  };
}

function isWebPage(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** One line, without signs that nobody sees or that turn the writing around. */
function lineOf(text: string, most: number): string {
  const line = text.toWellFormed().replace(NOT_IN_LINES, ' ').replace(/\s+/g, ' ').trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`;
}
