import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { ContactFilter } from '#contract/contacts.ts';
import { endpoint } from '#contract/endpoint.ts';
import { getFigures } from '#contract/figures.ts';
import { listInteractions } from '#contract/interactions.ts';
import { SegmentText } from '#contract/segments.ts';
import { CreatorParams, Id } from '#contract/shapes.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { show as showImport } from '#server/features/contacts/importing/imports.ts';
import { figuresByDay } from '#server/features/figures/figures.ts';
import { csvOf } from '#server/http/csv.ts';
import { countTry, type Limit } from '#server/http/rate-limits.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { createDownloads } from './downloads.ts';
import { exportCreator } from './export.ts';
import { contactsTable, importProblemsTable, interactionsTable, membersTable, moneyTable } from './tables.ts';

/** `EXPORT_PATH` of the contract: the browser goes there as to a page, so it is no call of its client. */
const downloadExport = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/export',
  access: 'creator',
  needs: 'export',
  summary: 'Everything of the creator as one JSON file',
  params: CreatorParams,
  stream: true,
});

/** `…_CSV_PATH` of the contract: the filters of the list, and its rows as a table. */
const downloadInteractions = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/interactions.csv',
  access: 'creator',
  needs: 'export',
  summary: 'What happened, as a table',
  params: CreatorParams,
  query: listInteractions.query,
  stream: true,
});

const downloadContacts = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contacts.csv',
  access: 'creator',
  needs: 'export',
  summary: 'Contacts, as a table',
  params: CreatorParams,
  query: z.object({ filter: z.optional(ContactFilter), segment: z.optional(SegmentText), tagId: z.optional(Id) }),
  stream: true,
});

/** `IMPORT_PROBLEMS_PATH` of the contract. */
const downloadImportProblems = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contact-imports/:importId/problems.csv',
  access: 'creator',
  needs: 'import',
  summary: 'Rows of an import that are left out, as a table',
  params: z.object({ creatorId: Id, importId: Id }),
  stream: true,
});

const downloadMembers = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/members.csv',
  access: 'creator',
  needs: 'export',
  personal: true,
  summary: 'Members with what they pay and their ids at Stripe, as a table',
  params: CreatorParams,
  stream: true,
});

const downloadMoney = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/members-money.csv',
  access: 'creator',
  needs: 'money',
  personal: true,
  summary: 'What moved the balance of the creator’s Stripe account, as a table',
  params: CreatorParams,
  stream: true,
});

const downloadFigures = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/figures.csv',
  access: 'creator',
  summary: 'Figures by day, as a table',
  params: CreatorParams,
  query: getFigures.query,
  stream: true,
});

export function registerExport(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'held'>): void {
  const downloads = createDownloads(deps);

  function nameFile(reply: FastifyReply, name: string, type: 'json' | 'csv'): void {
    const day = deps.clock.now().toISOString().slice(0, 10);
    reply
      .type(type === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}-${day}.${type}"`)
      .header('cache-control', 'no-store');
  }
  const count = (limit: Limit, creatorId: string) => countTry(deps.db.engine, deps.clock.now(), limit, creatorId);

  serve(app, deps, downloadExport, ({ creatorId, reply }) =>
    downloads.send(creatorId, reply, async () => {
      await count('exports_by_creator', creatorId);
      nameFile(reply, 'creator-hq', 'json');
      return exportCreator(deps, creatorId, deps.clock.now());
    }),
  );

  serve(app, deps, downloadInteractions, ({ creatorId, query, reply }) =>
    downloads.send(creatorId, reply, async () => {
      await count('tables_by_creator', creatorId);
      nameFile(reply, 'activity', 'csv');
      return interactionsTable(deps.db, creatorId, query, deps.clock.now());
    }),
  );

  serve(app, deps, downloadContacts, ({ creatorId, query, reply }) =>
    downloads.send(creatorId, reply, async () => {
      await count('tables_by_creator', creatorId);
      const table = contactsTable(deps.db, creatorId, query, deps.clock.now());
      nameFile(reply, 'contacts', 'csv');
      return table;
    }),
  );

  serve(app, deps, downloadMembers, ({ creatorId, reply }) =>
    downloads.send(creatorId, reply, async () => {
      await count('tables_by_creator', creatorId);
      nameFile(reply, 'members', 'csv');
      return membersTable(deps.db, creatorId);
    }),
  );

  serve(app, deps, downloadMoney, ({ creatorId, reply }) =>
    downloads.send(creatorId, reply, async () => {
      await count('tables_by_creator', creatorId);
      nameFile(reply, 'money', 'csv');
      return moneyTable(deps.db, creatorId);
    }),
  );

  serve(app, deps, downloadImportProblems, ({ creatorId, params, reply, inCreator }) =>
    downloads.send(creatorId, reply, async () => {
      await count('tables_by_creator', creatorId);
      const whose = { creatorId, importId: params.importId };
      await inCreator((trx) => showImport(trx, whose));
      nameFile(reply, 'not-imported', 'csv');
      return importProblemsTable(deps.db, creatorId, params.importId);
    }),
  );

  // A few lines that are read before the answer begins: it holds no connection.
  serve(app, deps, downloadFigures, async ({ creatorId, query, inCreator, reply }) => {
    await count('tables_by_creator', creatorId);
    const { days } = await inCreator((trx) => figuresByDay(deps, trx, creatorId, query));
    const header = ['day', 'comments', 'matched', 'sent', 'opened', 'clicked', 'addresses'] as const;
    const lines = days.map((day) => header.map((name) => day[name]));
    nameFile(reply, 'figures', 'csv');
    reply.send(Readable.from(csvOf([...header], [lines])));
  });
}
