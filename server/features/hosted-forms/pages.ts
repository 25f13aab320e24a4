/** Pages of a form at its own address: in the creator's colors, without script, on any phone. */
import { createHash } from 'node:crypto';
import type { FormTexts } from '#contract/forms.ts';
import { type FilledIn, type Places, printPlain } from '#server/features/forms/print-form.ts';
import { escapeHtml } from '#server/platforms/email/letter.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import { FORM_PATH, type HostedForm } from './hosted-forms.ts';

const STYLE = `
body { margin: 0; min-height: 100vh; display: grid; align-items: center; justify-items: center; font: 1.05rem/1.5 system-ui, sans-serif; color: #2b2622; background: #fff; }
main { box-sizing: border-box; width: 100%; max-width: 30rem; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
.creator { font-size: 1.05rem; font-weight: 600; text-align: center; margin: 0 0 1rem; }
.says { text-align: center; }
.says a { display: inline-block; padding: 0.75rem 0; color: inherit; }
`;

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export type Page = { html: string; policy: string };

/** What became of a press, at addresses of their own, so that loading them again sends nothing again. */
export const RESULTS = ['on_its_way', 'please_confirm', 'already_sent', 'later'] as const;
export type Result = (typeof RESULTS)[number];
export const slugOf = (result: Result) => result.replaceAll('_', '-');

/** @param sender whom the mail comes from, as mail programs show it */
function wordsOf(
  result: Result,
  kind: HostedForm['kind'],
  texts: FormTexts,
  sender: string,
): { title: string; says: string; again?: string } {
  switch (result) {
    case 'on_its_way':
      return {
        title: texts.thanks,
        says: kind === 'save' ? `Look in your inbox. It comes from ${sender}.` : 'You’re signed up.',
      };
    case 'please_confirm':
      return { title: 'Confirm with one tap', says: `Look in your inbox and confirm. It comes from ${sender}.` };
    case 'already_sent':
      return { title: 'Already sent a minute ago', says: 'Look in your inbox, and in spam.', again: 'Send it again' };
    case 'later':
      return { title: 'Many emails today', says: 'The rest comes as one email within an hour.' };
  }
}

/** The same in one line, for a form that answers in place. */
export function lineOf(result: Result, kind: HostedForm['kind'], texts: FormTexts, sender: string): string {
  const { title, says } = wordsOf(result, kind, texts, sender);
  return result === 'please_confirm' ? says : title;
}

export function formPage(form: HostedForm, texts: FormTexts, places: Places, filledIn: FilledIn | null): Page {
  const { css, html, dir } = printPlain(form, texts, places, filledIn);
  return page(form, texts.language, dir, texts.heading || texts.button, { css, picture: form.design.pictureUrl }, html);
}

export function resultPage(form: HostedForm, texts: FormTexts, result: Result, sender: string): Page {
  const { title, says, again } = wordsOf(result, form.kind, texts, sender);
  const back = again === undefined ? '' : `<p><a href="${FORM_PATH}/${form.key}">${again}</a></p>`;
  return sayingPage(form, title, says, back);
}

/** A save needs its recipe. */
export function recipeNeededPage(form: HostedForm): Page {
  return sayingPage(form, 'Which recipe?', 'Open the recipe on the blog and save it from there.');
}

export function formGonePage(): Page {
  return sayingPage(null, 'This form is gone', 'It is no longer in use.');
}

function sayingPage(form: HostedForm | null, title: string, says: string, more = ''): Page {
  const content = `<div class="says"><h1 dir="auto">${escapeHtml(title)}</h1><p dir="auto">${escapeHtml(says)}</p>${more}</div>`;
  return page(form, 'en', 'ltr', title, { css: '', picture: null }, content);
}

/** Nothing from elsewhere but the form's own picture, nothing inline but these styles, no script. */
function page(
  form: HostedForm | null,
  language: string,
  dir: 'ltr' | 'rtl',
  title: string,
  { css, picture }: { css: string; picture: string | null },
  content: string,
): Page {
  const styles = [STYLE, css].filter((style) => style !== '');
  // What a result says is its own heading.
  const tag = css === '' ? 'p' : 'h1';
  const name = form === null ? '' : `<bdi>${escapeHtml(oneLine(form.creatorName, 80))}</bdi>`;
  const creator = form === null ? '' : `<${tag} class="creator">${name}</${tag}>`;
  return {
    policy: [
      "default-src 'none'",
      `style-src ${styles.map(sha256).join(' ')}`,
      ...(picture === null ? [] : [`img-src ${new URL(picture).origin}`]),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    html: `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
<body><main>${creator}${content}</main></body>
</html>
`,
  };
}
