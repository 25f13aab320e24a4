/**
 * The few sentences that followers read and no creator writes: what is asked back about an address. In the language of the
 * words they wrote, as far as that can be told.
 */
import { languageOf } from '#contract/suggestions.ts';

export type OwnWords = {
  /** Something was written in which there is no address. */
  hint: string;
  /** The address looks mistyped. */
  suggestion(address: string): string;
  /** Buttons below it, at most 20 characters (reference 3.3). */
  yes: string;
  no: string;
};

const ENGLISH: OwnWords = {
  hint: "I couldn't find an email address in that. Could you send it again, like name@example.com?",
  suggestion: (address) => `Did you mean ${address}?`,
  yes: "Yes, that's it",
  no: 'No, keep mine',
};

const OWN_WORDS: Readonly<Record<string, OwnWords>> = {
  en: ENGLISH,
  es: {
    hint: 'No he encontrado ningún correo electrónico ahí. ¿Me lo escribes otra vez, así: nombre@ejemplo.com?',
    suggestion: (address) => `¿Querías decir ${address}?`,
    yes: 'Sí, ese',
    no: 'No, como lo escribí',
  },
  pt: {
    hint: 'Não encontrei um e-mail nessa mensagem. Pode escrever de novo, assim: nome@exemplo.com?',
    suggestion: (address) => `Você quis dizer ${address}?`,
    yes: 'Sim, esse',
    no: 'Não, como escrevi',
  },
  fr: {
    hint: 'Je n’ai pas trouvé d’adresse e-mail dans ce message. Tu peux l’écrire encore une fois, comme nom@exemple.com ?',
    suggestion: (address) => `Tu voulais dire ${address} ?`,
    yes: 'Oui, celle-là',
    no: 'Non, comme écrit',
  },
  de: {
    hint: 'Darin habe ich keine E-Mail-Adresse gefunden. Schreibst du sie noch einmal, so wie name@beispiel.de?',
    suggestion: (address) => `Meinst du ${address}?`,
    yes: 'Ja, genau die',
    no: 'Nein, wie getippt',
  },
  it: {
    hint: 'Non ho trovato un indirizzo e-mail nel messaggio. Me lo riscrivi, così: nome@esempio.it?',
    suggestion: (address) => `Volevi dire ${address}?`,
    yes: 'Sì, quello',
    no: 'No, come ho scritto',
  },
  nl: {
    hint: 'Ik vond daar geen e-mailadres in. Wil je het nog een keer schrijven, zoals naam@voorbeeld.nl?',
    suggestion: (address) => `Bedoelde je ${address}?`,
    yes: 'Ja, dat adres',
    no: 'Nee, zoals getypt',
  },
  pl: {
    hint: 'Nie widzę w tym adresu e-mail. Napiszesz go jeszcze raz, na przykład imie@przyklad.pl?',
    suggestion: (address) => `Czy chodziło o ${address}?`,
    yes: 'Tak, ten',
    no: 'Nie, jak napisano',
  },
  tr: {
    hint: 'Bunda bir e-posta adresi bulamadım. Bir kez daha yazar mısın, örneğin ad@ornek.com?',
    suggestion: (address) => `${address} mi demek istedin?`,
    yes: 'Evet, o',
    no: 'Hayır, yazdığım',
  },
  ru: {
    hint: 'Я не вижу здесь адреса электронной почты. Напишешь ещё раз, например imya@primer.ru?',
    suggestion: (address) => `Имеется в виду ${address}?`,
    yes: 'Да, этот',
    no: 'Нет, как написано',
  },
  id: {
    hint: 'Aku tidak menemukan alamat email di situ. Bisa ditulis sekali lagi, misalnya nama@contoh.com?',
    suggestion: (address) => `Maksudmu ${address}?`,
    yes: 'Ya, yang itu',
    no: 'Bukan, seperti tadi',
  },
};

/**
 * @param told.language of the translation they get; null for the automation's own texts
 * @param told.word that they wrote; a word of several languages tells none, and then it is English
 */
export function ownWordsFor({ language, word }: { language: string | null; word: string | null }): OwnWords {
  const own = language ?? (word === null ? null : languageOf(word));
  return OWN_WORDS[own ?? 'en'] ?? ENGLISH;
}
