import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';

/** A message as a list shows it: what the follower reads, and what they can tap. */
export function shownMessage(content: Partial<DeliveryContent>): {
  text: string;
  buttons: { title: string; url: string | null }[];
} {
  // The content of a step is chosen when it is sent; until then it is most likely the link.
  const message = content.step === 'next' && content.branches !== undefined ? content.branches.delivery : content;
  const { text = '', card, tap, buttons = [], quickReplies = [] } = message;
  const taps = [...(tap === undefined ? [] : [tap]), ...quickReplies].map(({ title }) => ({ title, url: null }));
  return {
    text: card === undefined ? text : [card.title, card.subtitle].filter((line) => line !== '').join('\n'),
    // A button that answers us has no address.
    buttons: [...buttons.map(({ title, url }) => ({ title, url: url ?? null })), ...taps],
  };
}
