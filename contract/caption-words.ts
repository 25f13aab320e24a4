/**
 * The word that a caption asks followers to write: "Comment PASTA for the recipe", „Kommentiere REZEPT“; on a story, "Reply
 * SAUCE". Suggested when an automation is made; most failed set-ups listen for another word than the caption names.
 */

/**
 * "comment …" and "reply …" in the languages that food creators post in, as written before the word. Longer wordings stand first:
 * "comment the word" must not suggest "the".
 */
const ASKS = [
  // English
  'comment(?: down)?(?: below)?(?: with)?(?: the)?(?: word| emoji)?',
  '(?:type|write|drop|leave|say|dm me|send me)(?: a| an| me)?(?: the)?(?: word| emoji| comment)?',
  '(?:reply|respond)(?: to this)?(?: story)?(?: with)?(?: the)?(?: word| emoji)?',
  // German
  '(?:kommentier(?:e|t)?|schreib(?:e|t)?|antworte|antwortet|kommentar)(?: mir)?(?: einfach)?(?: unten)?(?: mit)?(?: das)?(?: wort| stichwort)?',
  // French
  '(?:commentez?|[ée]cri(?:s|vez)|r[ée]pond(?:s|ez)|mets|mettez|laissez?)(?:[- ](?:moi|nous))?(?: en commentaire)?(?: avec)?(?: le mot)?',
  // Spanish
  '(?:comenta|comenten|comentad|responde|respondan|escribe|escriban|pon|deja)(?:me)?(?: en los comentarios)?(?: con)?(?: la palabra)?',
  // Portuguese
  '(?:comente|comentem|responda|escreva|escreve|deixe|digite)(?: a[ií])?(?: abaixo)?(?: nos coment[aá]rios)?(?: com)?(?: a palavra)?',
  // Italian
  '(?:commenta|commentate|rispondi|rispondete|scrivi|scrivimi|scrivete)(?: qui)?(?: sotto)?(?: nei commenti)?(?: con)?(?: la parola)?',
  // Dutch
  '(?:reageer|reageert|typ|schrijf)(?: hieronder)?(?: met)?(?: het)?(?: woord)?',
  // Polish
  '(?:skomentuj|napisz|wpisz)(?: w komentarzu)?(?: s[łl]owo)?',
  // Turkish: the word comes first ("yoruma TARİF yaz"), the place before it
  '(?:yorumlara|yoruma|yorum olarak)',
  // Russian, Ukrainian
  '(?:напиши(?:те)?|пиши(?:те)?|оставь(?:те)?|пишіть|напишіть)(?: мне)?(?: в комментариях| в комментарии| у коментарях| в коментарях)?(?: слово)?',
  // Swedish, Norwegian, Danish
  '(?:kommentera|kommenter|skriv)(?: nedan| under| nedenfor)?(?: med)?(?: ordet)?',
  // Indonesian
  '(?:komen|komentar|ketik|tulis)(?: di bawah)?(?: dengan)?(?: kata)?',
  // Arabic, Hebrew
  '(?:اكتب(?:ي|وا)?|علق(?:ي|وا)?)(?: لي)?(?: كلمة)?(?: في التعليقات)?(?: كلمة)?',
  '(?:כתבו|תכתבו|הגיבו|רשמו)(?: לי)?(?: בתגובות)?(?: את המילה)?',
];

const QUOTED =
  '["“„”«»\'‘’‚「『*]\\s*([\\p{L}\\p{N}\\p{M}\\p{Emoji_Presentation}][^"“”„«»\'‘’」』*\\n]{0,38}?)\\s*["“”«»\'‘’」』*]';
const BARE = '([\\p{L}\\p{N}\\p{M}]+|\\p{Emoji_Presentation}\\p{M}*)';
const ASKED = ASKS.map(
  (ask) =>
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${ask})(?:\\s*[:：-]?\\s*${QUOTED}|(?:\\s+|\\s*[:：]\\s*)#?${BARE})`, 'giu'),
);
const ASKED_CHINESE_JAPANESE = /(?:评论|留言|評論|コメント(?:欄)?(?:に|で)?)\s*[「『“"]([^」』”"\n]{1,20})[」』”"]/gu;

/** Words that follow "comment" without being the word that is asked for. */
const NEVER_ALONE = new Set(
  `a an and any anything below down for here if in it just let me more my of on one or please some something that the
   them this to up us what where which who with you your yours section love like share save follow all as asap every everyone
   fast soon when within
   und oder unten hier mir uns ein eine einen der die das den dem dein deine was wenn mit bitte gerne im
   et ou ici moi le la les un une des du ce cette pour si dans vos votre tes ton
   y o aquí aqui abajo el los las una para si tu tus su sus en que qué
   e ou abaixo o os as um uma para se seu sua aqui que no na
   qui sotto il lo gli i per se tuo tua che nei
   hieronder het een en of voor als je jouw wat
   i lub tutaj poniżej
   ve bir
   и или ниже мне в на что если
   och eller här nedan en ett
   di bawah dan atau`.split(/\s+/),
);
const OF_EVERY_CAPTION =
  /^(?:comment|type|write|drop|leave|send|get|and|are|was|can|have|has|not|but|all|made|make|love[ds]?|post|dm)$/i;
const CAPITALS = /(?<![\p{L}\p{N}#@])\p{Lu}[\p{Lu}\p{N}]{2,19}(?![\p{L}\p{N}])/gu;
/** Capital words of food captions that nobody is asked to write. */
const NEVER_IN_CAPITALS = new Set(
  'AND ASMR BBQ BLT CEO DIY DM DMS EASY EVER FAQ FOR FREE FROM GF HACK INGREDIENTS INSTRUCTIONS METHOD MIN MINS NEW NOT NYC ONLY OMG PLUS POV RECIPE’S SAVE SERVES SO THE THIS TIPS UK USA VEGAN VERY WITH YOU YOUR ZUTATEN ZUBEREITUNG INGREDIENTES INGREDIENTI INGRÉDIENTS'.split(
    ' ',
  ),
);
/** "ROLLS in the comments and the recipe comes to you" */
const CAPITALS_IN_COMMENTS = /(?<![\p{L}\p{N}#@])(\p{Lu}[\p{Lu}\p{N}]{2,19}) in the comments(?![\p{L}\p{N}])/u;
/** Says that a word in small letters is what gets something: "comment pasta for the recipe", "comment pasta and I'll send it". */
const WHAT_FOR = /^\s*(?:,\s*)?(?:for (?:the|my|this|a)|to (?:get|have|receive)|(?:and|&) (?:i|we)(?![\p{L}\p{N}]))/iu;
const SUGGESTED_AT_MOST = 5;
const CAPTION_READ = 5_000;

/** Words to listen for, the likeliest first, as the caption writes them; empty when it asks for none. */
export function captionWords(caption: string): string[] {
  const text = readable(caption);
  const asked = findAsked(text).sort((a, b) => weight(b.word) - weight(a.word) || a.at - b.at);
  const capitals = [...text.matchAll(CAPITALS)].map((match) => match[0]).filter((word) => !NEVER_IN_CAPITALS.has(word));
  // A caption shouted throughout names no word by its capitals.
  const shouted = capitals.length > 8;
  // Where a word is asked for, other capitals are emphasis.
  const words = asked.length > 0 ? asked.map(({ word }) => word) : shouted ? [] : capitals;
  const seen = new Set<string>();
  return words
    .filter((word) => {
      const key = word.toLowerCase();
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, SUGGESTED_AT_MOST);
}

/**
 * The word that followers are plainly asked to write, as the caption writes it; null where a reader would not say so.
 * Surer than `captionWords`, which only suggests: emphasis in capitals and "leave a review" are no requests for a word.
 */
export function askedWord(caption: string): string | null {
  const text = readable(caption);
  const [asked] = findAsked(text)
    .filter(({ word, quoted, end }) => quoted || weight(word) === 1 || WHAT_FOR.test(text.slice(end)))
    .sort((a, b) => weight(b.word) - weight(a.word) || a.at - b.at);
  return asked?.word ?? CAPITALS_IN_COMMENTS.exec(text)?.[1] ?? null;
}

function readable(caption: string): string {
  return caption.slice(0, CAPTION_READ).normalize('NFC');
}

function findAsked(text: string): { word: string; quoted: boolean; at: number; end: number }[] {
  const asked = [];
  for (const pattern of [...ASKED, ASKED_CHINESE_JAPANESE]) {
    for (const match of text.matchAll(pattern)) {
      const quoted = match[1]?.trim();
      const word = quoted ?? match[2];
      if (word === undefined || word === '') continue;
      if (quoted === undefined && !canStandAlone(word)) continue;
      asked.push({ word, quoted: quoted !== undefined, at: match.index, end: match.index + match[0].length });
    }
  }
  return asked;
}

/** "comment PASTA" is surer than "comment pasta lovers": what is asked for is mostly in capitals. */
function weight(word: string): number {
  return word === word.toUpperCase() ? 1 : 0;
}

function canStandAlone(word: string): boolean {
  return !NEVER_ALONE.has(word.toLowerCase());
}

/** A word of any caption, which nobody asks for by itself: "the", "with", "please", "comment". */
export function isOrdinaryWord(word: string): boolean {
  return !canStandAlone(word) || OF_EVERY_CAPTION.test(word);
}
