import type { FastifyInstance } from 'fastify';
import * as codesContract from '#contract/discount-codes.ts';
import * as locksContract from '#contract/locks.ts';
import * as membersContract from '#contract/members.ts';
import * as moneyContract from '#contract/members-money.ts';
import * as endContract from '#contract/membership-end.ts';
import * as accountContract from '#contract/stripe-account.ts';
import * as tiersContract from '#contract/tiers.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { checkHandle } from '#server/features/settings/deletion.ts';
import { serve } from '#server/http/serve.ts';
import { beginAccount, checkAccount, describeAccount, giveOwnAccount, needAccounts, openPage } from './accounts.ts';
import { block, unblock } from './blocking.ts';
import { changeLockOfBlog, listLocksOfBlog } from './blog-locks.ts';
import { closeCode, listCodes, makeCode } from './codes.ts';
import { cancelMembership, findDue, findPaid, refundMembership } from './ending.ts';
import { endDevices } from './entering.ts';
import { takeConnectEvent } from './events.ts';
import { countReasons, DAYS_BACK, readFigures } from './figures.ts';
import { checkSoon, describeLocks, replaceHackedKey } from './locks.ts';
import { accountUrl, mailFan } from './mails.ts';
import { explain, findMembers, neverMember, readMails, readMember } from './members.ts';
import { beginEnd, describeEnd, keepMemberships } from './membership-end.ts';
import { readLines, readMoney } from './money.ts';
import { registerMoves } from './moving/routes.ts';
import { countPassedJoins, endPassed } from './opened-posts.ts';
import { registerFanPages } from './page-routes.ts';
import { endGiven, givePass, noteChange } from './passes.ts';
import { announceMove } from './price-moves.ts';
import { describePayment, giveBackPart } from './refunds.ts';
import { changeLateDays } from './sync.ts';
import {
  changeTier,
  listAll,
  makeTier,
  moveTier,
  readTier,
  setArchived,
  setFreeOpens,
  setFreeReaders,
} from './tiers.ts';

const MAX_BODY_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;

export async function registerFans(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  registerFanPages(app, deps);
  registerMoves(app, deps);

  serve(app, deps, accountContract.getStripeAccount, ({ creatorId }) => describeAccount(deps, creatorId));

  serve(app, deps, accountContract.connectStripeAccount, async ({ creatorId }) => ({
    url: await beginAccount(needAccounts(deps), creatorId),
  }));

  serve(app, deps, accountContract.linkStripeAccount, async ({ creatorId }) => ({
    url: await openPage(needAccounts(deps), creatorId),
  }));

  serve(app, deps, accountContract.checkStripeAccount, async ({ creatorId }) => {
    await checkAccount(needAccounts(deps), creatorId);
    return describeAccount(deps, creatorId);
  });

  serve(app, deps, accountContract.adminGiveOwnAccount, async ({ params, body, signedIn }) => {
    await giveOwnAccount(needAccounts(deps), signedIn, { creatorId: params.adminCreatorId, ...body });
    return { message: 'Members now pay into this Creator HQ’s own Stripe account.' };
  });

  serve(app, deps, tiersContract.listTiers, async ({ creatorId, inCreator }) =>
    inCreator(async (trx) => listAll(trx, { now: deps.clock.now(), joinUrl: await joinUrlOf(trx, creatorId) })),
  );

  const readCodes = async (trx: CreatorTransaction, creatorId: string) =>
    listCodes(trx, { now: deps.clock.now(), joinUrl: await joinUrlOf(trx, creatorId) });

  serve(app, deps, codesContract.listDiscountCodes, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => readCodes(trx, creatorId)),
  }));

  serve(app, deps, codesContract.createDiscountCode, ({ creatorId, body, inCreator }) =>
    changed(creatorId, () =>
      inCreator(async (trx) => {
        const id = await makeCode(deps, trx, { creatorId, ...body });
        return (await readCodes(trx, creatorId)).find((code) => code.id === id)!;
      }),
    ),
  );

  serve(app, deps, codesContract.closeDiscountCode, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => closeCode(deps, trx, { creatorId, codeId: params.codeId }));
      return { message: 'Closed. Who joined with it keeps what it takes off.' };
    }),
  );

  serve(app, deps, tiersContract.createTier, ({ creatorId, body, inCreator }) =>
    changed(creatorId, () =>
      inCreator(async (trx) => {
        const id = await makeTier(deps, trx, { creatorId, ...priced(body) });
        return readTier(trx, deps.clock.now(), id);
      }),
    ),
  );

  serve(app, deps, tiersContract.changeTier, ({ creatorId, params, body, inCreator }) =>
    changed(creatorId, () =>
      inCreator(async (trx) => {
        await changeTier(deps, trx, { creatorId, tierId: params.tierId, ...priced(body) });
        return readTier(trx, deps.clock.now(), params.tierId);
      }),
    ),
  );

  serve(app, deps, tiersContract.movePayers, ({ creatorId, params, body, inCreator }) =>
    changed(creatorId, async () => {
      const count = await inCreator((trx) => announceMove(deps, trx, { creatorId, tierId: params.tierId, ...body }));
      const who = count === 1 ? '1 member is' : `${count} members are`;
      return { message: `${who} mailed now, and pay the new price in 30 days or later.` };
    }),
  );

  serve(app, deps, tiersContract.archiveTier, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => setArchived(deps, trx, { creatorId, tierId: params.tierId, isArchived: true }));
      return { message: 'Closed for new members. Present ones go on.' };
    }),
  );

  serve(app, deps, tiersContract.reopenTier, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => setArchived(deps, trx, { creatorId, tierId: params.tierId, isArchived: false }));
      return { message: 'Open again.' };
    }),
  );

  serve(app, deps, tiersContract.moveTier, ({ creatorId, params, body, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => moveTier(trx, { creatorId, tierId: params.tierId, up: body.up }));
      return { message: 'Moved.' };
    }),
  );

  serve(app, deps, tiersContract.setFreeReaders, ({ creatorId, body, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => setFreeReaders(trx, { creatorId, isOpen: body.isOpen }));
      return { message: body.isOpen ? 'Readers can enter without paying.' : 'Only members can enter now.' };
    }),
  );

  serve(app, deps, tiersContract.setFreeOpens, ({ creatorId, body, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => setFreeOpens(trx, { creatorId, many: body.many }));
      return { message: 'Saved. Readers are told within an hour.' };
    }),
  );

  serve(app, deps, tiersContract.setLateDays, ({ creatorId, body, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => changeLateDays(deps, trx, { creatorId, days: body.days }));
      return { message: 'Saved. It applies to members who are late now, too.' };
    }),
  );

  serve(app, deps, membersContract.listMembers, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => findMembers(trx, { creatorId, query, now: deps.clock.now() })),
  );

  serve(app, deps, membersContract.getMemberFigures, ({ inCreator }) =>
    inCreator(async (trx) => {
      const now = deps.clock.now();
      return {
        ...(await readFigures(trx, now)),
        joinedByPassing: await countPassedJoins(trx, { now, days: DAYS_BACK }),
        leftBecause: await countReasons(trx),
      };
    }),
  );

  serve(app, deps, membersContract.getMember, async ({ creatorId, params, inCreator }) => {
    const member = await inCreator((trx) =>
      readMember(deps, trx, { contactId: params.memberId, now: deps.clock.now() }),
    );
    return { ...member, mails: await readMails(deps, creatorId, member.email) };
  });

  serve(app, deps, membersContract.whyNotIn, ({ creatorId, body }) => explain(deps, creatorId, body.email));

  serve(app, deps, membersContract.givePass, ({ creatorId, body, inCreator }) =>
    changed(creatorId, async () => {
      const { email, tierId, days, note } = body;
      const endsAt = days === null ? null : new Date(deps.clock.now().getTime() + days * DAY_MS);
      const given = { creatorId, email, tierId, endsAt, note: note === '' ? null : note };
      return { contactId: await inCreator((trx) => givePass(deps, trx, given)) };
    }),
  );

  serve(app, deps, membersContract.endGivenPass, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      const whose = { creatorId, contactId: params.memberId };
      await inCreator(async (trx) => {
        if (!(await endGiven(deps, trx, whose))) throw new AppError('not_found', 'Nothing is given to them now.');
        await noteChange(deps, trx, { ...whose, what: 'What was given was ended.' });
      });
      return { message: 'Ended. The blog is told now.' };
    }),
  );

  serve(app, deps, membersContract.endPassedRecipes, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      const whose = { creatorId, contactId: params.memberId };
      await inCreator(async (trx) => {
        await needMember(trx, params.memberId);
        if ((await endPassed(deps, trx, whose)) > 0) {
          await noteChange(deps, trx, { ...whose, what: 'What they passed to friends was ended.' });
        }
      });
      return { message: 'Ended. Friends meet the wall again.' };
    }),
  );

  serve(app, deps, membersContract.signMemberOut, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      const whose = { creatorId, contactId: params.memberId };
      await inCreator(async (trx) => {
        await needMember(trx, params.memberId);
        await endDevices(deps, trx, whose);
        await noteChange(deps, trx, { ...whose, what: 'Logged out on all devices.' });
      });
      return { message: 'Logged out on all devices. They can enter again with a code.' };
    }),
  );

  serve(app, deps, membersContract.sendMemberCode, async ({ creatorId, params, inCreator, byEngine }) => {
    const whose = { creatorId, contactId: params.memberId };
    await inCreator((trx) => needMember(trx, params.memberId));
    const due = deps.accounts === null ? null : await findDue(needAccounts(deps), whose);
    await byEngine(async (trx) => {
      const { handle } = await trx
        .selectFrom('creators')
        .select('handle')
        .where('id', '=', creatorId)
        .executeTakeFirstOrThrow();
      await mailFan(deps, trx, whose, {
        kind: 'fan_help',
        letter:
          due === null
            ? {
                subject: 'How to get in',
                paragraphs: [
                  'Open a recipe on the blog, press “Enter as a member”, and type this address. You get a code.',
                  'Your membership itself is here:',
                ],
                button: { label: 'Your membership', url: accountUrl(deps, handle) },
              }
            : {
                subject: 'Your last payment didn’t go through',
                paragraphs: ['Pay what is due, and you read on at once.'],
                button: { label: 'Pay now', url: due },
              },
      });
      await noteChange(deps, trx, {
        ...whose,
        what: due === null ? 'Mailed how to get in.' : 'Mailed the page to pay on.',
      });
    });
    return { message: due === null ? 'We mailed them how to get in.' : 'We mailed them the page to pay on.' };
  });

  serve(app, deps, membersContract.cancelMember, ({ creatorId, params, body, inCreator }) =>
    changed(creatorId, async () => {
      const whose = { creatorId, contactId: params.memberId };
      await inCreator((trx) => needMember(trx, params.memberId));
      if (body.refund) {
        await refundMembership(needAccounts(deps), whose);
        return { message: 'Ended. They get back all they paid for it.' };
      }
      await cancelMembership(needAccounts(deps), whose);
      return { message: 'Canceled. They read on until the end of what they paid.' };
    }),
  );

  serve(app, deps, membersContract.getMemberPayment, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => needMember(trx, params.memberId));
    const { memberId: contactId, paymentId } = params;
    return describePayment(needAccounts(deps), { creatorId, contactId, paymentId });
  });

  serve(app, deps, membersContract.giveBackPayment, ({ creatorId, params, body, inCreator }) =>
    changed(creatorId, async () => {
      await inCreator((trx) => needMember(trx, params.memberId));
      const payment = { creatorId, contactId: params.memberId, paymentId: params.paymentId };
      await giveBackPart(needAccounts(deps), payment, body);
      return { message: `Given back${body.ends ? ', and ended' : ''}. They’re told by email.` };
    }),
  );

  serve(app, deps, membersContract.blockMember, ({ creatorId, params, body, inCreator }) =>
    changed(creatorId, async () => {
      const whose = { creatorId, contactId: params.memberId };
      await inCreator(async (trx) => {
        await needMember(trx, params.memberId);
        await block(deps, trx, whose);
        await endDevices(deps, trx, whose);
      });
      // Again where it failed before: whoever is blocked pays no longer.
      const paid = await findPaid(deps, whose);
      if (paid !== null) await (body.refund ? refundMembership : cancelMembership)(needAccounts(deps), whose);
      return { message: 'Blocked. They’re logged out, and pay nothing more.' };
    }),
  );

  serve(app, deps, membersContract.unblockMember, ({ creatorId, params, inCreator }) =>
    changed(creatorId, async () => {
      const whose = { creatorId, contactId: params.memberId };
      await inCreator(async (trx) => {
        await needMember(trx, params.memberId);
        await unblock(deps, trx, whose);
      });
      return { message: 'Let in again. What was canceled stays so.' };
    }),
  );

  serve(app, deps, locksContract.getLocks, ({ creatorId, inCreator }) =>
    inCreator((trx) => describeLocks(deps, trx, creatorId)),
  );

  serve(app, deps, locksContract.checkLocks, ({ creatorId, inCreator }) =>
    changed(creatorId, () => inCreator((trx) => checkSoon(deps, trx, creatorId))),
  );

  serve(app, deps, locksContract.listBlogLocks, ({ creatorId, query }) =>
    listLocksOfBlog(deps, creatorId, query.search ?? ''),
  );

  serve(app, deps, locksContract.changeBlogLock, ({ creatorId, body }) => changeLockOfBlog(deps, creatorId, body));

  serve(app, deps, locksContract.replaceSiteKey, ({ creatorId, inCreator }) =>
    changed(creatorId, () => inCreator((trx) => replaceHackedKey(deps, trx, creatorId))),
  );

  serve(app, deps, endContract.getMembershipEnd, ({ creatorId }) => describeEnd(deps, creatorId));

  serve(app, deps, endContract.endMemberships, ({ creatorId, body, signedIn, byEngine }) =>
    changed(creatorId, async () => {
      needAccounts(deps);
      await byEngine(async (trx) => {
        await checkHandle(trx, creatorId, body.handle);
        await beginEnd(trx, deps, { creatorId, userId: signedIn.user.id, way: body.way });
      });
      return describeEnd(deps, creatorId);
    }),
  );

  serve(app, deps, endContract.keepMemberships, ({ creatorId }) =>
    changed(creatorId, async () => {
      await keepMemberships(needAccounts(deps), creatorId);
      return describeEnd(deps, creatorId);
    }),
  );

  serve(app, deps, moneyContract.getMembersMoney, ({ inCreator }) => inCreator((trx) => readMoney(deps, trx)));

  serve(app, deps, moneyContract.listMoneyLines, ({ query, inCreator }) => inCreator((trx) => readLines(trx, query)));

  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    const options = { bodyLimit: MAX_BODY_BYTES, config: { webhook: 'stripe', crossSite: 'allowed' } } as const;
    raw.post('/webhooks/stripe/connect', options, async (request, reply) => {
      const { accounts } = deps;
      if (accounts === null) throw new AppError('not_found', 'No one pays creators on this Creator HQ.');
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = String(request.headers['stripe-signature'] ?? '');
      const event = accounts.platform.readConnectEvent(bytes, signature, deps.clock.now());
      if (event === null)
        throw new AppError('not_allowed', 'This call isn’t from Stripe, is too old, or the secret here is wrong.');
      await takeConnectEvent({ ...deps, accounts }, event);
      return reply.type('text/plain').send('OK');
    });
  });

  async function joinUrlOf(trx: CreatorTransaction, creatorId: string): Promise<string> {
    const { handle } = await trx
      .selectFrom('creators')
      .select('handle')
      .where('id', '=', creatorId)
      .executeTakeFirstOrThrow();
    return `${deps.config.baseUrl}/join/${encodeURIComponent(handle)}`;
  }

  async function changed<T>(creatorId: string, work: () => Promise<T>): Promise<T> {
    const done = await work();
    deps.live.publish(creatorId, { what: 'account' });
    return done;
  }

  /** @throws AppError not_found */
  async function needMember(trx: CreatorTransaction, contactId: string): Promise<void> {
    const passes = trx.selectFrom('passes').select('id').where('contact_id', '=', contactId).limit(1);
    if ((await passes.executeTakeFirst()) === undefined) throw neverMember();
  }
}

/** @throws AppError invalid_input: it has no price */
function priced<Input extends { month: number | null; year: number | null }>(input: Input): Input {
  if (input.month !== null || input.year !== null) return input;
  const message = 'Enter a price by the month, by the year, or both.';
  throw new AppError('invalid_input', message, { fields: [{ path: 'month', message }] });
}
