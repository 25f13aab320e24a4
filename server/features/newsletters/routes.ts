import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/newsletters.ts';
import * as welcomeContract from '#contract/welcome-series.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { countInTime } from '#server/features/contacts/segments.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { countAudience } from './audience.ts';
import * as broadcasts from './broadcasts.ts';
import * as corrections from './corrections.ts';
import * as seasons from './seasons.ts';
import { changeWeekly } from './weekly-recipes.ts';
import * as welcome from './welcome-series.ts';

export function registerNewsletters(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'ids' | 'keys' | 'config' | 'live'>,
): void {
  serve(app, deps, contract.listBroadcasts, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => broadcasts.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.createBroadcast, ({ creatorId, signedIn, inCreator }) =>
    inCreator((trx) => broadcasts.create(deps, trx, creatorId, signedIn.user)),
  );

  serve(app, deps, contract.getBroadcast, ({ params, inCreator }) => inCreator((trx) => broadcasts.get(trx, params)));

  serve(app, deps, contract.changeBroadcast, ({ params, body, signedIn, inCreator }) =>
    inCreator((trx) => broadcasts.change(deps, trx, params, body, signedIn.user)),
  );

  serve(app, deps, contract.deleteBroadcast, async ({ params, inCreator }) => {
    await inCreator((trx) => broadcasts.remove(trx, params));
    return { message: 'Newsletter deleted.' };
  });

  serve(app, deps, contract.readAudience, async ({ params, inCreator }) => {
    const row = await inCreator((trx) => broadcasts.find(trx, params));
    const counted = await countInTime(inCreator, (trx) =>
      countAudience(trx, broadcasts.audienceOf(row), deps.clock.now()),
    );
    return counted ?? { count: null, leftOut: [] };
  });

  serve(app, deps, contract.askToSend, ({ params, signedIn, byEngine }) =>
    byEngine((trx) => broadcasts.ask(deps, trx, params, signedIn.user)),
  );

  serve(app, deps, contract.sendBroadcast, ({ params, body, inCreator }) =>
    inCreator((trx) => broadcasts.send(deps, trx, params, body)),
  );

  serve(app, deps, contract.cancelBroadcast, ({ params, inCreator }) =>
    inCreator((trx) => broadcasts.cancel(deps, trx, params)),
  );

  serve(app, deps, contract.pauseBroadcast, ({ params, signedIn, inCreator }) =>
    inCreator((trx) => broadcasts.pause(trx, params, signedIn.user)),
  );

  serve(app, deps, contract.resumeBroadcast, ({ params, inCreator }) =>
    inCreator((trx) => broadcasts.resume(deps, trx, params)),
  );

  serve(app, deps, contract.getNewsletter, ({ creatorId, inCreator }) =>
    inCreator((trx) => broadcasts.readNewsletter(deps, trx, creatorId)),
  );

  serve(app, deps, contract.changeNewsletterWriter, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => broadcasts.changeWriter(deps, trx, creatorId, body.writer)),
  );

  serve(app, deps, contract.changeWeeklyRecipes, ({ creatorId, body, inCreator }) =>
    inCreator(async (trx) => {
      await changeWeekly(deps, trx, creatorId, body);
      return broadcasts.readNewsletter(deps, trx, creatorId);
    }),
  );

  serve(app, deps, contract.getSeason, async ({ creatorId, inCreator }) => ({
    season: await countInTime(inCreator, (trx) => seasons.findSeason(trx, creatorId, deps.clock.now())),
  }));

  serve(app, deps, contract.writeSeasonDraft, ({ creatorId, body, signedIn, inCreator }) =>
    inCreator((trx) => seasons.writeDraft(deps, trx, { creatorId, url: body.url }, signedIn.user)),
  );

  serve(app, deps, contract.declineSeason, async ({ creatorId, body, inCreator }) => {
    await inCreator((trx) => seasons.answer(deps, trx, { creatorId, url: body.url }));
    return { message: 'We won’t suggest it again this year.' };
  });

  serve(app, deps, contract.readSavers, ({ params, inCreator }) =>
    inCreator((trx) => corrections.countSavers(deps, trx, params)),
  );

  serve(app, deps, contract.createCorrection, ({ params, body, signedIn, inCreator }) =>
    inCreator((trx) => corrections.create(deps, trx, params, body.text, signedIn.user)),
  );

  serve(app, deps, welcomeContract.getWelcomeSeries, ({ creatorId, inCreator }) =>
    inCreator((trx) => welcome.read(trx, creatorId)),
  );

  serve(app, deps, welcomeContract.switchWelcomeSeries, ({ creatorId, body, inCreator }) =>
    inCreator((trx) => (body.isOn ? welcome.switchOn : welcome.switchOff)(deps, trx, creatorId)),
  );

  serve(app, deps, welcomeContract.addWelcomeMail, ({ creatorId, signedIn, inCreator }) =>
    inCreator((trx) => welcome.addMail(deps, trx, creatorId, signedIn.user)),
  );

  serve(app, deps, welcomeContract.changeWelcomeMail, ({ params, body, signedIn, inCreator }) =>
    inCreator((trx) => welcome.changeMail(deps, trx, params, body, signedIn.user)),
  );

  serve(app, deps, welcomeContract.deleteWelcomeMail, ({ params, inCreator }) =>
    inCreator((trx) => welcome.removeMail(deps, trx, params)),
  );
}
