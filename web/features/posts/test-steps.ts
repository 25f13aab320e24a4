import type { ResponseOf } from '#contract/endpoint.ts';
import type { getInteraction, Interaction } from '#contract/interactions.ts';

export type TestStep = { label: string; detail: string | null; state: 'done' | 'now' | 'open' | 'failed' };

type Details = Pick<ResponseOf<typeof getInteraction>, 'deliveries'>;

/** The steps of a test comment, one line each; later steps stay open until they happen. */
export function testSteps(line: Interaction, details: Details | null): TestStep[] {
  const matched = line.automationName !== null && line.outcome !== 'skipped';
  const arrived: TestStep = { label: 'Your comment arrived', detail: line.text || null, state: 'done' };
  if (!matched) return [arrived, { label: 'It doesn’t get a reply', detail: line.says, state: 'failed' }];

  const word: TestStep = {
    label: `“${line.automationName}” replies to it`,
    detail: line.matchedWords.length > 0 ? `Matched: ${line.matchedWords.join(', ')}` : null,
    state: 'done',
  };
  const failed = ['failed', 'expired', 'missed'].includes(line.outcome);
  const sent: TestStep = line.sentAt
    ? { label: `Message sent${secondsBetween(line.receivedAt, line.sentAt)}`, detail: null, state: 'done' }
    : failed
      ? { label: 'The message wasn’t sent', detail: line.says, state: 'failed' }
      : { label: 'Sending the message', detail: line.says, state: 'now' };
  const publicReply = details?.deliveries.find((delivery) => delivery.kind === 'public_reply');
  const reply: TestStep[] = publicReply
    ? [
        {
          label: 'Public reply posted under your comment',
          detail: publicReply.failure ?? publicReply.text,
          state: publicReply.state === 'sent' ? 'done' : publicReply.failure ? 'failed' : 'now',
        },
      ]
    : [];
  if (failed) return [arrived, word, sent, ...reply];
  return [
    arrived,
    word,
    sent,
    ...reply,
    { label: 'You opened the message', detail: null, state: line.readAt || line.clickedAt ? 'done' : 'open' },
    { label: 'You tapped the link', detail: null, state: line.clickedAt ? 'done' : 'open' },
  ];
}

function secondsBetween(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  return seconds < 60 ? ` after ${seconds.toFixed(1)} s` : '';
}
