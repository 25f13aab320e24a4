import {
  MAX_PUBLIC_REPLY_CHARACTERS,
  MAX_TEXT_BYTES,
  MAX_TEXT_WITH_BUTTONS_CHARACTERS,
  renderMessage,
  utf8Length,
} from '#contract/message-text.ts';

/** How a text is sent: Instagram counts bytes of a bare message, and characters of all others. */
export type TextKind = 'plain' | 'with_buttons' | 'public_reply';
export type Count = { used: number; limit: number; unit: 'characters' | 'bytes'; over: boolean };
type Values = { username: string; word: string };

const LIMITS: Record<TextKind, number> = {
  plain: MAX_TEXT_BYTES,
  with_buttons: MAX_TEXT_WITH_BUTTONS_CHARACTERS,
  public_reply: MAX_PUBLIC_REPLY_CHARACTERS,
};

/** How much of Instagram's limit a text uses as this follower gets it. */
export function countMessage(text: string, kind: TextKind, values: Values): Count {
  const rendered = renderMessage(text, values);
  const used = kind === 'plain' ? utf8Length(rendered) : rendered.length;
  return { used, limit: LIMITS[kind], unit: kind === 'plain' ? 'bytes' : 'characters', over: used > LIMITS[kind] };
}

/** The text as it arrives: filled in, and what lies beyond the limit apart. */
export function cutAtLimit(text: string, kind: TextKind, values: Values): { shown: string; lost: string } {
  const rendered = renderMessage(text, values);
  const { over, limit } = countMessage(text, kind, values);
  if (!over) return { shown: rendered, lost: '' };
  let end = 0;
  let used = 0;
  for (const { segment } of graphemes.segment(rendered)) {
    used += kind === 'plain' ? utf8Length(segment) : segment.length;
    if (used > limit) break;
    end += segment.length;
  }
  return { shown: rendered.slice(0, end), lost: rendered.slice(end) };
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
