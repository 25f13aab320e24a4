/** A mail when an account needs its people: once per trouble and person, again only after it was well in between. */
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { connectionTrouble, type Trouble } from './mails.ts';
import * as queries from './queries.ts';

/** Long enough that somebody on holiday hears of it in time; by then it should have been renewed for weeks. */
const ENDS_SOON_MS = 7 * 24 * 3_600_000;

type Deps = { config: Pick<Config, 'baseUrl'>; db: Database; clock: Clock; ids: Ids };

export async function mailConnectionTroubles(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const endsBefore = new Date(clock.now().getTime() + ENDS_SOON_MS);
  const troubled = await queries.findTroubled(db.engine, endsBefore);
  const lasting = troubled.flatMap((connection) => troublesOf(connection, endsBefore).map(aboutOf(connection)));
  await queries.forgetOver(db.engine, lasting);
  for (const connection of troubled) await mailAbout(deps, connection, endsBefore);
}

async function mailAbout(deps: Deps, connection: queries.TroubledConnection, endsBefore: Date): Promise<void> {
  const { db, clock, config } = deps;
  const creatorId = connection.creator_id;
  const all = troublesOf(connection, endsBefore);
  // Connecting again mends the others too, but not what Meta has against the Page.
  const told = all.includes('requires_auth')
    ? all.filter((one) => one === 'requires_auth' || one === 'policy_blocked')
    : all;
  const about = aboutOf(connection);
  for (const recipient of await queries.findRecipients(db.engine, creatorId, 'connection_trouble')) {
    await db.engine.transaction().execute(async (trx) => {
      const whom = { creatorId, userId: recipient.user_id };
      const fresh = await queries.noteTold(trx, whom, told.map(about), clock.now());
      const troubles = told.filter((trouble) => fresh.includes(about(trouble)));
      if (troubles.length === 0) return;
      const mail = connectionTrouble(recipient, config.baseUrl, { connection, troubles });
      await mailLater(trx, deps, { ...mail, aboutCreatorId: creatorId });
    });
  }
}

function troublesOf(connection: queries.TroubledConnection, endsBefore: Date): Trouble[] {
  const { requires_auth_at, missing_permissions, missing_webhooks, ends_at, policy_blocked } = connection;
  const troubles: Trouble[] = [];
  if (requires_auth_at !== null) troubles.push('requires_auth');
  if (missing_permissions.length > 0) troubles.push('missing_permissions');
  if (missing_webhooks.length > 0) troubles.push('missing_webhooks');
  if (ends_at !== null && ends_at < endsBefore) troubles.push('ends_soon');
  if (policy_blocked) troubles.push('policy_blocked');
  return troubles;
}

const aboutOf = (connection: { id: string }) => (trouble: Trouble) => `connection:${connection.id}:${trouble}`;
