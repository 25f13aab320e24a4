import { MAX_TEXT_BYTES, MAX_TEXT_WITH_BUTTONS_CHARACTERS, renderMessage, utf8Length } from '#contract/message-text.ts';

export type Count = { used: number; limit: number; unit: 'characters' | 'bytes'; over: boolean };

/** How much of Instagram's limit a message uses as this follower gets it. With buttons it counts characters, else bytes. */
export function countMessage(text: string, hasButtons: boolean, values: { username: string; word: string }): Count {
  const rendered = renderMessage(text, values);
  const used = hasButtons ? rendered.length : utf8Length(rendered);
  const limit = hasButtons ? MAX_TEXT_WITH_BUTTONS_CHARACTERS : MAX_TEXT_BYTES;
  return { used, limit, unit: hasButtons ? 'characters' : 'bytes', over: used > limit };
}

/** The message as it arrives: filled in, and what lies beyond the limit apart. */
export function cutAtLimit(text: string, hasButtons: boolean, values: { username: string; word: string }) {
  const rendered = renderMessage(text, values);
  const { over } = countMessage(text, hasButtons, values);
  if (!over) return { shown: rendered, lost: '' };
  let end = 0;
  let used = 0;
  const limit = hasButtons ? MAX_TEXT_WITH_BUTTONS_CHARACTERS : MAX_TEXT_BYTES;
  for (const { segment } of graphemes.segment(rendered)) {
    used += hasButtons ? segment.length : utf8Length(segment);
    if (used > limit) break;
    end += segment.length;
  }
  return { shown: rendered.slice(0, end), lost: rendered.slice(end) };
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
