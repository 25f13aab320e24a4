/** Compiles a template once and fills it for each mail. */
import { EMAIL_LIMITS, type EmailDesign, type EmailType } from '#contract/email-templates.ts';
import { oneLine } from '#server/platforms/email/one-line.ts';
import { factsOf, type MailData, MOST_INGREDIENTS } from './facts.ts';
import { htmlOf } from './html.ts';
import { asText, fill, joined, type Piece, textPieces } from './pieces.ts';
import { textOf } from './text.ts';

export type CompiledTemplate = { language: string; subject: Piece; preheader: Piece; html: Piece; text: Piece };
export type RenderedMail = { subject: string; html: string; text: string };

const LONGEST_SUBJECT = 150;

export function compileTemplate(type: EmailType, design: EmailDesign): CompiledTemplate {
  return {
    language: design.language,
    subject: joined`${textPieces(design.subject, asText)}`,
    preheader: joined`${textPieces(design.preheader, asText)}`,
    html: htmlOf(type, design),
    text: textOf(type, design),
  };
}

/**
 * The subject is one line without control or direction characters. Where the HTML would be cut by Gmail, ingredients move to the
 * page: a template that could be published leaves room for some.
 */
export function renderMail(template: CompiledTemplate, data: MailData): RenderedMail {
  for (let most = MOST_INGREDIENTS; ; most = Math.floor(most / 2)) {
    const facts = factsOf(data, template.language, most);
    const html = fill(template.html, facts);
    if (most > 0 && Buffer.byteLength(html) >= EMAIL_LIMITS.mostBytes) continue;
    return { subject: subjectOf(template, data), html, text: fill(template.text, facts) };
  }
}

export function subjectOf({ subject, language }: CompiledTemplate, data: MailData): string {
  return oneLine(fill(subject, factsOf(data, language)), LONGEST_SUBJECT) || oneLine(data.creatorName, 80);
}

export function preheaderOf({ preheader, language }: CompiledTemplate, data: MailData): string {
  return oneLine(fill(preheader, factsOf(data, language)), EMAIL_LIMITS.line);
}

/** Of the HTML with everything in it. */
export function bytesOf({ html, language }: CompiledTemplate, data: MailData): number {
  return Buffer.byteLength(fill(html, factsOf(data, language)));
}
