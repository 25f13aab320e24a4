import type { ColumnUse, Import, ImportCounts, ImportTool } from '#contract/imports.ts';
import { numerals } from '#web/ui/numerals.ts';

export const IMPORT = {
  back: 'Contacts',
  title: 'Import contacts',
  description: 'Bring your list from another tool or a spreadsheet. No emails go out from an import.',
  choose: 'Choose a file',
  chooseSays:
    'A CSV file exported from Kit, Mailchimp, MailerLite, Flodesk, Grocers List, ManyChat or a spreadsheet. 20 MB and 200,000 rows at most. Nothing changes until you say so.',
  earlier: 'Earlier imports',
  loading: 'Loading the import',
  failed: 'Couldn’t load the import',
  reading: 'Reading your file',
  readingSays: (rows: number) => `Checking ${count(rows, 'row')} against your contacts. This takes a few seconds.`,
  columns: 'Columns',
  columnsSay: 'Check what each column is. Your contacts are counted again when you change one.',
  noEmail: 'Choose the column with the email addresses to go on.',
  preview: 'What will happen',
  problemLine: (line: number, email: string | null) => `Line ${numerals(line)}${email === null ? '' : `: ${email}`}`,
  download: 'Download rows that are left out',
  consent: 'How they agreed',
  agreed: 'How did these people agree to hear from you?',
  agreedHint: 'For example: “Signed up for my newsletter on my blog.” It’s kept with each contact.',
  newsletter: 'Newsletter',
  yes: 'Send them my newsletter',
  yesSays: 'Anyone who unsubscribed stays unsubscribed.',
  no: 'Only add them as contacts',
  noSays: 'They get no newsletter unless they sign up themselves.',
  attested: 'Everyone in this file agreed to get my newsletter',
  attestedSays: ({ withTime }: { withTime: number }, people: number) =>
    withTime === 0
      ? 'The file doesn’t say when they agreed. Without this, they’re added without the newsletter.'
      : `The file says when they agreed for ${numerals(withTime)} of ${count(people, 'contact')}. Without this, only those get the newsletter.`,
  run: (people: number) => (people === 0 ? 'Nothing to import' : `Import ${count(people, 'contact')}`),
  cancel: 'Cancel import',
  running: 'Importing',
  progress: (done: number, rows: number) => `${numerals(done)} of ${count(rows, 'row')}`,
  done: 'Imported',
  cancelled: 'Import canceled',
  cancelledSays: 'Nothing was imported.',
  undo: 'Undo import',
  undoSays: (until: string) => `You can undo this until ${until}. Contacts that did something since stay.`,
  undoing: 'Undoing the import',
  undone: 'Import undone',
  undoneSays: ({ undone, kept }: { undone: number; kept: number }) =>
    `${count(undone, 'contact')} ${undone === 1 ? 'is' : 'are'} as before.${
      kept === 0 ? '' : ` ${count(kept, 'contact')} stayed, because something happened since.`
    }`,
  another: 'Import another file',
  see: 'See your contacts',
  noRight: 'You can’t import contacts',
  noRightSays: 'Owners and collaborators of this account can.',
  notFound: 'Import not found',
  notFoundSays: 'Files that weren’t imported within a day are deleted.',
};

export const USES: Record<ColumnUse, string> = {
  ignore: 'Don’t import',
  email: 'Email address',
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  agreed_at: 'When they agreed',
  status: 'Newsletter status',
  left_at: 'When they unsubscribed',
};

export const TOOLS: Record<ImportTool, string> = {
  kit: 'Kit',
  mailchimp: 'Mailchimp',
  mailerlite: 'MailerLite',
  flodesk: 'Flodesk',
  grocers_list: 'Grocers List',
  manychat: 'ManyChat',
};

export const STATES: Record<Import['state'], string> = {
  reading: 'Reading',
  ready: 'Waiting for you',
  running: 'Importing',
  done: 'Done',
  cancelled: 'Canceled',
  failed: 'Failed',
};

function count(many: number, noun: string): string {
  return `${numerals(many)} ${noun}${many === 1 ? '' : 's'}`;
}

/** Each kind of row there is, in words, what is imported first. */
export function countWords(counts: ImportCounts): string[] {
  const one = (many: number, single: string, several: string) => (many === 1 ? single : several);
  const words: [number, string][] = [
    [counts.new, one(counts.new, 'new contact', 'new contacts')],
    [counts.merged, `${one(counts.merged, 'contact', 'contacts')} you have already: name or newsletter added`],
    [counts.already, `${one(counts.already, 'contact', 'contacts')} you have already: nothing to add`],
    [counts.unsubscribed, one(counts.unsubscribed, 'unsubscribed, stays so', 'unsubscribed, stay so')],
    [counts.bounced, `with an address that bounced, ${one(counts.bounced, 'stays', 'stay')} off your newsletter`],
    [counts.complained, `marked an email as spam, ${one(counts.complained, 'stays', 'stay')} off your newsletter`],
    [counts.suppressed, 'left out: on your do-not-email list, or erased'],
    [counts.left, 'left out: the file says they unsubscribed or can’t be reached'],
    [counts.double, 'left out: the same address is in an earlier row'],
    [counts.invalid, 'left out: not a valid email address'],
  ];
  return words.flatMap(([many, says]) => (many === 0 ? [] : [`${numerals(many)} ${says}`]));
}

export function noteWords({ role, misspelt, unconfirmed }: NonNullable<Import['notes']>): string[] {
  return [
    role > 0 &&
      `${numerals(role)} ${role === 1 ? 'address belongs' : 'addresses belong'} to no one in particular (like info@).`,
    misspelt > 0 && `${numerals(misspelt)} ${misspelt === 1 ? 'address looks' : 'addresses look'} mistyped.`,
    unconfirmed > 0 && `${numerals(unconfirmed)} never confirmed there and won’t get your newsletter.`,
  ].filter((one) => one !== false);
}

export function leftOut(counts: ImportCounts): number {
  const { unsubscribed, bounced, complained, suppressed, left, double, invalid } = counts;
  return unsubscribed + bounced + complained + suppressed + left + double + invalid;
}
