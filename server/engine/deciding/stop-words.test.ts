import { describe, expect, test } from 'vitest';
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

describe('each word in each language', () => {
  test.each([
    ...['stop', 'stop all', 'stopall', 'unsubscribe', 'opt out', 'optout', 'cancel', 'end', 'quit'],
    ...['parar', 'para', 'detener', 'baja', 'cancelar', 'pare', 'sair'],
    ...['arrêt', 'arrêter', 'arrête', 'désabonner', 'stopp', 'abmelden', 'abbestellen'],
    ...['basta', 'ferma', 'disiscrivimi', 'stoppen', 'afmelden', 'stopp alt', 'avsluta', 'afmeld', 'lopeta'],
    ...['стоп', 'отписаться', 'відписатися', 'dur', 'durdur', 'iptal', 'zatrzymaj', 'koniec'],
    ...['توقف', 'إيقاف', 'قف', 'बंद करो', 'रोकें', 'berhenti', 'hentikan', 'dừng', 'hủy'],
    ...['停止', '退订', '退訂', '配信停止', 'ストップ', '중지', '수신거부', 'หยุด', 'στοπ', 'עצור', 'הסר'],
  ])('%s means STOP, and alone', (word) => {
    expect([stopOrStart(word), stopOrStart(`${word} recipe`)]).toEqual(['stop', null]);
  });

  test.each([
    ...['start', 'unstop', 'resume', 'subscribe'],
    ...['empezar', 'iniciar', 'comenzar', 'começar', 'commencer', 'démarrer', 'reprendre'],
    ...['starten', 'anmelden', 'weiter', 'inizia', 'avvia', 'riprendi', 'börja', 'aloita'],
    ...['старт', 'начать', 'почати', 'başla', 'başlat', 'zacznij'],
    ...['ابدأ', 'शुरू', 'mulai', 'bắt đầu', '开始', '開始', 'スタート', '시작', 'เริ่ม', 'ξεκινα', 'התחל'],
  ])('%s means START, and alone', (word) => {
    expect([stopOrStart(word), stopOrStart(`${word} recipe`)]).toEqual(['start', null]);
  });
});

test.each<[string, string, 'stop' | null]>([
  ['longer than twelve characters', 'Unsubscribe!! 🙏🙏', 'stop'],
  ['of sixty characters', `stop${'!'.repeat(56)}`, 'stop'],
  ['of sixty-one characters', `stop${'!'.repeat(57)}`, null],
  ['to an account by name', '@cook stop', 'stop'],
  ['in two lines', 'opt\nout', 'stop'],
  ['run together', 'optoutstop', null],
  ['in pieces', 'st op', null],
])('STOP %s', (_name, text, meant) => {
  expect(stopOrStart(text)).toBe(meant);
});
