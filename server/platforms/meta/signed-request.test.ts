import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSignedRequest } from './signed-request.ts';

const sign = (payload: string, secret: string) =>
  `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`;
const encode = (content: string) => Buffer.from(content).toString('base64url');
const content = '{"user_id":"218471","algorithm":"HMAC-SHA256","issued_at":1291836800}';

describe('a signed request', () => {
  it('is refused unsigned, cut, changed or of another secret', () => {
    const good = sign(encode(content), 'one');
    const other = encode(content.replace('218471', '218472'));
    for (const bad of ['', '.', 'x', `.${encode(content)}`, good.split('.')[0]!, `${good.split('.')[0]}.${other}`]) {
      expect(readSignedRequest(bad, ['one'])).toBeNull();
    }
    expect(readSignedRequest(good, ['two'])).toBeNull();
    expect(readSignedRequest(good, [])).toBeNull();
  });
  it('is refused with another algorithm, no person, or no JSON', () => {
    for (const bad of ['{"user_id":"1","algorithm":"none"}', '{"algorithm":"HMAC-SHA256"}', 'x', '[]']) {
      expect(readSignedRequest(sign(encode(bad), 'one'), ['one'])).toBeNull();
    }
  });
  it('names the person, with every digit, whichever secret signed', () => {
    expect(readSignedRequest(sign(encode(content), 'two'), ['one', 'two'])).toEqual({ userId: '218471' });
    const big = '{"user_id":17841405726653026,"algorithm":"HMAC-SHA256"}';
    expect(readSignedRequest(sign(encode(big), 'one'), ['one'])).toEqual({ userId: '17841405726653026' });
  });
});
