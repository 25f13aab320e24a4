import { expect, test } from 'vitest';
import { stopOrStart } from './stop-words.ts';

test.each<[string, 'stop' | 'start' | null]>([
  ['STOP', 'stop'],
  ['stop', 'stop'],
  [' Stop! ', 'stop'],
  ['stop 🛑', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['Stop all', 'stop'],
  ['Unsubscribe.', 'stop'],
  ['Arrêtez-vous', null],
  ['arrêt', 'stop'],
  ['ARRET', 'stop'],
  ['Abmelden', 'stop'],
  ['СТОП', 'stop'],
  ['توقف', 'stop'],
  ['停止', 'stop'],
  ['START', 'start'],
  ['Старт', 'start'],
  ['empezar', 'start'],
  ['stop it, you are too good', null],
  ["don't stop", null],
  ['start with the sauce?', null],
  ['non-stop', null],
  ['🛑', null],
  ['', null],
  [`stop${' '.repeat(100)}`, null],
])('%j is %s', (text, meant) => {
  expect(stopOrStart(text)).toBe(meant);
});
