/** Words of a mail that are ours, in the language of its template; English where we do not have that one. */
import type { EmailType } from '#contract/email-templates.ts';

export type FixedWords = {
  stop: string;
  notYou: string;
  stopAlone: string;
  unsubscribe: string;
  alsoSaved: string;
  view: string;
  /** Leads to the recipe's shopping list. */
  shop: string;
  onlyForMembers: string;
  onlyForSubscribers: string;
  /** Behind one of those. */
  readItOnTheBlog: string;
  cookbook: string;
  moreOnPage: (count: number) => string;
  /** Why they got it; `host` is empty where it is not known. */
  saved: (host: string) => string;
  askedToConfirm: (creator: string) => string;
  corrected: (host: string) => string;
  subscribed: (creator: string) => string;
};

const on = (word: string, host: string) => (host === '' ? '' : ` ${word} ${host}`);

export const FIXED_WORDS = {
  en: {
    stop: 'Not you? Stop emails to this address',
    notYou: 'Not you?',
    stopAlone: 'Stop emails to this address',
    unsubscribe: 'Unsubscribe',
    alsoSaved: 'Also saved',
    view: 'View on the blog',
    shop: 'Shop this recipe',
    onlyForMembers: 'Only for members.',
    onlyForSubscribers: 'Only for subscribers.',
    readItOnTheBlog: 'Read it on the blog.',
    cookbook: 'Your cookbook',
    moreOnPage: (count) => `…and ${count} more on the page`,
    saved: (host) =>
      `You got this email because your address was entered to save this recipe${on('on', host)}. It’s not a subscription.`,
    askedToConfirm: (creator) =>
      `You got this email because your address was entered to sign up for recipes from ${creator}. If you don’t confirm, you won’t get any.`,
    corrected: (host) => `You got this email because you saved this recipe${on('on', host)}.`,
    subscribed: (creator) => `You got this email because you signed up for recipes from ${creator}.`,
  },
  de: {
    stop: 'Nicht du? Keine Mails mehr an diese Adresse',
    notYou: 'Nicht du?',
    stopAlone: 'Keine Mails mehr an diese Adresse',
    unsubscribe: 'Abmelden',
    alsoSaved: 'Auch gespeichert',
    view: 'Im Blog ansehen',
    shop: 'Zutaten einkaufen',
    onlyForMembers: 'Nur für Mitglieder.',
    onlyForSubscribers: 'Nur für Abonnenten.',
    readItOnTheBlog: 'Lies es im Blog.',
    cookbook: 'Dein Kochbuch',
    moreOnPage: (count) => `… und ${count} weitere auf der Seite`,
    saved: (host) =>
      `Du bekommst diese Mail, weil deine Adresse angegeben wurde, um dieses Rezept${on('auf', host)} zu speichern. Das ist kein Abo.`,
    askedToConfirm: (creator) =>
      `Du bekommst diese Mail, weil deine Adresse für Rezepte von ${creator} angemeldet wurde. Wenn du nicht bestätigst, bekommst du keine.`,
    corrected: (host) => `Du bekommst diese Mail, weil du dieses Rezept${on('auf', host)} gespeichert hast.`,
    subscribed: (creator) => `Du bekommst diese Mail, weil du dich für Rezepte von ${creator} angemeldet hast.`,
  },
  es: {
    stop: '¿No eres tú? No recibir más correos en esta dirección',
    notYou: '¿No eres tú?',
    stopAlone: 'No recibir más correos en esta dirección',
    unsubscribe: 'Darse de baja',
    alsoSaved: 'También guardaste',
    view: 'Ver en el blog',
    shop: 'Comprar los ingredientes',
    onlyForMembers: 'Solo para miembros.',
    onlyForSubscribers: 'Solo para suscriptores.',
    readItOnTheBlog: 'Léelo en el blog.',
    cookbook: 'Tu recetario',
    moreOnPage: (count) => `…y ${count} más en la página`,
    saved: (host) =>
      `Recibes este correo porque se escribió tu dirección para guardar esta receta${on('en', host)}. No es una suscripción.`,
    askedToConfirm: (creator) =>
      `Recibes este correo porque se escribió tu dirección para recibir recetas de ${creator}. Si no confirmas, no recibirás ninguna.`,
    corrected: (host) => `Recibes este correo porque guardaste esta receta${on('en', host)}.`,
    subscribed: (creator) => `Recibes este correo porque te suscribiste a las recetas de ${creator}.`,
  },
  fr: {
    stop: 'Ce n’est pas vous ? Ne plus recevoir d’e-mails à cette adresse',
    notYou: 'Ce n’est pas vous ?',
    stopAlone: 'Ne plus recevoir d’e-mails à cette adresse',
    unsubscribe: 'Se désabonner',
    alsoSaved: 'Également enregistrées',
    view: 'Voir sur le blog',
    shop: 'Acheter les ingrédients',
    onlyForMembers: 'Réservé aux membres.',
    onlyForSubscribers: 'Réservé aux abonnés.',
    readItOnTheBlog: 'À lire sur le blog.',
    cookbook: 'Votre carnet de recettes',
    moreOnPage: (count) => `… et ${count} de plus sur la page`,
    saved: (host) =>
      `Vous recevez cet e-mail parce que votre adresse a été saisie pour enregistrer cette recette${on('sur', host)}. Ce n’est pas un abonnement.`,
    askedToConfirm: (creator) =>
      `Vous recevez cet e-mail parce que votre adresse a été inscrite aux recettes de ${creator}. Sans confirmation, vous n’en recevrez aucune.`,
    corrected: (host) => `Vous recevez cet e-mail parce que vous avez enregistré cette recette${on('sur', host)}.`,
    subscribed: (creator) => `Vous recevez cet e-mail parce que vous vous êtes abonné aux recettes de ${creator}.`,
  },
  it: {
    stop: 'Non sei tu? Non ricevere più email a questo indirizzo',
    notYou: 'Non sei tu?',
    stopAlone: 'Non ricevere più email a questo indirizzo',
    unsubscribe: 'Annulla l’iscrizione',
    alsoSaved: 'Hai salvato anche',
    view: 'Apri sul blog',
    shop: 'Acquista gli ingredienti',
    onlyForMembers: 'Solo per i membri.',
    onlyForSubscribers: 'Solo per gli iscritti.',
    readItOnTheBlog: 'Leggilo sul blog.',
    cookbook: 'Il tuo ricettario',
    moreOnPage: (count) => `…e altri ${count} nella pagina`,
    saved: (host) =>
      `Ricevi questa email perché il tuo indirizzo è stato inserito per salvare questa ricetta${on('su', host)}. Non è un’iscrizione.`,
    askedToConfirm: (creator) =>
      `Ricevi questa email perché il tuo indirizzo è stato iscritto alle ricette di ${creator}. Se non confermi, non ne riceverai.`,
    corrected: (host) => `Ricevi questa email perché hai salvato questa ricetta${on('su', host)}.`,
    subscribed: (creator) => `Ricevi questa email perché ti sei iscritto alle ricette di ${creator}.`,
  },
  pt: {
    stop: 'Não é você? Não receber mais e-mails neste endereço',
    notYou: 'Não é você?',
    stopAlone: 'Não receber mais e-mails neste endereço',
    unsubscribe: 'Cancelar inscrição',
    alsoSaved: 'Você também salvou',
    view: 'Ver no blog',
    shop: 'Comprar os ingredientes',
    onlyForMembers: 'Só para membros.',
    onlyForSubscribers: 'Só para assinantes.',
    readItOnTheBlog: 'Leia no blog.',
    cookbook: 'Seu livro de receitas',
    moreOnPage: (count) => `…e mais ${count} na página`,
    saved: (host) =>
      `Você recebeu este e-mail porque seu endereço foi informado para salvar esta receita${on('em', host)}. Não é uma assinatura.`,
    askedToConfirm: (creator) =>
      `Você recebeu este e-mail porque seu endereço foi inscrito nas receitas de ${creator}. Se não confirmar, você não receberá nenhuma.`,
    corrected: (host) => `Você recebeu este e-mail porque salvou esta receita${on('em', host)}.`,
    subscribed: (creator) => `Você recebeu este e-mail porque se inscreveu nas receitas de ${creator}.`,
  },
} as const satisfies Record<string, FixedWords>;

export type SpokenLanguage = keyof typeof FIXED_WORDS;

/** @param language as a template has it: `de`, `pt-BR` */
export function spokenLanguage(language: string): SpokenLanguage {
  const first = language.toLowerCase().split('-')[0]!;
  return first in FIXED_WORDS ? (first as SpokenLanguage) : 'en';
}

export function fixedWords(language: string): FixedWords {
  return FIXED_WORDS[spokenLanguage(language)];
}

/** Time and yield of the recipe; empty where neither is known. */
export function factsLine({ fields }: { fields: { 'recipe.time': string; 'recipe.yield': string } }): string {
  return [fields['recipe.time'], fields['recipe.yield']].filter((fact) => fact !== '').join(' · ');
}

export function why(
  type: EmailType,
  words: FixedWords,
  { creatorName, host }: { creatorName: string; host: string | null },
): string {
  switch (type) {
    case 'save-to-email':
      return words.saved(host ?? '');
    case 'confirmation':
      return words.askedToConfirm(creatorName);
    case 'correction':
      return words.corrected(host ?? '');
    default:
      return words.subscribed(creatorName);
  }
}

/** Of what somebody subscribes to; a correction comes with what they saved. */
export function isSubscription(type: EmailType): boolean {
  return type !== 'save-to-email' && type !== 'confirmation' && type !== 'correction';
}
