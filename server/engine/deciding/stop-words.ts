/** STOP and START: words that work whatever the creator has set up, in the languages of those who follow. */
import { normaliseText } from '#contract/matching/index.ts';

/** The whole message must be one of these: "stop it, you are too good" is a compliment. */
const STOP = [
  ...['stop', 'stop all', 'stopall', 'unsubscribe', 'opt out', 'optout', 'cancel', 'end', 'quit'],
  ...['parar', 'para', 'detener', 'baja', 'cancelar', 'pare', 'sair'],
  ...['arrêt', 'arrêter', 'arrête', 'désabonner', 'stopp', 'abmelden', 'abbestellen'],
  ...['basta', 'ferma', 'disiscrivimi', 'stoppen', 'afmelden', 'stopp alt', 'avsluta', 'afmeld', 'lopeta'],
  ...['стоп', 'отписаться', 'відписатися', 'dur', 'durdur', 'iptal', 'zatrzymaj', 'koniec'],
  ...['توقف', 'إيقاف', 'قف', 'बंद करो', 'रोकें', 'berhenti', 'hentikan', 'dừng', 'hủy'],
  ...['停止', '退订', '退訂', '配信停止', 'ストップ', '중지', '수신거부', 'หยุด', 'στοπ', 'עצור', 'הסר'],
];

const START = [
  ...['start', 'unstop', 'resume', 'subscribe'],
  ...['empezar', 'iniciar', 'comenzar', 'começar', 'commencer', 'démarrer', 'reprendre'],
  ...['starten', 'anmelden', 'weiter', 'inizia', 'avvia', 'riprendi', 'börja', 'aloita'],
  ...['старт', 'начать', 'почати', 'başla', 'başlat', 'zacznij'],
  ...['ابدأ', 'शुरू', 'mulai', 'bắt đầu', '开始', '開始', 'スタート', '시작', 'เริ่ม', 'ξεκινα', 'התחל'],
];

const stopKeys = new Set(STOP.map(keyOf));
const startKeys = new Set(START.map(keyOf));

/** Null: it is neither. Case, accents, punctuation and emoji around the word do not count. */
export function stopOrStart(text: string): 'stop' | 'start' | null {
  // The longest of the words is far shorter.
  if (text.length > 60) return null;
  const key = keyOf(text);
  if (key === '') return null;
  if (stopKeys.has(key)) return 'stop';
  return startKeys.has(key) ? 'start' : null;
}

function keyOf(text: string): string {
  return normaliseText(text)
    .tokens.filter(({ kind }) => kind !== 'emoji' && kind !== 'mention')
    .map((token) => token.key)
    .join(' ');
}
