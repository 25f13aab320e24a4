/** Templates of mails to readers: what is sent, the draft beside it, the versions that were. */
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import {
  EMAIL_LIMITS,
  EMAIL_TYPES,
  type EmailDesign,
  type EmailTemplate,
  type EmailType,
} from '#contract/email-templates.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { defaultDesign, type OwnForms } from './default-designs.ts';
import * as queries from './queries.ts';
import { checkSize } from './size.ts';

type Deps = { clock: Clock };
type Seen = { version: number; draftVersion: number };
type Template = { creatorId: string; type: EmailType };

/** Types that something sends. */
const SENT: EmailType[] = Object.keys(EMAIL_TYPES) as EmailType[];
/** Of a draft, as JSON: its HTML would be refused long before. */
const MOST_BYTES = 400_000;

export async function list(trx: CreatorTransaction, creatorId: string): Promise<{ items: EmailTemplate[] }> {
  const rows = await queries.findAll(trx, creatorId);
  const forms = (await queries.findOwnForms(trx, [creatorId])).get(creatorId) ?? null;
  const types = Object.keys(EMAIL_TYPES) as EmailType[];
  return {
    items: types.map((type) =>
      show(
        type,
        rows.find((row) => row.type === type),
        forms,
      ),
    ),
  };
}

export async function get(trx: CreatorTransaction, { creatorId, type }: Template): Promise<EmailTemplate> {
  const { items } = await list(trx, creatorId);
  return items.find((item) => item.type === type)!;
}

/** @throws AppError invalid_input, changed_meanwhile */
export async function saveDraft(
  { clock }: Deps,
  trx: CreatorTransaction,
  template: Template,
  { design, ...seen }: Seen & { design: EmailDesign },
  by: { name: string },
): Promise<EmailTemplate> {
  if (Buffer.byteLength(JSON.stringify(design)) > MOST_BYTES)
    throw new AppError('invalid_input', 'This email is too long. Shorten or delete some blocks.');
  await lockUnchanged(trx, template, seen);
  const draft = { base: seen.version, savedAt: clock.now().toISOString(), savedBy: by.name, design };
  await queries.setDraft(trx, template.creatorId, template.type, { draft });
  return get(trx, template);
}

/** @throws AppError invalid_input (a field for each problem), changed_meanwhile */
export async function publish(
  { clock }: Deps,
  trx: CreatorTransaction,
  template: Template,
  seen: Seen,
  by: { name: string },
): Promise<EmailTemplate> {
  const { creatorId, type } = template;
  const { draft, version } = await lockUnchanged(trx, template, seen);
  if (draft === null)
    throw new AppError('changed_meanwhile', 'The draft no longer exists. Reload to see the live version.');
  if (draft.base !== version) {
    throw new AppError(
      'changed_meanwhile',
      'The live version changed after you started this draft. Compare the two, save the draft again, then publish it.',
    );
  }
  const { design } = draft;
  const problems = [...checkEmailDesign(type, design), ...checkSize(type, design)];
  if (problems.length > 0)
    throw new AppError('invalid_input', problems[0]!.message, {
      fields: problems.map(({ path, message }) => ({ path, message })),
    });
  const next = { version: version + 1, design, at: clock.now(), by: by.name, kept: EMAIL_LIMITS.versions };
  await queries.addVersion(trx, creatorId, type, next);
  await queries.setDraft(trx, creatorId, type, { draft: null, version: next.version });
  return get(trx, template);
}

/** @throws AppError changed_meanwhile */
export async function discard(trx: CreatorTransaction, template: Template, seen: Seen): Promise<EmailTemplate> {
  await lockUnchanged(trx, template, seen);
  await queries.setDraft(trx, template.creatorId, template.type, { draft: null });
  return get(trx, template);
}

/** @throws AppError changed_meanwhile */
export async function reset(trx: CreatorTransaction, template: Template, seen: Seen): Promise<EmailTemplate> {
  const { version } = await lockUnchanged(trx, template, seen);
  await queries.setDraft(trx, template.creatorId, template.type, { draft: null, version: version + 1 });
  return get(trx, template);
}

export async function listVersions(trx: CreatorTransaction, { creatorId, type }: Template) {
  const rows = await queries.findVersions(trx, creatorId, type);
  return {
    items: rows.map(({ version, design, published_at: at, published_by: publishedBy }) => ({
      ...{ version, publishedAt: at.toISOString(), publishedBy, design: design as EmailDesign },
    })),
  };
}

async function lockUnchanged(trx: CreatorTransaction, template: Template, seen: Seen): Promise<EmailTemplate> {
  await queries.lock(trx, template.creatorId, template.type);
  const now = await get(trx, template);
  if (now.version !== seen.version) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else changed the live version while you were editing. Your version is still here: compare the two.',
    );
  }
  if (now.draftVersion !== seen.draftVersion) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else saved, published or discarded the draft. Your version is still here: compare the two.',
    );
  }
  return now;
}

function show(type: EmailType, row: queries.TemplateRow | undefined, forms: OwnForms | null): EmailTemplate {
  return {
    type,
    name: EMAIL_TYPES[type].name,
    isSent: SENT.includes(type),
    version: row?.version ?? 0,
    live: row?.design ?? defaultDesign(type, forms),
    published: row?.published_at ? { at: row.published_at.toISOString(), by: row.published_by ?? '' } : null,
    draftVersion: row?.draft_version ?? 0,
    draft: row?.draft ?? null,
  };
}
