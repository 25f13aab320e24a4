/** Words of the pages behind a mail's links, in the language of the reader's browser; English where we do not have that one. */
import {
  FIXED_WORDS,
  type SpokenLanguage,
  spokenLanguage,
} from '#server/features/email-templates/rendering/fixed-words.ts';

/** `name`: the creator's, as HTML. */
type Says = (name: string) => string;
type Page = { title: string; says: Says };

/** `title`: of a recipe, as HTML. */
type SaysOf = (title: string) => string;
export type CookbookWords = Page & {
  empty: Says;
  again: string;
  takeOut: string;
  done: Record<'sent' | 'already_sent' | 'later' | 'taken_out', SaysOf>;
};

export type PageWords = {
  confirm: Page & { button: string };
  /** Where a look is not enough. */
  press: Page;
  confirmed: Page;
  oldLink: Page;
  /** They unsubscribed themselves, and may take that back. */
  mayReturn: Page & { button: string };
  left: Page;
  unsubscribe: Page & { button: string };
  unsubscribed: Page;
  notMe: Page & { button: string };
  notMeDone: Page;
  cookbook: CookbookWords;
  unknown: Page;
  nothing: Page;
  sample: Page;
};

const PAGE_WORDS: Record<SpokenLanguage, PageWords> = {
  en: {
    confirm: {
      title: 'Get new recipes by email?',
      says: (name) => `You’ll get new recipes from ${name}. You can unsubscribe at any time.`,
      button: 'Yes, send me new recipes',
    },
    press: { title: 'One more tap', says: (name) => `Press the button to get new recipes from ${name}.` },
    confirmed: {
      title: 'You’re signed up',
      says: (name) => `New recipes from ${name} will come to your inbox. You can unsubscribe at any time.`,
    },
    oldLink: {
      title: 'This link has expired',
      says: () => 'It worked for 30 days. To get new recipes, sign up again on the blog.',
    },
    mayReturn: {
      title: 'You unsubscribed',
      says: (name) => `Do you want new recipes from ${name} again?`,
      button: 'Yes, send me new recipes again',
    },
    left: { title: 'You won’t get new recipes', says: (name) => `${name} won’t send you newsletters.` },
    unsubscribe: {
      title: 'Unsubscribe?',
      says: (name) =>
        `You won’t get new recipes from ${name} anymore. Recipes you save yourself will still be sent to you.`,
      button: 'Unsubscribe',
    },
    unsubscribed: {
      title: 'You’re unsubscribed',
      says: (name) => `You won’t get new recipes from ${name} anymore.`,
    },
    notMe: {
      title: 'Stop all emails?',
      says: (name) =>
        `Someone entered your email address on the blog of ${name}. If it wasn’t you, stop all emails to it.`,
      button: 'Stop all emails',
    },
    notMeDone: { title: 'All emails stopped', says: (name) => `${name} won’t write to this address again.` },
    cookbook: {
      title: 'Your cookbook',
      says: (name) => `Recipes from ${name} that you saved on the blog or asked for in a DM.`,
      empty: (name) =>
        `Your cookbook is empty. Recipes from ${name} that you save on the blog, or ask for in a DM, are kept here.`,
      again: 'Send it again',
      takeOut: 'Take out',
      done: {
        sent: (title) => `${title} is on its way. Look in your inbox, and in spam.`,
        already_sent: (title) => `We sent ${title} a minute ago. Look in your inbox, and in spam.`,
        later: () => 'Many emails went to your address already. This one comes with the next, within an hour.',
        taken_out: (title) => `${title} is out of your cookbook. Save it on the blog to have it back.`,
      },
    },
    unknown: { title: 'This link doesn’t work', says: () => 'It may be incomplete. Open it from the email again.' },
    nothing: { title: 'Nothing to do here', says: () => 'You can close this page.' },
    sample: { title: 'This was a test', says: () => 'In a real email, this link works.' },
  },
  de: {
    confirm: {
      title: 'Neue Rezepte per Mail?',
      says: (name) => `Du bekommst neue Rezepte von ${name}. Du kannst dich jederzeit abmelden.`,
      button: 'Ja, schick mir neue Rezepte',
    },
    press: { title: 'Noch ein Tipp', says: (name) => `Drück auf den Knopf, um neue Rezepte von ${name} zu bekommen.` },
    confirmed: {
      title: 'Du bist angemeldet',
      says: (name) => `Neue Rezepte von ${name} kommen in dein Postfach. Du kannst dich jederzeit abmelden.`,
    },
    oldLink: {
      title: 'Dieser Link ist abgelaufen',
      says: () => 'Er galt 30 Tage. Melde dich im Blog noch einmal an, um neue Rezepte zu bekommen.',
    },
    mayReturn: {
      title: 'Du hast dich abgemeldet',
      says: (name) => `Möchtest du wieder neue Rezepte von ${name}?`,
      button: 'Ja, schick mir wieder neue Rezepte',
    },
    left: { title: 'Du bekommst keine neuen Rezepte', says: (name) => `${name} schickt dir keinen Newsletter.` },
    unsubscribe: {
      title: 'Abmelden?',
      says: (name) =>
        `Du bekommst keine neuen Rezepte von ${name} mehr. Rezepte, die du selbst speicherst, kommen weiterhin.`,
      button: 'Abmelden',
    },
    unsubscribed: { title: 'Du bist abgemeldet', says: (name) => `Du bekommst keine neuen Rezepte von ${name} mehr.` },
    notMe: {
      title: 'Keine Mails mehr?',
      says: (name) =>
        `Jemand hat deine Mailadresse im Blog von ${name} angegeben. Wenn du das nicht warst, stoppe alle Mails an sie.`,
      button: 'Alle Mails stoppen',
    },
    notMeDone: { title: 'Alle Mails gestoppt', says: (name) => `${name} schreibt nicht mehr an diese Adresse.` },
    cookbook: {
      title: 'Dein Kochbuch',
      says: (name) => `Rezepte von ${name}, die du im Blog gespeichert oder per Nachricht bekommen hast.`,
      empty: (name) =>
        `Dein Kochbuch ist leer. Rezepte von ${name}, die du im Blog speicherst oder per Nachricht bekommst, stehen hier.`,
      again: 'Noch einmal schicken',
      takeOut: 'Herausnehmen',
      done: {
        sent: (title) => `${title} ist unterwegs. Schau in dein Postfach, auch in den Spam.`,
        already_sent: (title) =>
          `${title} haben wir vor einer Minute geschickt. Schau in dein Postfach, auch in den Spam.`,
        later: () => 'An deine Adresse gingen schon viele Mails. Diese kommt mit der nächsten, innerhalb einer Stunde.',
        taken_out: (title) =>
          `${title} steht nicht mehr in deinem Kochbuch. Speichere es im Blog, um es zurückzuholen.`,
      },
    },
    unknown: {
      title: 'Dieser Link funktioniert nicht',
      says: () => 'Vielleicht ist er unvollständig. Öffne ihn noch einmal aus der Mail.',
    },
    nothing: { title: 'Hier gibt es nichts zu tun', says: () => 'Du kannst diese Seite schließen.' },
    sample: { title: 'Das war ein Test', says: () => 'In einer echten Mail funktioniert dieser Link.' },
  },
  es: {
    confirm: {
      title: '¿Recibir recetas nuevas por correo?',
      says: (name) => `Recibirás recetas nuevas de ${name}. Puedes darte de baja cuando quieras.`,
      button: 'Sí, quiero recetas nuevas',
    },
    press: { title: 'Un toque más', says: (name) => `Pulsa el botón para recibir recetas nuevas de ${name}.` },
    confirmed: {
      title: 'Ya estás en la lista',
      says: (name) => `Recibirás recetas nuevas de ${name} en tu correo. Puedes darte de baja cuando quieras.`,
    },
    oldLink: {
      title: 'Este enlace ha caducado',
      says: () => 'Funcionó durante 30 días. Para recibir recetas nuevas, suscríbete otra vez en el blog.',
    },
    mayReturn: {
      title: 'Te diste de baja',
      says: (name) => `¿Quieres volver a recibir recetas nuevas de ${name}?`,
      button: 'Sí, quiero recetas nuevas otra vez',
    },
    left: { title: 'No recibirás recetas nuevas', says: (name) => `${name} no te enviará boletines.` },
    unsubscribe: {
      title: '¿Darte de baja?',
      says: (name) => `Ya no recibirás recetas nuevas de ${name}. Las recetas que guardes te seguirán llegando.`,
      button: 'Darme de baja',
    },
    unsubscribed: { title: 'Te has dado de baja', says: (name) => `Ya no recibirás recetas nuevas de ${name}.` },
    notMe: {
      title: '¿Parar todos los correos?',
      says: (name) =>
        `Alguien escribió tu dirección de correo en el blog de ${name}. Si no fuiste tú, para todos los correos.`,
      button: 'Parar todos los correos',
    },
    notMeDone: { title: 'Correos parados', says: (name) => `${name} no volverá a escribir a esta dirección.` },
    cookbook: {
      title: 'Tu recetario',
      says: (name) => `Recetas de ${name} que guardaste en el blog o pediste por mensaje.`,
      empty: (name) =>
        `Tu recetario está vacío. Aquí se guardan las recetas de ${name} que guardas en el blog o pides por mensaje.`,
      again: 'Enviar otra vez',
      takeOut: 'Quitar',
      done: {
        sent: (title) => `${title} va en camino. Mira en tu bandeja de entrada y en spam.`,
        already_sent: (title) => `Enviamos ${title} hace un minuto. Mira en tu bandeja de entrada y en spam.`,
        later: () => 'Ya enviamos muchos correos a tu dirección. Este llega con el próximo, en menos de una hora.',
        taken_out: (title) => `${title} ya no está en tu recetario. Guárdala en el blog para recuperarla.`,
      },
    },
    unknown: {
      title: 'Este enlace no funciona',
      says: () => 'Puede que esté incompleto. Ábrelo otra vez desde el correo.',
    },
    nothing: { title: 'Aquí no hay nada que hacer', says: () => 'Puedes cerrar esta página.' },
    sample: { title: 'Esto era una prueba', says: () => 'En un correo real, este enlace funciona.' },
  },
  fr: {
    confirm: {
      title: 'Recevoir les nouvelles recettes par e-mail ?',
      says: (name) => `Vous recevrez les nouvelles recettes de ${name}. Vous pouvez vous désabonner à tout moment.`,
      button: 'Oui, envoyez-moi les nouvelles recettes',
    },
    press: {
      title: 'Encore un clic',
      says: (name) => `Appuyez sur le bouton pour recevoir les nouvelles recettes de ${name}.`,
    },
    confirmed: {
      title: 'C’est noté',
      says: (name) =>
        `Les nouvelles recettes de ${name} arriveront par e-mail. Vous pouvez vous désabonner à tout moment.`,
    },
    oldLink: {
      title: 'Ce lien a expiré',
      says: () =>
        'Il était valable 30 jours. Pour recevoir les nouvelles recettes, inscrivez-vous de nouveau sur le blog.',
    },
    mayReturn: {
      title: 'Vous vous êtes désabonné',
      says: (name) => `Voulez-vous de nouveau recevoir les recettes de ${name} ?`,
      button: 'Oui, envoyez-les-moi de nouveau',
    },
    left: {
      title: 'Vous ne recevrez pas de nouvelles recettes',
      says: (name) => `${name} ne vous enverra pas de newsletter.`,
    },
    unsubscribe: {
      title: 'Se désabonner ?',
      says: (name) =>
        `Vous ne recevrez plus les nouvelles recettes de ${name}. Celles que vous enregistrez vous parviendront toujours.`,
      button: 'Se désabonner',
    },
    unsubscribed: {
      title: 'Vous êtes désabonné',
      says: (name) => `Vous ne recevrez plus les nouvelles recettes de ${name}.`,
    },
    notMe: {
      title: 'Arrêter tous les e-mails ?',
      says: (name) =>
        `Quelqu’un a saisi votre adresse sur le blog de ${name}. Si ce n’était pas vous, arrêtez tous les e-mails.`,
      button: 'Arrêter tous les e-mails',
    },
    notMeDone: { title: 'E-mails arrêtés', says: (name) => `${name} n’écrira plus à cette adresse.` },
    cookbook: {
      title: 'Votre carnet de recettes',
      says: (name) => `Les recettes de ${name} que vous avez enregistrées sur le blog ou demandées par message.`,
      empty: (name) =>
        `Votre carnet est vide. Les recettes de ${name} que vous enregistrez sur le blog ou demandez par message sont gardées ici.`,
      again: 'Renvoyer',
      takeOut: 'Retirer',
      done: {
        sent: (title) => `${title} est en route. Regardez dans votre boîte de réception et dans les spams.`,
        already_sent: (title) =>
          `Nous avons envoyé ${title} il y a une minute. Regardez dans votre boîte de réception et dans les spams.`,
        later: () =>
          'Beaucoup d’e-mails ont déjà été envoyés à votre adresse. Celui-ci arrive avec le prochain, dans l’heure.',
        taken_out: (title) =>
          `${title} n’est plus dans votre carnet. Enregistrez la recette sur le blog pour la retrouver.`,
      },
    },
    unknown: {
      title: 'Ce lien ne fonctionne pas',
      says: () => 'Il est peut-être incomplet. Ouvrez-le de nouveau depuis l’e-mail.',
    },
    nothing: { title: 'Rien à faire ici', says: () => 'Vous pouvez fermer cette page.' },
    sample: { title: 'C’était un test', says: () => 'Dans un vrai e-mail, ce lien fonctionne.' },
  },
  it: {
    confirm: {
      title: 'Ricevere nuove ricette via email?',
      says: (name) => `Riceverai nuove ricette da ${name}. Puoi annullare l’iscrizione quando vuoi.`,
      button: 'Sì, mandami nuove ricette',
    },
    press: { title: 'Ancora un tocco', says: (name) => `Premi il pulsante per ricevere nuove ricette da ${name}.` },
    confirmed: {
      title: 'Iscrizione fatta',
      says: (name) => `Le nuove ricette di ${name} arriveranno via email. Puoi annullare l’iscrizione quando vuoi.`,
    },
    oldLink: {
      title: 'Questo link è scaduto',
      says: () => 'Valeva 30 giorni. Per ricevere nuove ricette, iscriviti di nuovo sul blog.',
    },
    mayReturn: {
      title: 'Hai annullato l’iscrizione',
      says: (name) => `Vuoi ricevere di nuovo le ricette di ${name}?`,
      button: 'Sì, mandami di nuovo le ricette',
    },
    left: { title: 'Non riceverai nuove ricette', says: (name) => `${name} non ti manderà newsletter.` },
    unsubscribe: {
      title: 'Annullare l’iscrizione?',
      says: (name) => `Non riceverai più nuove ricette da ${name}. Quelle che salvi tu arriveranno ancora.`,
      button: 'Annulla l’iscrizione',
    },
    unsubscribed: { title: 'Iscrizione annullata', says: (name) => `Non riceverai più nuove ricette da ${name}.` },
    notMe: {
      title: 'Fermare tutte le email?',
      says: (name) =>
        `Qualcuno ha inserito il tuo indirizzo sul blog di ${name}. Se non sei stato tu, ferma tutte le email.`,
      button: 'Ferma tutte le email',
    },
    notMeDone: { title: 'Email fermate', says: (name) => `${name} non scriverà più a questo indirizzo.` },
    cookbook: {
      title: 'Il tuo ricettario',
      says: (name) => `Le ricette di ${name} che hai salvato sul blog o chiesto in un messaggio.`,
      empty: (name) =>
        `Il tuo ricettario è vuoto. Qui restano le ricette di ${name} che salvi sul blog o chiedi in un messaggio.`,
      again: 'Invia di nuovo',
      takeOut: 'Togli',
      done: {
        sent: (title) => `${title} è in arrivo. Guarda nella posta in arrivo e nello spam.`,
        already_sent: (title) => `Abbiamo inviato ${title} un minuto fa. Guarda nella posta in arrivo e nello spam.`,
        later: () => 'Al tuo indirizzo sono già arrivate molte email. Questa arriva con la prossima, entro un’ora.',
        taken_out: (title) => `${title} non è più nel tuo ricettario. Salvala sul blog per riaverla.`,
      },
    },
    unknown: {
      title: 'Questo link non funziona',
      says: () => 'Forse è incompleto. Aprilo di nuovo dall’email.',
    },
    nothing: { title: 'Qui non c’è nulla da fare', says: () => 'Puoi chiudere questa pagina.' },
    sample: { title: 'Era una prova', says: () => 'In una vera email questo link funziona.' },
  },
  pt: {
    confirm: {
      title: 'Receber novas receitas por e-mail?',
      says: (name) => `Você vai receber novas receitas de ${name}. Pode cancelar quando quiser.`,
      button: 'Sim, quero novas receitas',
    },
    press: { title: 'Só mais um toque', says: (name) => `Aperte o botão para receber novas receitas de ${name}.` },
    confirmed: {
      title: 'Inscrição feita',
      says: (name) => `As novas receitas de ${name} vão chegar por e-mail. Você pode cancelar quando quiser.`,
    },
    oldLink: {
      title: 'Este link expirou',
      says: () => 'Ele valia por 30 dias. Para receber novas receitas, inscreva-se de novo no blog.',
    },
    mayReturn: {
      title: 'Você cancelou a inscrição',
      says: (name) => `Quer receber de novo as receitas de ${name}?`,
      button: 'Sim, quero receber de novo',
    },
    left: {
      title: 'Você não vai receber novas receitas',
      says: (name) => `${name} não vai enviar newsletters a você.`,
    },
    unsubscribe: {
      title: 'Cancelar a inscrição?',
      says: (name) => `Você não vai mais receber novas receitas de ${name}. As que você salvar continuam chegando.`,
      button: 'Cancelar inscrição',
    },
    unsubscribed: {
      title: 'Inscrição cancelada',
      says: (name) => `Você não vai mais receber novas receitas de ${name}.`,
    },
    notMe: {
      title: 'Parar todos os e-mails?',
      says: (name) =>
        `Alguém informou seu endereço de e-mail no blog de ${name}. Se não foi você, pare todos os e-mails.`,
      button: 'Parar todos os e-mails',
    },
    notMeDone: { title: 'E-mails parados', says: (name) => `${name} não vai mais escrever para este endereço.` },
    cookbook: {
      title: 'Seu livro de receitas',
      says: (name) => `Receitas de ${name} que você salvou no blog ou pediu por mensagem.`,
      empty: (name) =>
        `Seu livro está vazio. As receitas de ${name} que você salva no blog ou pede por mensagem ficam aqui.`,
      again: 'Enviar de novo',
      takeOut: 'Tirar',
      done: {
        sent: (title) => `${title} está a caminho. Veja na caixa de entrada e no spam.`,
        already_sent: (title) => `Enviamos ${title} há um minuto. Veja na caixa de entrada e no spam.`,
        later: () => 'Muitos e-mails já foram para o seu endereço. Este chega com o próximo, em até uma hora.',
        taken_out: (title) => `${title} saiu do seu livro. Salve no blog para ter de volta.`,
      },
    },
    unknown: {
      title: 'Este link não funciona',
      says: () => 'Talvez esteja incompleto. Abra-o de novo no e-mail.',
    },
    nothing: { title: 'Nada a fazer aqui', says: () => 'Você pode fechar esta página.' },
    sample: { title: 'Isto foi um teste', says: () => 'Em um e-mail de verdade, este link funciona.' },
  },
};

export type SpokenWords = PageWords & { language: SpokenLanguage };

/** @param accepted the header Accept-Language: the first that we have */
export function pageWordsFor(accepted = ''): SpokenWords {
  const wanted = accepted.split(',').map((one) => one.split(';')[0]!.trim().toLowerCase().split('-')[0]!);
  const language = spokenLanguage(wanted.find((one) => Object.hasOwn(FIXED_WORDS, one)) ?? 'en');
  return { language, ...PAGE_WORDS[language] };
}
