/**
 * A template as HTML. Tables and inline styles are what mail programs understand; nothing in it runs, tracks or is loaded but the
 * pictures of recipes and those the creator chose.
 */
import {
  EMAIL_TYPES,
  type EmailBlock,
  type EmailDesign,
  type EmailType,
  RECIPE_LINK,
  type TextPart,
  type TextRun,
} from '#contract/email-templates.ts';
import { onlyFor } from '#server/features/recipes/locks.ts';
import type { Facts } from './facts.ts';
import { type FixedWords, factsLine, fixedWords, isSubscription, why } from './fixed-words.ts';
import { asHtml, fill, joined, linkOf, only, type Piece, textPieces } from './pieces.ts';

const LIGHT = { page: '#faf7f4', card: '#ffffff', line: '#ece5de', ink: '#1c1917', faint: '#57534e' };
const DARK = { page: '#1d1a17', card: '#292420', line: '#453e37', ink: '#f5efe8', faint: '#c0b7ad' };
const FONTS = {
  system: "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  serif: "Georgia,'Times New Roman',Times,serif",
  rounded: "ui-rounded,'SF Pro Rounded','Hiragino Maru Gothic ProN',Quicksand,Nunito,'Segoe UI',Arial,sans-serif",
};
/** Scripts that are read from the right. */
const FROM_RIGHT = /^(ar|fa|he|ur|ps|sd|ug|yi|dv|ckb)\b|-(Arab|Hebr)\b/;
/** Of a mail without the padding and border of its card. */
const WIDTH = 590;

/** Outlook.com and its apps mark what they turned dark in a way of their own (`data-ogsc`, `data-ogsb`). */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:${DARK.page}!important}
.card{background:${DARK.card}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.faint{color:${DARK.faint}!important}
.line{border-color:${DARK.line}!important}
}
[data-ogsb] .page{background:${DARK.page}!important}
[data-ogsb] .card{background:${DARK.card}!important}
[data-ogsc] .ink{color:${DARK.ink}!important}
[data-ogsc] .faint{color:${DARK.faint}!important}`;

type Look = EmailDesign['look'];

export function htmlOf(type: EmailType, { subject, preheader, language, look, blocks }: EmailDesign): Piece {
  const dir = FROM_RIGHT.test(language) ? 'rtl' : 'ltr';
  const words = fixedWords(language);
  const inCard = blocks.filter(({ kind }) => kind !== 'footer');
  return joined`<!doctype html>
<html lang="${asHtml(language)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${textPieces(subject, asHtml)}</title>
<style>
${STYLE}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${LIGHT.page}">
${preheader === '' ? '' : joined`<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${textPieces(preheader, asHtml)}${'&#8199;&#847;'.repeat(40)}</div>`}
<table role="presentation" class="page" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" style="background:${LIGHT.page}">
<tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="640" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;font-family:${FONTS[look.font]};word-break:break-word">
<tr><td dir="auto" class="ink" style="padding:0 4px 12px;font-size:16px;font-weight:700;color:${LIGHT.ink}">${({ creatorName }) => asHtml(creatorName)}</td></tr>
<tr><td class="card" style="padding:24px 24px 8px;background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${inCard.map((block) => unlessHidden(block, blockHtml(block, look, words)))}</table>
</td></tr>
<tr><td style="padding:16px 4px 0">
${footerHtml(type, words)}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>`;
}

function unlessHidden({ hideWhen }: EmailBlock, piece: Piece): Piece {
  return hideWhen === null ? piece : only((facts) => !isHidden(hideWhen, facts), piece);
}

export function isHidden(when: EmailBlock['hideWhen'], facts: Facts): boolean {
  switch (when) {
    case 'no_ingredients':
      return facts.ingredients.length === 0;
    case 'no_picture':
      return facts.pictureUrl === null;
    case 'confirmed':
      return facts.isConfirmed;
    case null:
      return false;
  }
}

function row(content: Piece, style = 'padding:0 0 16px', attributes = ''): Piece {
  return joined`<tr><td${attributes} style="${style}">${content}</td></tr>\n`;
}

const TEXT = `margin:0;font-size:16px;line-height:25px;color:${LIGHT.ink}`;
const FAINT = `margin:0;font-size:16px;line-height:25px;color:${LIGHT.faint}`;
const SMALL = `margin:0 0 8px;font-size:13px;line-height:20px;color:${LIGHT.faint}`;

function blockHtml(block: EmailBlock, look: Look, words: FixedWords): Piece {
  switch (block.kind) {
    case 'heading':
      return row(headingHtml(textPieces(block.text, asHtml), block.size));
    case 'text':
      return joined`${block.parts.map((part) => row(partHtml(part)))}`;
    case 'picture': {
      const picture = pictureHtml(
        ({ pictureUrl }) => block.url ?? pictureUrl,
        joined`${textPieces(block.alt, asHtml)}`,
      );
      const linked = block.link === null ? picture : linkedHtml(linkOf(block.link), picture);
      return only(({ pictureUrl }) => (block.url ?? pictureUrl) !== null, row(linked));
    }
    case 'button':
      return buttonRow(textPieces(block.label, asHtml), linkOf(block.link), look);
    case 'recipe':
      return recipeHtml(block, words);
    case 'ingredients':
      return ingredientsHtml(block, words);
    case 'recipes':
      return ({ listed }) => (listed.get(block.id) ?? []).map((recipe) => listedHtml(recipe, words)).join('');
    case 'confirm':
      return joined`${(facts) => othersHtml(facts, words)}${only(
        ({ question }) => question !== null,
        joined`${row(
          joined`<p dir="auto" class="ink" style="${TEXT}">${({ question }) => asHtml(question!.wording)}</p>`,
          `padding:20px 0 16px;border-top:1px solid ${LIGHT.line}`,
          ' class="line"',
        )}${buttonRow(textPieces(block.label, asHtml), ({ question }) => question!.confirmUrl, look)}`,
      )}`;
    case 'divider':
      return joined`<tr><td style="padding:8px 0 24px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="line" style="border-top:1px solid ${LIGHT.line};font-size:0;line-height:0">&nbsp;</td></tr></table></td></tr>\n`;
    case 'footer':
      return '';
  }
}

function headingHtml(text: Piece[], size: 'large' | 'small'): Piece {
  return size === 'large'
    ? joined`<h1 dir="auto" class="ink" style="margin:0;font-size:24px;line-height:32px;font-weight:700;color:${LIGHT.ink}">${text}</h1>`
    : joined`<h2 dir="auto" class="ink" style="margin:0;font-size:18px;line-height:26px;font-weight:700;color:${LIGHT.ink}">${text}</h2>`;
}

function partHtml({ kind, lines }: TextPart): Piece {
  if (kind === 'paragraph') {
    const broken = lines.flatMap((runs, at): Piece[] => [...(at === 0 ? [] : ['<br>']), ...runs.map(runHtml)]);
    return joined`<p dir="auto" class="ink" style="${TEXT}">${broken}</p>`;
  }
  const tag = kind === 'bullets' ? 'ul' : 'ol';
  const items = lines.map((runs) => joined`<li dir="auto" style="margin:0 0 6px">${runs.map(runHtml)}</li>`);
  return joined`<${tag} class="ink" style="${TEXT};padding:0 24px">${items}</${tag}>`;
}

function runHtml({ text, bold, italic, link }: TextRun): Piece {
  let piece = joined`${textPieces(text, asHtml)}`;
  if (italic) piece = joined`<em>${piece}</em>`;
  if (bold) piece = joined`<strong>${piece}</strong>`;
  return link === null ? piece : linkedHtml(linkOf(link), piece);
}

/** What is linked stays where there is no page to lead to. */
function linkedHtml(url: (facts: Facts) => string | null, content: Piece): Piece {
  return (facts) => {
    const href = url(facts);
    const inside = fill(content, facts);
    return href === null ? inside : `<a href="${asHtml(href)}" class="ink" style="color:${LIGHT.ink}">${inside}</a>`;
  };
}

function pictureHtml(url: (facts: Facts) => string | null, alt: Piece): Piece {
  return joined`<img src="${(facts) => asHtml(url(facts) ?? '')}" alt="${alt}" width="${String(WIDTH)}" style="display:block;width:100%;max-width:${String(WIDTH)}px;height:auto;border:0;border-radius:8px">`;
}

/** A cell with a background and a padding of its own for Outlook, which gives a link none. */
function buttonRow(label: Piece[], url: (facts: Facts) => string | null, { button, buttonText }: Look): Piece {
  return only(
    (facts) => url(facts) !== null,
    row(
      joined`<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="${button}" style="border-radius:8px;background:${button};mso-padding-alt:13px 24px"><a href="${(facts) => asHtml(url(facts) ?? '')}" style="display:inline-block;padding:13px 24px;color:${buttonText};font-size:16px;line-height:22px;font-weight:600;text-decoration:none">${label}</a></td></tr></table>`,
      'padding:4px 0 20px',
    ),
  );
}

function recipeHtml({ picture, facts }: EmailBlock & { kind: 'recipe' }, words: FixedWords): Piece {
  const title = textPieces('{recipe.title}', asHtml);
  const image = linkedHtml(
    linkOf(RECIPE_LINK),
    pictureHtml(({ pictureUrl }) => pictureUrl, joined`${title}`),
  );
  const line = joined`<p dir="auto" class="faint" style="${FAINT}">${(all) => asHtml(factsLine(all))}</p>`;
  const locked = joined`<p dir="auto" class="faint" style="${FAINT}">${({ lockedFor }) => onlyFor(lockedFor!, words)} ${linkedHtml(linkOf(RECIPE_LINK), joined`${words.readItOnTheBlog}`)}</p>`;
  const shop = linkedHtml(({ shopUrl }) => shopUrl, joined`<strong>${words.shop}</strong>`);
  return joined`${picture ? only(({ pictureUrl }) => pictureUrl !== null, row(image, 'padding:0 0 20px')) : ''}${row(headingHtml(title, 'large'), 'padding:0 0 8px')}${facts ? only((all) => factsLine(all) !== '', row(line)) : ''}${only(({ lockedFor }) => lockedFor !== null, row(locked))}${only(({ shopUrl }) => shopUrl !== null, row(shop))}`;
}

function ingredientsHtml({ heading }: EmailBlock & { kind: 'ingredients' }, words: FixedWords): Piece {
  const title = heading.trim() === '' ? '' : row(headingHtml(textPieces(heading, asHtml), 'small'), 'padding:8px 0');
  const item = (one: string) => `<li dir="auto" style="margin:0 0 6px">${asHtml(one)}</li>`;
  const list = joined`<ul class="ink" style="margin:0;padding:0 24px;font-size:16px;line-height:24px;color:${LIGHT.ink}">
${({ ingredients }) => ingredients.map(item).join('\n')}
</ul>`;
  const more = joined`<p class="faint" style="${FAINT}">${({ moreIngredients }) => words.moreOnPage(moreIngredients)}</p>`;
  return only(
    ({ ingredients }) => ingredients.length > 0,
    joined`${title}${row(list)}${only(({ moreIngredients }) => moreIngredients > 0, row(more))}`,
  );
}

/** Before the question: what they asked for comes first. */
function othersHtml({ others }: Facts, { alsoSaved }: FixedWords): string {
  if (others.length === 0) return '';
  const item = ({ url, title }: Facts['others'][number]) =>
    `<li dir="auto" style="margin:0 0 6px"><a href="${asHtml(url)}" class="ink" style="color:${LIGHT.ink}">${asHtml(title)}</a></li>`;
  return `<tr><td style="padding:8px 0"><h2 class="ink" style="margin:0;font-size:18px;line-height:26px;color:${LIGHT.ink}">${alsoSaved}</h2></td></tr>
<tr><td style="padding:0 0 16px"><ul class="ink" style="${TEXT};padding:0 24px">${others.map(item).join('')}</ul></td></tr>\n`;
}

type ListedFacts = Facts['listed'] extends ReadonlyMap<string, (infer One)[]> ? One : never;

function listedHtml({ title, url, pictureUrl, shopUrl }: ListedFacts, words: FixedWords): string {
  const href = asHtml(url);
  const shop =
    shopUrl === null
      ? ''
      : `<br><a href="${asHtml(shopUrl)}" class="faint" style="color:${LIGHT.faint}">${words.shop}</a>`;
  const picture =
    pictureUrl === null
      ? ''
      : `<td width="112" valign="top"><a href="${href}"><img src="${asHtml(pictureUrl)}" alt="" width="96" style="display:block;width:96px;height:auto;border:0;border-radius:8px"></a></td>`;
  return `<tr><td style="padding:0 0 16px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>${picture}<td dir="auto" valign="top" style="font-size:16px;line-height:25px"><a href="${href}" class="ink" style="color:${LIGHT.ink};font-weight:600">${asHtml(title)}</a>${shop}</td></tr></table></td></tr>\n`;
}

function footerHtml(type: EmailType, words: FixedWords): Piece {
  const link = (label: string, url: string) =>
    `<a href="${asHtml(url)}" class="faint" style="color:${LIGHT.faint}">${label}</a>`;
  const sender = ({ creatorName, postalAddress }: Facts) =>
    postalAddress === ''
      ? ''
      : `<p dir="auto" class="faint" style="${SMALL}">${asHtml(`${creatorName}, ${postalAddress}`)}</p>\n`;
  const { about, asks } = EMAIL_TYPES[type];
  const links = (facts: Facts) => {
    const page = about === 'recipe' ? facts.recipeUrl : null;
    const tripwireUrl = asks ? facts.question?.tripwireUrl : undefined;
    const stop = isSubscription(type)
      ? link(words.unsubscribe, facts.unsubscribeUrl)
      : link(words.stop, facts.notMeUrl);
    if (page === null && tripwireUrl === undefined) return stop;
    // The dot between them is the tripwire: no person aims at it, and somebody who hits it does no harm.
    const dot =
      tripwireUrl === undefined
        ? ' · '
        : ` <a href="${asHtml(tripwireUrl)}" aria-hidden="true" tabindex="-1" class="faint" style="color:${LIGHT.faint};text-decoration:none">·</a> `;
    return page === null
      ? [words.notYou, link(words.stopAlone, facts.notMeUrl)].join(dot)
      : [link(words.view, page), stop].join(dot);
  };
  const cookbook = ({ cookbookUrl }: Facts) => (cookbookUrl === null ? '' : `${link(words.cookbook, cookbookUrl)} · `);
  return joined`<p dir="auto" class="faint" style="${SMALL}">${(facts) => asHtml(why(type, words, facts))}</p>
${sender}<p class="faint" style="${SMALL}">${cookbook}${links}</p>`;
}
