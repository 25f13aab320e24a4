/** A template as plain text: the same blocks in the same order. */
import type { EmailBlock, EmailDesign, EmailType, TextPart, TextRun } from '#contract/email-templates.ts';
import { onlyFor } from '#server/features/recipes/locks.ts';
import type { Facts } from './facts.ts';
import { type FixedWords, factsLine, fixedWords, isSubscription, why } from './fixed-words.ts';
import { isHidden } from './html.ts';
import { asText, fill, joined, linkOf, only, type Piece, textPieces } from './pieces.ts';

export function textOf(type: EmailType, { blocks, language }: EmailDesign): Piece {
  const words = fixedWords(language);
  const pieces = blocks.map((block) =>
    only((facts) => !isHidden(block.hideWhen, facts), blockText(type, block, words)),
  );
  return (facts) =>
    pieces
      .map((piece) => fill(piece, facts).trim())
      .filter((text) => text !== '')
      .join('\n\n');
}

function blockText(type: EmailType, block: EmailBlock, words: FixedWords): Piece {
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
      return joined`${textPieces('{recipe.title}', asText)}${
        block.facts ? only((facts) => factsLine(facts) !== '', joined`\n\n${factsLine}`) : ''
      }${only(({ lockedFor }) => lockedFor !== null, joined`\n\n${({ lockedFor }) => onlyFor(lockedFor!, words)} ${linkText(words.readItOnTheBlog, ({ recipeUrl }) => recipeUrl)}`)}${only(({ shopUrl }) => shopUrl !== null, joined`\n\n${linkText(words.shop, ({ shopUrl }) => shopUrl)}`)}`;
    case 'ingredients':
      return only(
        ({ ingredients }) => ingredients.length > 0,
        joined`${textPieces(block.heading, asText)}\n${({ ingredients }) => ingredients.map((one) => `- ${one}\n`).join('')}${(facts) => (facts.moreIngredients > 0 ? `\n${words.moreOnPage(facts.moreIngredients)}` : '')}`,
      );
    case 'recipes':
      return ({ listed }) =>
        (listed.get(block.id) ?? [])
          .map(
            ({ title, url, shopUrl }) => `${title}:\n${url}${shopUrl === null ? '' : `\n${words.shop}:\n${shopUrl}`}`,
          )
          .join('\n\n');
    case 'confirm':
      return joined`${(facts) => othersText(facts, words)}${only(
        ({ question }) => question !== null,
        joined`${({ question }) => question!.wording}\n${linkText(joined`${textPieces(block.label, asText)}`, ({ question }) => question!.confirmUrl)}`,
      )}`;
    case 'divider':
      return '---';
    case 'footer':
      return footerText(type, words);
  }
}

function othersText({ others }: Facts, { alsoSaved }: FixedWords): string {
  return others.length === 0
    ? ''
    : [alsoSaved, ...others.map(({ title, url }) => `- ${title}\n  ${url}`), '', ''].join('\n');
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
    if (href === undefined || href === says) return says;
    // Where the words are the address, it is not said twice.
    return link === says ? href : `${says} (${href})`;
  };
}

function linkText(label: Piece, url: (facts: Facts) => string | null): Piece {
  return only((facts) => url(facts) !== null, joined`${label}:\n${(facts) => url(facts) ?? ''}`);
}

function footerText(type: EmailType, words: FixedWords): Piece {
  return (facts) => {
    const { creatorName, postalAddress, cookbookUrl, notMeUrl, unsubscribeUrl } = facts;
    const stop = isSubscription(type) ? `${words.unsubscribe}:\n${unsubscribeUrl}` : `${words.stop}:\n${notMeUrl}`;
    const sender = postalAddress === '' ? creatorName : `${creatorName}, ${postalAddress}`;
    const cookbook = cookbookUrl === null ? '' : `${words.cookbook}:\n${cookbookUrl}\n\n`;
    return `--\n${sender}\n${why(type, words, facts)}\n\n${cookbook}${stop}`;
  };
}
