/** What the first templates say, in the languages of `rendering/fixed-words.ts`. */
import type { SpokenLanguage } from './rendering/fixed-words.ts';

/** Of an email: subject, the line beside it in an inbox, heading and text, as far as it has them. */
type Words = Record<'subject' | 'preheader' | 'heading' | 'text', string>;

export type DefaultWords = {
  saved: string;
  ingredients: string;
  open: string;
  yes: string;
  confirmation: Words;
  welcome: Words;
  broadcast: Omit<Words, 'preheader'>;
  sequence: Omit<Words, 'preheader'>;
  digest: Omit<Words, 'text'>;
  correction: Words;
};

export const DEFAULT_WORDS: Record<SpokenLanguage, DefaultWords> = {
  en: {
    saved: 'Here’s the recipe you saved from {creator}.',
    ingredients: 'Ingredients',
    open: 'Open the recipe',
    yes: 'Yes, send me new recipes',
    confirmation: {
      subject: 'Confirm your sign-up for {creator}',
      preheader: 'One tap, and new recipes come to your inbox.',
      heading: 'One tap and you’re signed up',
      text: 'Confirm that you want new recipes from {creator} by email.',
    },
    welcome: {
      subject: 'Welcome to {creator}',
      preheader: 'New recipes will come to your inbox.',
      heading: 'Welcome, {first name|friend}',
      text: 'Thanks for signing up. New recipes from {creator} will come to your inbox. Here are the latest:',
    },
    broadcast: {
      subject: 'News from {creator}',
      heading: 'Hi {first name|friend}',
      text: 'Write what’s new in your kitchen.',
    },
    sequence: {
      subject: 'A few favorites from {creator}',
      heading: 'Hi {first name|friend}',
      text: 'Here are recipes that readers love:',
    },
    digest: { subject: 'New recipes from {creator}', preheader: 'What’s new this week.', heading: 'New this week' },
    correction: {
      subject: 'A correction to {recipe.title}',
      preheader: 'The recipe you saved has changed.',
      heading: 'A correction to {recipe.title}',
      text: 'You saved this recipe, and there was a mistake in it. The page has the right version now.',
    },
  },
  de: {
    saved: 'Hier ist das Rezept, das du bei {creator} gespeichert hast.',
    ingredients: 'Zutaten',
    open: 'Rezept öffnen',
    yes: 'Ja, schickt mir neue Rezepte',
    confirmation: {
      subject: 'Bestätige deine Anmeldung bei {creator}',
      preheader: 'Ein Tipp, und neue Rezepte kommen in dein Postfach.',
      heading: 'Ein Tipp, und du bist dabei',
      text: 'Bestätige, dass du neue Rezepte von {creator} per Mail möchtest.',
    },
    welcome: {
      subject: 'Willkommen bei {creator}',
      preheader: 'Neue Rezepte kommen in dein Postfach.',
      heading: 'Schön, dass du da bist, {first name|du}',
      text: 'Danke für deine Anmeldung. Neue Rezepte von {creator} kommen in dein Postfach. Hier sind die neuesten:',
    },
    broadcast: {
      subject: 'Neues von {creator}',
      heading: 'Hallo {first name|du}',
      text: 'Schreib, was es in deiner Küche Neues gibt.',
    },
    sequence: {
      subject: 'Beliebte Rezepte von {creator}',
      heading: 'Hallo {first name|du}',
      text: 'Diese Rezepte mögen Leser besonders:',
    },
    digest: { subject: 'Neue Rezepte von {creator}', preheader: 'Das Neue dieser Woche.', heading: 'Neu diese Woche' },
    correction: {
      subject: 'Korrektur zu {recipe.title}',
      preheader: 'Das gespeicherte Rezept hat sich geändert.',
      heading: 'Korrektur zu {recipe.title}',
      text: 'Du hast dieses Rezept gespeichert, und darin war ein Fehler. Auf der Seite steht jetzt die richtige Fassung.',
    },
  },
  es: {
    saved: 'Aquí tienes la receta que guardaste de {creator}.',
    ingredients: 'Ingredientes',
    open: 'Abrir la receta',
    yes: 'Sí, quiero recibir recetas nuevas',
    confirmation: {
      subject: 'Confirma tu suscripción a {creator}',
      preheader: 'Un toque y recibirás recetas nuevas en tu correo.',
      heading: 'Un toque y listo',
      text: 'Confirma que quieres recibir recetas nuevas de {creator} por correo.',
    },
    welcome: {
      subject: 'Te damos la bienvenida a {creator}',
      preheader: 'Las recetas nuevas llegarán a tu correo.',
      heading: 'Hola, {first name|qué alegría verte}',
      text: 'Gracias por suscribirte. Las recetas nuevas de {creator} llegarán a tu correo. Estas son las últimas:',
    },
    broadcast: {
      subject: 'Novedades de {creator}',
      heading: 'Hola, {first name|qué tal}',
      text: 'Escribe qué hay de nuevo en tu cocina.',
    },
    sequence: {
      subject: 'Recetas favoritas de {creator}',
      heading: 'Hola, {first name|qué tal}',
      text: 'Estas son las recetas que más gustan:',
    },
    digest: {
      subject: 'Recetas nuevas de {creator}',
      preheader: 'Lo nuevo de esta semana.',
      heading: 'Lo nuevo de esta semana',
    },
    correction: {
      subject: 'Una corrección de {recipe.title}',
      preheader: 'La receta que guardaste ha cambiado.',
      heading: 'Una corrección de {recipe.title}',
      text: 'Guardaste esta receta y había un error. En la página está ya la versión correcta.',
    },
  },
  fr: {
    saved: 'Voici la recette de {creator} que vous avez enregistrée.',
    ingredients: 'Ingrédients',
    open: 'Ouvrir la recette',
    yes: 'Oui, envoyez-moi les nouvelles recettes',
    confirmation: {
      subject: 'Confirmez votre inscription à {creator}',
      preheader: 'Un geste, et les nouvelles recettes arrivent par e-mail.',
      heading: 'Plus qu’un geste',
      text: 'Confirmez que vous voulez recevoir les nouvelles recettes de {creator} par e-mail.',
    },
    welcome: {
      subject: 'Bienvenue chez {creator}',
      preheader: 'Les nouvelles recettes arriveront par e-mail.',
      heading: 'Bonjour {first name|et bienvenue}',
      text: 'Merci de votre inscription. Les nouvelles recettes de {creator} arriveront par e-mail. Voici les dernières :',
    },
    broadcast: {
      subject: 'Des nouvelles de {creator}',
      heading: 'Bonjour {first name|à vous}',
      text: 'Écrivez ce qu’il y a de nouveau dans votre cuisine.',
    },
    sequence: {
      subject: 'Les recettes préférées de {creator}',
      heading: 'Bonjour {first name|à vous}',
      text: 'Voici les recettes que l’on aime le plus :',
    },
    digest: {
      subject: 'Nouvelles recettes de {creator}',
      preheader: 'Les nouveautés de la semaine.',
      heading: 'Cette semaine',
    },
    correction: {
      subject: 'Correction : {recipe.title}',
      preheader: 'La recette que vous avez enregistrée a changé.',
      heading: 'Correction : {recipe.title}',
      text: 'Vous avez enregistré cette recette, et elle contenait une erreur. La bonne version est maintenant sur la page.',
    },
  },
  it: {
    saved: 'Ecco la ricetta di {creator} che hai salvato.',
    ingredients: 'Ingredienti',
    open: 'Apri la ricetta',
    yes: 'Sì, voglio ricevere le nuove ricette',
    confirmation: {
      subject: 'Conferma la tua iscrizione a {creator}',
      preheader: 'Un tocco e le nuove ricette arrivano nella tua posta.',
      heading: 'Un tocco ed è fatta',
      text: 'Conferma di voler ricevere per email le nuove ricette di {creator}.',
    },
    welcome: {
      subject: 'Un saluto di benvenuto da {creator}',
      preheader: 'Le nuove ricette arriveranno nella tua posta.',
      heading: 'Ciao {first name|e grazie}',
      text: 'Grazie per l’iscrizione. Le nuove ricette di {creator} arriveranno nella tua posta. Ecco le ultime:',
    },
    broadcast: {
      subject: 'Novità da {creator}',
      heading: 'Ciao {first name|a te}',
      text: 'Scrivi che cosa c’è di nuovo nella tua cucina.',
    },
    sequence: {
      subject: 'Le ricette preferite di {creator}',
      heading: 'Ciao {first name|a te}',
      text: 'Ecco le ricette che piacciono di più:',
    },
    digest: {
      subject: 'Nuove ricette di {creator}',
      preheader: 'Le novità della settimana.',
      heading: 'Le novità della settimana',
    },
    correction: {
      subject: 'Una correzione: {recipe.title}',
      preheader: 'La ricetta che hai salvato è cambiata.',
      heading: 'Una correzione: {recipe.title}',
      text: 'Hai salvato questa ricetta e conteneva un errore. Ora nella pagina c’è la versione giusta.',
    },
  },
  pt: {
    saved: 'Aqui está a receita de {creator} que você salvou.',
    ingredients: 'Ingredientes',
    open: 'Abrir a receita',
    yes: 'Sim, quero receber novas receitas',
    confirmation: {
      subject: 'Confirme sua inscrição em {creator}',
      preheader: 'Um toque e as novas receitas chegam até você.',
      heading: 'Um toque e pronto',
      text: 'Confirme que você quer receber novas receitas de {creator} por e-mail.',
    },
    welcome: {
      subject: 'Boas-vindas de {creator}',
      preheader: 'As novas receitas vão chegar ao seu e-mail.',
      heading: 'Olá, {first name|que bom ter você aqui}',
      text: 'Obrigado pela inscrição. As novas receitas de {creator} vão chegar ao seu e-mail. Aqui estão as mais recentes:',
    },
    broadcast: {
      subject: 'Novidades de {creator}',
      heading: 'Olá, {first name|tudo bem}',
      text: 'Escreva o que há de novo na sua cozinha.',
    },
    sequence: {
      subject: 'Receitas favoritas de {creator}',
      heading: 'Olá, {first name|tudo bem}',
      text: 'Estas são as receitas de que as pessoas mais gostam:',
    },
    digest: {
      subject: 'Novas receitas de {creator}',
      preheader: 'As novidades da semana.',
      heading: 'As novidades da semana',
    },
    correction: {
      subject: 'Uma correção: {recipe.title}',
      preheader: 'A receita que você salvou mudou.',
      heading: 'Uma correção: {recipe.title}',
      text: 'Você salvou esta receita, e havia um erro nela. A página já tem a versão certa.',
    },
  },
};
