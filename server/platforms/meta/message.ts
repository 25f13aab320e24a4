/** A message as the product knows it, turned into what Meta's Send API takes. */

export type OutgoingButton =
  | { title: string; url: string }
  /** Comes back to us as a tap with this payload. */
  | { title: string; payload: string };

/** `url`: what opens when the card itself is tapped. */
export type OutgoingCard = { title: string; subtitle: string; imageUrl: string | null; url?: string | null };

export type OutgoingMessage = {
  text: string;
  buttons: OutgoingButton[];
  /** Offered below the text, gone once they wrote; only without buttons. Phones only [D]. */
  quickReplies?: { title: string; payload: string }[];
  /** Shown in place of the text: Meta's generic template has none besides its title and subtitle. */
  card?: OutgoingCard | null;
  /** A picture alone, in place of everything else; Meta fetches it itself from this public address, up to 8 MB. */
  pictureUrl?: string;
};

/** Limits of Meta, reference 3.3. A button's title is cut on phones beyond 20 characters. */
export const MESSAGE_LIMITS = { textBytes: 1000, templateTextCharacters: 640, buttons: 3, cardTextCharacters: 80 };

/**
 * Text alone goes out as text, text with buttons as a button template. A text too long for a template takes its links
 * with it as lines of their own. Nothing is ever cut: what is too long all the same, Meta refuses, and the creator sees
 * that instead of half a message.
 */
export function messageBody(message: OutgoingMessage): Record<string, unknown> {
  const { text, buttons, quickReplies, card, pictureUrl } = message;
  if (pictureUrl !== undefined) return { attachment: { type: 'image', payload: { url: pictureUrl } } };
  if (card != null) {
    const { title, subtitle, imageUrl, url } = card;
    const element = {
      title,
      ...(subtitle !== '' && { subtitle }),
      ...(imageUrl !== null && { image_url: imageUrl }),
      ...(url != null && { default_action: { type: 'web_url', url } }),
      ...(buttons.length > 0 && { buttons: buttons.map(wireButton) }),
    };
    return { attachment: { type: 'template', payload: { template_type: 'generic', elements: [element] } } };
  }
  if (buttons.length === 0) {
    if (quickReplies === undefined || quickReplies.length === 0) return { text };
    return { text, quick_replies: quickReplies.map((reply) => ({ content_type: 'text', ...reply })) };
  }
  if (text.length > MESSAGE_LIMITS.templateTextCharacters || buttons.length > MESSAGE_LIMITS.buttons) {
    // A tap that comes back to us cannot be written as text: Meta refuses it and the creator shortens the message.
    if (buttons.every((button) => 'url' in button)) {
      return { text: [text, ...buttons.map(({ title, url }) => `${title}: ${url}`)].join('\n\n') };
    }
  }
  return {
    attachment: { type: 'template', payload: { template_type: 'button', text, buttons: buttons.map(wireButton) } },
  };
}

function wireButton(button: OutgoingButton): Record<string, string> {
  return 'url' in button
    ? { type: 'web_url', url: button.url, title: button.title }
    : { type: 'postback', title: button.title, payload: button.payload };
}
