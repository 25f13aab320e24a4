import { expect, test } from 'vitest';
import { deviceWords } from './device-words.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Chrome on Android', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'],
  ['Safari on iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} Version/18.5 Safari/604.1`],
  ['Instagram on iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} Instagram 390.0.0.28.85`],
  ['Safari on Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`],
  ['Edge on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['Unknown device', 'curl/8.0'],
  ['Unknown device', ''],
  ['Unknown device', null],
])('says "%s"', (words, userAgent) => {
  expect(deviceWords(userAgent)).toBe(words);
});
