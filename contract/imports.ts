/** Contacts from a file: uploaded, judged before anything is changed, run in steps, and undone for a week. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

export const MOST_IMPORT_BYTES = 20 * 1024 * 1024;
export const MOST_IMPORT_ROWS = 200_000;
export const MOST_COLUMNS = 100;
const SAMPLES = 3;

/**
 * What a column is used for. `agreed_at`: when they said yes. `status`: whether they get a newsletter there. `left_at`: with
 * anything in it they left there.
 */
export const ColumnUse = z.enum([
  'email',
  'name',
  'first_name',
  'last_name',
  'agreed_at',
  'status',
  'left_at',
  'ignore',
]);
export type ColumnUse = z.infer<typeof ColumnUse>;

/**
 * What becomes of a row; each has one.
 * - `new`, `merged` (a known contact gets a name or the newsletter), `already` (known, nothing to add)
 * - `unsubscribed`, `bounced`, `complained`: a known contact stays so
 * - `suppressed`: an address that is not written to, or was erased
 * - `left`: the file itself says that they left or can’t be reached
 * - `double`: the address is in an earlier row
 * - `invalid`
 */
export const RowVerdict = z.enum([
  'new',
  'merged',
  'already',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'left',
  'double',
  'invalid',
]);
export type RowVerdict = z.infer<typeof RowVerdict>;

/** Why a row is not imported. */
export const NOT_IMPORTED: Partial<Record<RowVerdict, string>> = {
  unsubscribed: 'Unsubscribed here: stays unsubscribed',
  bounced: 'Their address bounced: stays off your newsletter',
  complained: 'Marked an email as spam: stays off your newsletter',
  suppressed: 'On your do-not-email list, or erased',
  left: 'The file says they unsubscribed or can’t be reached',
  double: 'The same address is in an earlier line',
  invalid: 'Not a valid email address',
};

export const ImportCounts = z.object({
  new: z.number(),
  merged: z.number(),
  already: z.number(),
  unsubscribed: z.number(),
  bounced: z.number(),
  complained: z.number(),
  suppressed: z.number(),
  left: z.number(),
  double: z.number(),
  invalid: z.number(),
});
export type ImportCounts = z.infer<typeof ImportCounts>;

export const ImportTool = z.enum(['kit', 'mailchimp', 'mailerlite', 'flodesk', 'grocers_list', 'manychat']);
export type ImportTool = z.infer<typeof ImportTool>;

export const Import = z.object({
  id: Id,
  state: z.enum(['reading', 'ready', 'running', 'done', 'cancelled', 'failed']),
  fileName: z.string(),
  tool: z.nullable(ImportTool),
  rows: z.number(),
  /** Samples are in the answer about one import that is ready. */
  columns: atMost(MOST_COLUMNS, z.object({ name: z.string(), samples: atMost(SAMPLES, z.string()), use: ColumnUse })),
  /** Before the run. Null: being counted, or no column has addresses. */
  counts: z.nullable(ImportCounts),
  /** Of new and merged rows. */
  notes: z.nullable(
    z.object({
      /** Addresses such as info@, which belong to nobody in particular. */
      role: z.number(),
      misspelt: z.number(),
      /** Rows that say when they agreed, and not that they are still unconfirmed. */
      withTime: z.number(),
      unconfirmed: z.number(),
    }),
  ),
  /** As it came to be; while it runs, of the rows so far. */
  result: z.nullable(ImportCounts),
  doneRows: z.number(),
  /** How they agreed, as it is kept with each contact. */
  agreed: z.nullable(z.string()),
  madeAt: Timestamp,
  finishedAt: z.nullable(Timestamp),
  undoUntil: z.nullable(Timestamp),
  /** `kept`: contacts that somebody touched since. Null: not undone; `isDone` false: under way. */
  undo: z.nullable(z.object({ isDone: z.boolean(), undone: z.number(), kept: z.number() })),
  failure: z.nullable(z.string()),
});
export type Import = z.infer<typeof Import>;

const ImportParams = z.object({ creatorId: Id, importId: Id });
const ACCESS = { access: 'creator', needs: 'import' } as const;

export const listImports = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/contact-imports',
  personal: true,
  summary: 'Imported files, newest first',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: pageOf(Import),
  errors: ['invalid_input'],
});

/** The body is the file itself, whatever its content type. */
export const uploadImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/contact-imports',
  quotas: ['imports'],
  summary: 'Upload a CSV or TSV file of contacts (the raw body, 20 MB at most); nothing is changed yet',
  params: CreatorParams,
  query: z.object({ fileName: z.optional(z.string().check(z.trim(), z.maxLength(200))) }),
  response: Import,
  errors: ['invalid_input'],
});

export const getImport = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/contact-imports/:importId',
  personal: true,
  summary: 'One import: its columns, what it would change, how far it is',
  params: ImportParams,
  response: Import,
  errors: ['not_found'],
});

export const ImportRow = z.object({
  line: z.number(),
  email: z.nullable(z.string()),
  verdict: RowVerdict,
  /** What is wrong with it, in a sentence. */
  why: z.nullable(z.string()),
  /** The address they probably meant. */
  suggestion: z.nullable(z.string()),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const listImportRows = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/contact-imports/:importId/rows',
  personal: true,
  summary: 'Rows of an import by what becomes of them, in the file’s order; kept for a day',
  params: ImportParams,
  query: z.object({
    ...PageQuery,
    /** `misspelt`: rows of any verdict whose address looks mistyped. */
    only: z.optional(z.enum([...RowVerdict.options, 'misspelt'])),
  }),
  response: pageOf(ImportRow),
  errors: ['not_found', 'invalid_input'],
});

export const changeImportColumns = endpoint({
  ...ACCESS,
  method: 'PATCH',
  path: '/creators/:creatorId/contact-imports/:importId',
  summary: 'Say what each column of an import is; its rows are then counted again',
  params: ImportParams,
  body: z.object({ uses: z.array(ColumnUse).check(z.maxLength(MOST_COLUMNS)) }),
  response: Import,
  errors: ['not_found', 'invalid_input', 'not_possible_now'],
});

export const runImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/contact-imports/:importId/run',
  summary: 'Import the contacts. No email goes out',
  params: ImportParams,
  body: z.object({
    agreed: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Say how these people agreed to hear from you.'),
        z.maxLength(300, 'Use at most 300 characters.'),
      ),
    /** Rows that say when they agreed get the newsletter; with `attested` those without a time, too. */
    newsletter: z.boolean(),
    /** Everybody in the file agreed to get the newsletter. */
    attested: z.boolean(),
  }),
  response: Import,
  errors: ['not_found', 'invalid_input', 'not_possible_now'],
});

export const cancelImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/contact-imports/:importId/cancel',
  summary: 'Stop an import; contacts imported so far stay and can be undone',
  params: ImportParams,
  response: Import,
  errors: ['not_found', 'not_possible_now'],
});

export const undoImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/contact-imports/:importId/undo',
  summary: 'Undo an import of the last 7 days, except for contacts that something happened to since',
  params: ImportParams,
  response: Import,
  errors: ['not_found', 'not_possible_now'],
});

/** The rows that are not imported and why, for a spreadsheet: a full-page navigation. */
export const IMPORT_PROBLEMS_PATH = (creatorId: string, importId: string) =>
  `/api/v1/creators/${creatorId}/contact-imports/${importId}/problems.csv`;
