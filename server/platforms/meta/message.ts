/** A message as the product knows it, turned into what Meta's Send API takes. */

export type OutgoingMessage = { text: string; buttons: { title: string; url: string }[] };

/** Limits of Meta, reference 3.3. A button's title is cut on phones beyond 20 characters. */
export const MESSAGE_LIMITS = { textBytes: 1000, templateTextCharacters: 640, buttons: 3 };

/**
 * Text alone goes out as text, text with buttons as a button template. A text too long for a template takes its links
 * with it as lines of their own. Nothing is ever cut: what is too long all the same, Meta refuses, and the creator sees
 * that instead of half a message.
 */
export function messageBody({ text, buttons }: OutgoingMessage): Record<string, unknown> {
  if (buttons.length === 0) return { text };
  if (text.length > MESSAGE_LIMITS.templateTextCharacters || buttons.length > MESSAGE_LIMITS.buttons) {
    return { text: [text, ...buttons.map(({ title, url }) => `${title}: ${url}`)].join('\n\n') };
  }
  return {
    attachment: {
      type: 'template',
      payload: {
        template_type: 'button',
        text,
        buttons: buttons.map(({ title, url }) => ({ type: 'web_url', url, title })),
      },
    },
  };
}
