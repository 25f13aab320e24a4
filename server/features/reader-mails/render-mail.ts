/**
 * Lays a mail to a reader out as HTML and as plain text. Tables and inline styles are what mail programs understand; nothing in
 * it runs, tracks or is loaded, but the recipe's own picture. Everything that comes from a blog or a reader is text here.
 */
import { escapeHtml } from '#server/platforms/email/letter.ts';
import type { SaveFacts } from './queue-mail.ts';

export type MailContent = {
  kind: 'save' | 'confirmation';
  /** As readers know them. */
  creatorName: string;
  about: SaveFacts | null;
  /** The newsletter question; `tripwireUrl` is followed by programs alone. */
  question: { wording: string; confirmUrl: string; tripwireUrl: string } | null;
  notMeUrl: string;
};

export type RenderedMail = { subject: string; html: string; text: string };

/** Gmail cuts a mail at 102 KB: longer lists end with a hint to the page. */
const MOST_INGREDIENTS = 60;
const LONGEST_INGREDIENT = 160;
const LONGEST_TITLE = 150;
const LONGEST_WORDING = 500;
const LONGEST_URL = 1500;

/** The subject is one line without control or direction characters; HTML is below 100 KB whatever the facts are. */
export function renderMail(content: MailContent): RenderedMail {
  const parts = partsOf(content);
  return { subject: parts.subject, html: toHtml(parts), text: toText(parts) };
}

type Button = { label: string; url: string };
type Parts = {
  subject: string;
  creatorName: string;
  heading: string;
  paragraph: string | null;
  pictureUrl: string | null;
  facts: string | null;
  ingredients: string[];
  more: string | null;
  button: Button | null;
  others: Button[];
  question: { wording: string; button: Button; tripwireUrl: string } | null;
  why: string;
  notMeUrl: string;
};

function partsOf({ kind, about, question, notMeUrl, ...content }: MailContent): Parts {
  const creatorName = oneLine(content.creatorName, 80);
  const url = about === null ? null : cardUrl(about);
  const ingredients = about?.recipe?.ingredients ?? [];
  const shown = ingredients.slice(0, MOST_INGREDIENTS).map((one) => oneLine(one, LONGEST_INGREDIENT));
  const yes = { label: 'Yes, send me new recipes', url: question?.confirmUrl ?? '' };
  const asked = question && { ...question, wording: oneLine(question.wording, LONGEST_WORDING), button: yes };
  const others = (about?.others ?? []).flatMap((other) => {
    const page = webUrl(other.url, ['https:', 'http:']);
    return page === null ? [] : [{ label: oneLine(other.title, LONGEST_INGREDIENT) || page, url: page }];
  });
  const base = { creatorName, question: asked, others, notMeUrl };
  if (kind === 'confirmation' || about === null) {
    return {
      ...base,
      subject: oneLine(`Confirm your sign-up for ${creatorName}`, LONGEST_TITLE),
      heading: 'One tap and you’re signed up',
      paragraph: `Confirm that you want new recipes from ${creatorName} by email.`,
      ...{ pictureUrl: null, facts: null, ingredients: [], more: null, button: null },
      why: `You got this email because your address was entered to sign up for recipes from ${creatorName}. If you don’t confirm, you won’t get any.`,
    };
  }
  const title = oneLine(about.recipe?.name || about.title, LONGEST_TITLE) || 'Your saved recipe';
  return {
    ...base,
    subject: title,
    heading: title,
    paragraph: `Here’s the recipe you saved from ${creatorName}.`,
    pictureUrl: about.pictureUrl === null ? null : webUrl(about.pictureUrl, ['https:']),
    facts: factsOf(about.recipe),
    ingredients: shown,
    more: ingredients.length > shown.length ? `…and ${ingredients.length - shown.length} more on the page` : null,
    button: url === null ? null : { label: 'Open the recipe', url },
    why: `You got this email because your address was entered to save this recipe${url === null ? '' : ` on ${new URL(url).host}`}. It’s not a subscription.`,
  };
}

/** The address of the recipe's card in its page; null unless it is one of the web. */
function cardUrl({ url, recipe }: SaveFacts): string | null {
  const page = webUrl(url, ['https:', 'http:']);
  if (page === null || recipe?.anchor == null) return page;
  const card = new URL(page);
  card.hash = recipe.anchor;
  return card.href;
}

function webUrl(text: string, protocols: string[]): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return protocols.includes(url.protocol) && url.href.length <= LONGEST_URL ? url.href : null;
}

function factsOf(recipe: SaveFacts['recipe']): string | null {
  const facts = [recipe?.totalMinutes ? inWords(recipe.totalMinutes) : '', oneLine(recipe?.yield ?? '', 60)];
  return facts.filter((fact) => fact !== '').join(' · ') || null;
}

function inWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} hr` : '', rest > 0 ? `${rest} min` : ''].filter((part) => part !== '').join(' ');
}

/**
 * One line of plain text: no control characters, nothing that turns the direction of what follows (U+061C, U+200E …), no half
 * of a pair of surrogates, and not longer than so many characters.
 */
export function oneLine(text: string, most: number): string {
  const plain = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim();
  const letters = Array.from(plain);
  return letters.length <= most ? plain : `${letters.slice(0, most - 1).join('')}…`;
}

const LIGHT = { page: '#faf7f4', card: '#ffffff', line: '#ece5de', ink: '#1c1917', faint: '#57534e' };
const DARK = { page: '#1d1a17', card: '#292420', line: '#453e37', ink: '#f5efe8', faint: '#c0b7ad' };
/** Passes 4.5:1 with white on it, and against the cards of both. */
const BUTTON = '#1e6b4a';
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function toHtml({ subject, creatorName, heading, paragraph, pictureUrl, ...parts }: Parts): string {
  const { facts, ingredients, more, button, others, question, why, notMeUrl } = parts;
  const text = `margin:0 0 16px;font-size:16px;line-height:25px;color:${LIGHT.ink}`;
  const small = `margin:0 0 8px;font-size:13px;line-height:20px;color:${LIGHT.faint}`;
  const line = (one: string) => `<li dir="auto" style="margin:0 0 6px">${escapeHtml(one)}</li>`;
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:${DARK.page}!important}
.card{background:${DARK.card}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.faint{color:${DARK.faint}!important}
.line{border-color:${DARK.line}!important}
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${LIGHT.page}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${LIGHT.page}">
<tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="640" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;font-family:${FONT}">
<tr><td dir="auto" class="ink" style="padding:0 4px 12px;font-size:16px;font-weight:700;color:${LIGHT.ink}">${escapeHtml(creatorName)}</td></tr>
<tr><td class="card" style="padding:24px;background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px">
${pictureUrl === null ? '' : `<img src="${escapeHtml(pictureUrl)}" alt="" width="590" style="display:block;width:100%;max-width:590px;height:auto;margin:0 0 20px;border:0;border-radius:8px">`}
<h1 dir="auto" class="ink" style="margin:0 0 12px;font-size:24px;line-height:32px;font-weight:700;color:${LIGHT.ink};word-break:break-word">${escapeHtml(heading)}</h1>
${paragraph === null ? '' : `<p dir="auto" class="ink" style="${text}">${escapeHtml(paragraph)}</p>`}
${facts === null ? '' : `<p dir="auto" class="faint" style="${text};color:${LIGHT.faint}">${escapeHtml(facts)}</p>`}
${ingredients.length === 0 ? '' : `<h2 class="ink" style="margin:20px 0 8px;font-size:18px;line-height:26px;color:${LIGHT.ink}">Ingredients</h2>\n<ul class="ink" style="margin:0 0 16px;padding:0 24px;font-size:16px;line-height:24px;color:${LIGHT.ink}">\n${ingredients.map(line).join('\n')}\n</ul>`}
${more === null ? '' : `<p class="faint" style="${text};color:${LIGHT.faint}">${escapeHtml(more)}</p>`}
${button === null ? '' : buttonHtml(button)}
${others.length === 0 ? '' : `<h2 class="ink" style="margin:20px 0 8px;font-size:18px;line-height:26px;color:${LIGHT.ink}">Also saved</h2>\n<ul class="ink" style="margin:0 0 16px;padding:0 24px;font-size:16px;line-height:24px;color:${LIGHT.ink}">\n${others.map(({ label, url }) => `<li dir="auto" style="margin:0 0 6px"><a href="${escapeHtml(url)}" class="ink" style="color:${LIGHT.ink}">${escapeHtml(label)}</a></li>`).join('\n')}\n</ul>`}
${question === null ? '' : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="line" style="padding:20px 0 0;border-top:1px solid ${LIGHT.line}"><p dir="auto" class="ink" style="${text}">${escapeHtml(question.wording)}</p>${buttonHtml(question.button)}</td></tr></table>`}
</td></tr>
<tr><td style="padding:16px 4px 0">
<p dir="auto" class="faint" style="${small}">${escapeHtml(why)}</p>
<p class="faint" style="${small}">${footerLinks(button, question?.tripwireUrl ?? null, notMeUrl)}</p>
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>`;
}

/** A cell with a background: Outlook gives a link no padding. */
function buttonHtml({ label, url }: Button): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:4px 0 16px"><tr><td bgcolor="${BUTTON}" style="border-radius:8px;background:${BUTTON}"><a href="${escapeHtml(url)}" style="display:inline-block;padding:13px 24px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;
}

/** The dot between them is the tripwire: no person aims at it, and somebody who hits it does no harm. */
function footerLinks(button: Button | null, tripwireUrl: string | null, notMeUrl: string): string {
  const link = (label: string, url: string) =>
    `<a href="${escapeHtml(url)}" class="faint" style="color:${LIGHT.faint}">${label}</a>`;
  const dot =
    tripwireUrl === null
      ? ' · '
      : ` <a href="${escapeHtml(tripwireUrl)}" aria-hidden="true" tabindex="-1" class="faint" style="color:${LIGHT.faint};text-decoration:none">·</a> `;
  return [
    ...(button === null ? [] : [link('View on the blog', button.url)]),
    ...(button === null && tripwireUrl !== null ? ['Not you?'] : []),
    link(button === null ? 'Stop emails to this address' : 'Not you? Stop emails to this address', notMeUrl),
  ].join(dot);
}

function toText({
  heading,
  creatorName,
  paragraph,
  facts,
  ingredients,
  more,
  button,
  others,
  question,
  why,
  notMeUrl,
}: Parts) {
  return [
    heading,
    ...(paragraph === null ? [] : [paragraph]),
    ...(facts === null ? [] : [facts]),
    ...(ingredients.length === 0 ? [] : [['Ingredients', ...ingredients.map((one) => `- ${one}`)].join('\n')]),
    ...(more === null ? [] : [more]),
    ...(button === null ? [] : [`${button.label}:\n${button.url}`]),
    ...(others.length === 0
      ? []
      : [['Also saved', ...others.map(({ label, url }) => `- ${label}\n  ${url}`)].join('\n')]),
    ...(question === null ? [] : [`${question.wording}\n${question.button.label}:\n${question.button.url}`]),
    `--\n${creatorName}\n${why}`,
    `Not you? Stop emails to this address:\n${notMeUrl}`,
  ].join('\n\n');
}
