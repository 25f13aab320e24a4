/**
 * `npm run admin -- invite EMAIL`: who may sign up. `grant EMAIL`, `revoke EMAIL` or `list`: who may enter the admin area. `pause-webhooks`: for an outage of
 * Meta. `end-sessions`: when a device was stolen. `reset-two-step`: when one is lost. Works on the database of DATABASE_URL, else on the built-in one in DATA_DIR, whether Creator HQ is running or not.
 */
import * as z from 'zod/mini';
import { Email } from '#contract/session.ts';
import { systemClock, systemIds } from '#server/clock.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/binaries.ts';
import { MigrationError } from '#server/db/migrate.ts';
import { AppError } from '#server/errors.ts';
import { grantAdmin, listAdmins, revokeAdmin } from '#server/features/admin/admins.ts';
import { pauseWebhooks } from '#server/features/connections/paused-webhooks.ts';
import { letNewslettersGo } from '#server/features/contacts/no-mail/taking-up.ts';
import { endEverySession } from '#server/features/people/devices.ts';
import { SIGN_UP_LINK_DAYS } from '#server/features/people/mailed-links.ts';
import { resetSecondFactor } from '#server/features/people/second-factor.ts';
import { inviteToSignUp } from '#server/features/people/sign-up-invites.ts';
import { loadDotEnv } from './dot-env.ts';
import { Refused, withDatabase } from './with-database.ts';

const USAGE = `Usage:
  npm run admin -- invite EMAIL   mails a link to sign up with, and shows it here
  npm run admin -- grant EMAIL    lets this person into the admin area
  npm run admin -- revoke EMAIL   takes it away, and ends their visits
  npm run admin -- list           shows who has it
  npm run admin -- pause-webhooks instagram|facebook on|off
                                  holds sending back during an outage of Meta; afterwards what waited goes out
  npm run admin -- send-newsletters
                                  after a restore without the list of who left: newsletters go out all the same
  npm run admin -- end-sessions EMAIL|everybody
                                  signs this person, or everybody, out of every device
  npm run admin -- reset-two-step EMAIL
                                  turns two-step login off for somebody who lost phone and backup codes, and signs
                                  them out of every device`;

try {
  loadDotEnv();
  const config = readConfig();
  await withDatabase(config, readCommand(process.argv.slice(2), config));
} catch (error) {
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
}

/** @throws Refused with the usage */
function readCommand([command, email, ...rest]: string[], config: Config): (db: Database) => Promise<void> {
  const surroundings = { clock: systemClock, ids: systemIds };
  if (command === 'list' && email === undefined) {
    return async (db) => {
      const admins = await listAdmins({ db });
      for (const admin of admins) console.log(`${admin.email}  ${admin.name}`);
      if (admins.length === 0) console.log('Nobody is an admin yet.');
    };
  }
  if (command === 'send-newsletters' && email === undefined) {
    return async (db) => {
      const waited = await letNewslettersGo(db);
      console.log(waited ? 'Newsletters go out again.' : 'Newsletters aren’t on hold.');
    };
  }
  if (command === 'pause-webhooks') return readPause([email, ...rest]);
  if (email === undefined || rest.length > 0) throw new Refused(USAGE);
  if (command === 'invite') {
    if (config.signUp === 'closed') throw new Refused('SIGN_UP is closed: nobody can sign up. Set SIGN_UP=invited.');
    const to = z.safeParse(Email, email);
    if (!to.success) throw new Refused(`${email} is not an email address.`);
    return async (db) => {
      const link = await inviteToSignUp({ ...surroundings, db, baseUrl: config.baseUrl }, to.data);
      if (config.smtpUrl !== null) console.log(`A mail to ${to.data} is on its way.`);
      console.log(`${to.data} can sign up here for ${SIGN_UP_LINK_DAYS} days:\n${link}`);
    };
  }
  if (command === 'grant') {
    return async (db) => {
      const changed = await grantAdmin({ ...surroundings, db }, email);
      console.log(changed ? `${email} is an admin now.` : `${email} was an admin already.`);
    };
  }
  if (command === 'revoke') {
    return async (db) => {
      const changed = await revokeAdmin({ ...surroundings, db }, email);
      console.log(changed ? `${email} is no admin any more.` : `${email} was no admin.`);
    };
  }
  if (command === 'end-sessions') {
    return async (db) => {
      const ended = await endEverySession(db, email === 'everybody' ? null : email);
      console.log(ended === 1 ? 'Ended 1 session.' : `Ended ${ended} sessions.`);
    };
  }
  if (command === 'reset-two-step') {
    return async (db) => {
      const was = await resetSecondFactor({ ...surroundings, db, baseUrl: config.baseUrl }, email);
      console.log(was ? `${email} logs in with the password alone now.` : `${email} had no two-step login.`);
    };
  }
  throw new Refused(USAGE);
}

function readPause([platform, state, ...rest]: (string | undefined)[]): (db: Database) => Promise<void> {
  if (platform !== 'instagram' && platform !== 'facebook') throw new Refused(USAGE);
  if ((state !== 'on' && state !== 'off') || rest.length > 0) throw new Refused(USAGE);
  return async (db) => {
    const changed = await pauseWebhooks(db, platform, state === 'on', systemClock.now());
    const accounts = changed === 1 ? '1 account' : `${changed} accounts`;
    console.log(state === 'on' ? `Paused for ${accounts}.` : `No longer paused for ${accounts}; what waited goes out.`);
  };
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof Error &&
    [Refused, AppError, ConfigError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind)
  );
}
