/** A template as plain text: the same blocks in the same order. */
import type { EmailBlock, EmailDesign, EmailType, TextPart, TextRun } from '#contract/email-templates.ts';
import type { Facts } from './facts.ts';
import { ALSO_SAVED, COOKBOOK, factsLine, isSubscription, moreOnPage, STOP, UNSUBSCRIBE, why } from './fixed-words.ts';
import { isHidden } from './html.ts';
import { asText, fill, joined, linkOf, only, type Piece, textPieces } from './pieces.ts';

export function textOf(type: EmailType, { blocks }: EmailDesign): Piece {
  const pieces = blocks.map((block) => only((facts) => !isHidden(block.hideWhen, facts), blockText(type, block)));
  return (facts) =>
    pieces
      .map((piece) => fill(piece, facts).trim())
      .filter((text) => text !== '')
      .join('\n\n');
}

function blockText(type: EmailType, block: EmailBlock): Piece {
  switch (block.kind) {
    case 'heading':
      return joined`${textPieces(block.text, asText)}`;
    case 'text':
      return joined`${block.parts.map(partText)}`;
    case 'picture':
      return '';
    case 'button':
      return linkText(joined`${textPieces(block.label, asText)}`, linkOf(block.link));
    case 'recipe':
      return joined`${textPieces('{recipe.title}', asText)}\n\n${block.facts ? factsLine : ''}`;
    case 'ingredients':
      return only(
        ({ ingredients }) => ingredients.length > 0,
        joined`${textPieces(block.heading, asText)}\n${({ ingredients }) => ingredients.map((one) => `- ${one}\n`).join('')}${(facts) => (facts.moreIngredients > 0 ? `\n${moreOnPage(facts)}` : '')}`,
      );
    case 'recipes':
      return ({ listed }) => (listed.get(block.id) ?? []).map(({ title, url }) => `${title}:\n${url}`).join('\n\n');
    case 'confirm':
      return joined`${othersText}${only(
        ({ question }) => question !== null,
        joined`${({ question }) => question!.wording}\n${linkText(joined`${textPieces(block.label, asText)}`, ({ question }) => question!.confirmUrl)}`,
      )}`;
    case 'divider':
      return '---';
    case 'footer':
      return footerText(type);
  }
}

function othersText({ others }: Facts): string {
  return others.length === 0
    ? ''
    : [ALSO_SAVED, ...others.map(({ title, url }) => `- ${title}\n  ${url}`), '', ''].join('\n');
}

function partText({ kind, lines }: TextPart): Piece {
  const marks = { paragraph: () => '', bullets: () => '- ', numbers: (at: number) => `${at + 1}. ` };
  return joined`${lines.map((runs, at) => joined`${marks[kind](at)}${runs.map(runText)}\n`)}\n`;
}

function runText({ text, link }: TextRun): Piece {
  const words = joined`${textPieces(text, asText)}`;
  if (link === null) return words;
  const url = linkOf(link);
  return (facts) => {
    const href = url(facts)?.replace(/^mailto:/, '');
    const says = fill(words, facts);
    return href === undefined || href === says ? says : `${says} (${href})`;
  };
}

function linkText(label: Piece, url: (facts: Facts) => string | null): Piece {
  return only((facts) => url(facts) !== null, joined`${label}:\n${(facts) => url(facts) ?? ''}`);
}

function footerText(type: EmailType): Piece {
  return (facts) => {
    const { creatorName, postalAddress, cookbookUrl, notMeUrl, unsubscribeUrl } = facts;
    const stop = isSubscription(type) ? `${UNSUBSCRIBE}:\n${unsubscribeUrl}` : `${STOP}:\n${notMeUrl}`;
    const sender = postalAddress === '' ? creatorName : `${creatorName}, ${postalAddress}`;
    const cookbook = cookbookUrl === null ? '' : `${COOKBOOK}:\n${cookbookUrl}\n\n`;
    return `--\n${sender}\n${why(type, facts)}\n\n${cookbook}${stop}`;
  };
}
