import { expect, test } from 'vitest';
import { readEnvelope } from '#server/platforms/meta/webhook.ts';
import { messageEnvelopeOf } from './envelopes.ts';

const account = { platform: 'instagram', accountId: '17841', standby: false } as const;
const said = { mid: 'm', text: 'hi', attachments: [], at: new Date(1_780_000_000_000), story: null };

test.each([[['17841', '4309']], [['4309', '17841']]])(
  'the other person of a message is known by not being the account: to %j',
  (toIds) => {
    const sent = messageEnvelopeOf(account, { ...said, fromId: '17841', toIds });
    expect(readEnvelope(sent)).toMatchObject([{ kind: 'echo', personId: '4309' }]);
    const received = messageEnvelopeOf(account, { ...said, fromId: '4309', toIds });
    expect(readEnvelope(received)).toMatchObject([{ kind: 'direct_message', personId: '4309' }]);
  },
);
