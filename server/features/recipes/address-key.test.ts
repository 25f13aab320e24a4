import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test.each([
  ['https://blog.example/lemon-pasta', 'http://www.blog.example/lemon-pasta/'],
  ['https://blog.example/lemon-pasta', 'https://BLOG.example/lemon-pasta#ingredients'],
  ['https://blog.example/lemon-pasta', 'https://blog.example/lemon-pasta?utm_source=ig&fbclid=1'],
  ['https://blog.example/?p=7&lang=en', 'https://blog.example?lang=en&p=7'],
  ['https://blog.example:443/soup', 'https://blog.example/soup'],
  ['https://blog.example/crème', 'https://blog.example/cr%C3%A8me'],
])('%s and %s are one page', (one, other) => expect(addressKey(one)).toBe(addressKey(other)));

test.each([
  ['https://blog.example/lemon-pasta', 'https://blog.example/Lemon-Pasta'],
  ['https://blog.example/?p=7', 'https://blog.example/?p=8'],
  ['https://blog.example/soup', 'https://shop.blog.example/soup'],
  ['https://blog.example/soup', 'https://blog.example:8443/soup'],
  ['https://blog.example/a?b=c%26d', 'https://blog.example/a?b=c&d'],
])('%s and %s are two', (one, other) => expect(addressKey(one)).not.toBe(addressKey(other)));

test('takes what is no address as it is', () => expect(addressKey(' soup ')).toBe('soup'));
