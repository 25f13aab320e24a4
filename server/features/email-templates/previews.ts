/** A design as readers get it, filled with a sample or with what a reader really saved. */
import type { Kysely, Transaction } from 'kysely';
import { checkEmailDesign } from '#contract/email-template-problems.ts';
import type { EmailDesign, EmailType, listEmailSamples, previewEmail } from '#contract/email-templates.ts';
import type { BodyOf, ResponseOf } from '#contract/endpoint.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { findLists } from '#server/features/lists/list-links.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import * as queries from './queries.ts';
import type { ListedRecipe, MailData } from './rendering/facts.ts';
import { compileTemplate, preheaderOf, renderMail } from './rendering/render-mail.ts';
import { sampleData } from './sample-data.ts';
import { checkSize, sizeWarning } from './size.ts';

type Db = Kysely<Tables>;
type Deps = { config: Pick<Config, 'baseUrl'> };
type Asked = { creatorId: string; type: EmailType } & BodyOf<typeof previewEmail>;

/** @throws AppError not_found */
export async function preview(deps: Deps, db: Db, asked: Asked): Promise<ResponseOf<typeof previewEmail>> {
  const { type, design } = asked;
  const template = compileTemplate(type, design);
  const data = await dataFor(deps, db, asked);
  const mail = renderMail(template, data);
  const bytes = Buffer.byteLength(mail.html);
  const problems = [...checkEmailDesign(type, design), ...checkSize(type, design)];
  return { ...mail, preheader: preheaderOf(template, data), bytes, warning: sizeWarning(bytes), problems };
}

/**
 * The transaction must be the engine role's.
 *
 * @throws AppError not_found, invalid_input
 */
export async function sendTest(
  deps: Deps & { clock: Clock; ids: Ids },
  trx: Transaction<Tables>,
  { to, ...asked }: Asked & { to: string },
): Promise<{ message: string }> {
  const { creatorId, type, design } = asked;
  const team = await queries.findTeam(trx, creatorId);
  if (!team.some(({ email }) => email === to)) {
    const message = 'Test emails go to people on your team only.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'to', message }] });
  }
  const mail = renderMail(compileTemplate(type, design), await dataFor(deps, trx, asked));
  const letter = { ...mail, subject: `[Test] ${mail.subject}` };
  await mailLater(trx, deps, { kind: 'test_email', to, letter, aboutCreatorId: creatorId });
  return { message: `Test sent to ${to}.` };
}

/** @throws AppError not_found */
async function dataFor({ config }: Deps, db: Db, asked: Asked): Promise<MailData> {
  const { creatorId, design, sample, savedRecipeId, contactId } = asked;
  const name = await queries.findCreatorName(db, creatorId);
  const data = sampleData(sample, design, { baseUrl: config.baseUrl, creatorName: name });
  const listed = await listedRecipes(db, creatorId, design);
  const saved = savedRecipeId === null ? null : await queries.findSavedRecipe(db, creatorId, savedRecipeId);
  const contact = contactId === null ? null : await queries.findContact(db, creatorId, contactId);
  if (saved === undefined) throw new AppError('not_found', 'No one has this recipe saved anymore.');
  if (contact === undefined) throw new AppError('not_found', 'This contact no longer exists.');
  const pages = [...(saved === null ? [] : [saved]), ...[...listed.values()].flat()];
  const listAt = await findLists(
    { config },
    db,
    pages.map(({ url }) => ({ creatorId, url })),
  );
  return {
    ...data,
    shopUrlOf: (url) => listAt({ creatorId, url }),
    ...(listed.size > 0 && { listed }),
    ...(saved !== null && { about: saved }),
    ...(contact !== null && { name: contact.name, isConfirmed: contact.newsletter === 'confirmed' }),
  };
}

/** Empty where the creator has no recipes. */
export async function listedRecipes(
  db: Db,
  creatorId: string,
  design: EmailDesign,
): Promise<Map<string, ListedRecipe[]>> {
  const lists = design.blocks.filter((block) => block.kind === 'recipes');
  const listed = new Map<string, ListedRecipe[]>();
  for (const { id, recipeIds, count } of lists) {
    const recipes = await queries.findRecipes(db, creatorId, { ids: recipeIds, most: count });
    if (recipes.length > 0) listed.set(id, recipes);
  }
  return listed;
}

export async function samples(
  trx: CreatorTransaction,
  creatorId: string,
  own: string,
): Promise<ResponseOf<typeof listEmailSamples>> {
  const team = (await queries.findTeam(trx, creatorId)).map(({ email }) => email);
  return {
    savedRecipes: await queries.findSavedRecipes(trx, creatorId),
    contacts: await queries.findContacts(trx, creatorId),
    team: team.includes(own) ? [own, ...team.filter((email) => email !== own)] : team,
  };
}
