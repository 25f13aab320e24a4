import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { ContactFilter } from '#contract/contacts.ts';
import { endpoint } from '#contract/endpoint.ts';
import { getFigures } from '#contract/figures.ts';
import { listInteractions } from '#contract/interactions.ts';
import { CreatorParams } from '#contract/shapes.ts';
import type { AppDeps } from '#server/app.ts';
import { AppError } from '#server/errors.ts';
import { figuresByDay } from '#server/features/figures/figures.ts';
import { countTry, type Limit } from '#server/features/people/guessing.ts';
import { csvOf } from '#server/http/csv.ts';
import { serve } from '#server/http/serve.ts';
import { exportCreator } from './export.ts';
import { contactsTable, interactionsTable } from './tables.ts';

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
  query: z.object({ filter: z.optional(ContactFilter) }),
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

/** Each holds a connection to the database while it runs; the rest of them answer requests. */
const MOST_AT_ONCE = 2;

type Download = { content: AsyncIterable<string>; name: string; ending: string; type: string };

export function registerExport(app: FastifyInstance, deps: AppDeps): void {
  let underWay = 0;

  /** Counted until the reader has it all or leaves. */
  function send(reply: FastifyReply, { content, name, ending, type }: Download): void {
    const file = Readable.from(content);
    underWay++;
    file.once('close', () => {
      underWay--;
    });
    const day = deps.clock.now().toISOString().slice(0, 10);
    reply
      .type(type)
      .header('content-disposition', `attachment; filename="${name}-${day}.${ending}"`)
      .header('cache-control', 'no-store')
      .send(file);
  }

  async function mayBegin(limit: Limit, creatorId: string): Promise<void> {
    if (underWay >= MOST_AT_ONCE) {
      const detail = 'Other downloads are under way. Please try again in a minute.';
      throw new AppError('too_many_requests', detail, { retryAfterSeconds: 60 });
    }
    await countTry(deps.db.engine, deps.clock.now(), limit, creatorId);
  }

  serve(app, deps, downloadExport, async ({ creatorId, reply }) => {
    await mayBegin('exports_by_creator', creatorId);
    const content = exportCreator(deps.db, creatorId, deps.clock.now());
    send(reply, { content, name: 'creator-hq', ending: 'json', type: 'application/json; charset=utf-8' });
  });

  const table = { ending: 'csv', type: 'text/csv; charset=utf-8' };

  serve(app, deps, downloadInteractions, async ({ creatorId, query, reply }) => {
    await mayBegin('tables_by_creator', creatorId);
    const content = interactionsTable(deps.db, creatorId, query, deps.clock.now());
    send(reply, { content, name: 'activity', ...table });
  });

  serve(app, deps, downloadContacts, async ({ creatorId, query, reply }) => {
    await mayBegin('tables_by_creator', creatorId);
    const content = contactsTable(deps.db, creatorId, query.filter, deps.clock.now());
    send(reply, { content, name: 'contacts', ...table });
  });

  serve(app, deps, downloadFigures, async ({ creatorId, query, inCreator, reply }) => {
    await mayBegin('tables_by_creator', creatorId);
    const { days } = await inCreator((trx) => figuresByDay(deps, trx, creatorId, query));
    const header = ['day', 'comments', 'matched', 'sent', 'opened', 'clicked', 'addresses'] as const;
    const lines = days.map((day) => header.map((name) => day[name]));
    send(reply, { content: csvOf([...header], [lines]), name: 'figures', ...table });
  });
}
