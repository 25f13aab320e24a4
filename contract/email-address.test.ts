import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAddress, gmailMailbox, parseEmailAddress } from '#contract/email-address.ts';

describe('an address in a message', () => {
  test.each([
    ['ana@example.com', 'ana@example.com'],
    ['  Ana.B+list@Example.COM  ', 'Ana.B+list@example.com'],
    ['Sure, it is ana@example.com.', 'ana@example.com'],
    ['<ana@example.com>', 'ana@example.com'],
    ['mailto:ana@example.com', 'ana@example.com'],
    ['E-Mail:ana@example.com!!', 'ana@example.com'],
    ['ana @ example.com', 'ana@example.com'],
    ['“ana@example.com”', 'ana@example.com'],
    ['ana@mail.example.co.uk thanks 😍', 'ana@mail.example.co.uk'],
    ['müller@bücher.de', 'müller@bücher.de'],
    ['follow @ana or write me@example.com', 'me@example.com'],
    ['two: a@example.com, b@example.com', 'a@example.com'],
  ])('is found in %j', (text, address) => {
    expect(findAddress(text)).toEqual({ address, suggestion: null });
  });

  test.each([
    'recipe please',
    '@ana.cooks',
    'ana@',
    'ana@example',
    'a..b@example.com',
    'ana@-example.com',
    'ana@exa mple',
    'http://example.com',
    '',
    `${'x'.repeat(300)}@example.com`,
  ])('is not found in %j', (text) => {
    expect(findAddress(text)).toBeNull();
  });

  test.each([
    ['ana@gmial.com', 'ana@gmail.com'],
    ['ana@gmai.com', 'ana@gmail.com'],
    ['ana@gmaill.com', 'ana@gmail.com'],
    ['ana@gmail.con', 'ana@gmail.com'],
    ['ana@hotnail.com', 'ana@hotmail.com'],
    ['ana@yaho.com', 'ana@yahoo.com'],
    ['ana@icloud.co', 'ana@icloud.com'],
    ['ana@mybakery.con', 'ana@mybakery.com'],
  ])('%s probably means %s', (written, meant) => {
    expect(findAddress(written)).toEqual({ address: written, suggestion: meant });
  });

  test.each(['ana@mail.com', 'ana@email.com', 'ana@gmx.at', 'ana@gmail.com', 'ana@mybakery.co', 'ana@my.constructor'])(
    '%s is believed',
    (written) => {
      expect(findAddress(written)?.suggestion).toBeNull();
    },
  );

  test('is never longer than what was written, whatever was written, and finding it takes no time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const found = findAddress(text);
        return found === null || (found.address.length <= 254 && found.address.includes('@'));
      }),
    );
    for (const nasty of ['a@'.repeat(5000), '@'.repeat(5000), 'a.'.repeat(5000), `${'a'.repeat(5000)}@`]) {
      expect(findAddress(nasty)).toBeNull();
    }
  });
});

describe('an address alone in a field', () => {
  test.each([
    [' Ana.B+list@Example.COM ', 'Ana.B+list@example.com', 'ana.b+list@example.com'],
    ['ana@b\u0075\u0308cher.de', 'ana@bücher.de', 'ana@xn--bcher-kva.de'],
    ['ana@xn--bcher-kva.de', 'ana@xn--bcher-kva.de', 'ana@xn--bcher-kva.de'],
    ['MÜLLER@bücher.de', 'MÜLLER@bücher.de', 'müller@xn--bcher-kva.de'],
  ])('%j has one key, however it is written', (text, address, key) => {
    expect(parseEmailAddress(text)).toEqual({ address, key });
    expect(parseEmailAddress(key)?.key).toBe(key);
  });

  test.each([
    'a@b.c\r\nBcc: x@example.com',
    'ana@example',
    'ana@@example.com',
    'a b@example.com',
    'Ana <ana@example.com>',
    'ana@example.com, bert@example.com',
    'ana\0@example.com',
    `${'ü'.repeat(64)}@${'ü'.repeat(60)}.example.com`,
    '',
  ])('%j is none', (text) => {
    expect(parseEmailAddress(text)).toBeNull();
  });

  test('Gmail’s dots and what follows a plus lead to one mailbox; other providers’ do not', () => {
    expect(gmailMailbox('a.n.a+recipes@googlemail.com')).toBe('ana@gmail.com');
    expect(gmailMailbox('ana@gmail.com')).toBe('ana@gmail.com');
    expect(gmailMailbox('a.n.a@example.com')).toBeNull();
  });
});
