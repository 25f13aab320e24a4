/** Readers of a creator who pay in the creator's own account. */
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import * as stripeAccount from '#contract/stripe-account.ts';
import { createTier } from '#contract/tiers.ts';
import type { Life } from '#e2e/chaos/engine/life.ts';
import {
  atStripe,
  collectFansEvidence,
  customersOfReader,
  type MoneyWorld,
  type ReaderSaid,
} from '#e2e/chaos/money/at-stripe.ts';
import { judgeFans } from '#e2e/chaos/money/oracle.ts';
import { SimulatedPlay } from '#e2e/chaos/money/play-schedule.ts';
import { type MoneyProgram, ProgramPlay } from '#e2e/chaos/money/processes.ts';
import {
  CARDS,
  FANS,
  type FanAct,
  type FanWhat,
  type PlayedMoney,
  playThrough,
  type Reader,
} from '#e2e/chaos/money/schedule.ts';
import { systemIds } from '#server/clock.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { sessionOf } from '#server/features/billing/testing/billing-world.ts';
import { beginAccount, checkAccount } from '#server/features/fans/accounts.ts';
import * as ending from '#server/features/fans/ending.ts';
import { takeConnectEvent } from '#server/features/fans/events.ts';
import type { FanDeps } from '#server/features/fans/fan-deps.ts';
import { startJoining, takePayment } from '#server/features/fans/joining.ts';
import { describePayment, giveBackPart } from '#server/features/fans/refunds.ts';
import { type FanWorld, JOBS } from '#server/features/fans/testing/fan-world.ts';
import { makeTier } from '#server/features/fans/tiers.ts';
import { hostCookieName } from '#server/http/cookies.ts';
import { connectEventOf, createStripeAccounts, type StripeClient } from '#server/platforms/stripe/client.ts';
import { FRIENDS } from '#server/testing/inputs.ts';

export const playFansSchedule = (stage: FanWorld, seed: number): Promise<PlayedMoney> =>
  playThrough(new FansPlay(stage), seed);

/** What readers of a schedule opened and said. */
class Readers {
  readonly said: [ReaderSaid, ReaderSaid];
  private readonly pages: [string[], string[]] = [[], []];
  /** How often each wished that it goes on. */
  private readonly wishes: [number, number] = [0, 0];

  /** @param creatorId in their addresses: a mail tells whose it is */
  constructor(creatorId: string) {
    const of = (name: string): ReaderSaid => ({ email: `${name}.${creatorId}@example.com`, endsSaidAt: null });
    this.said = [of('anna'), of('ben')];
  }

  emailOf(reader: Reader): string {
    return this.said[reader].email;
  }

  open(reader: Reader, page: string | null): void {
    if (page !== null && !this.pages[reader].includes(page)) this.pages[reader].push(page);
  }

  /** @param tab 0: the last, 1: the one before */
  pageOf(reader: Reader, tab: 0 | 1): string | undefined {
    return this.pages[reader].at(-1 - tab);
  }

  /**
   * That it goes on, or begins anew, counts from the wish, whose answer may be lost; that it ends once they are told so, if they
   * wished nothing else since, nor at the same time.
   */
  async hear(act: FanAct, now: () => Date | Promise<Date>, done: Promise<boolean>): Promise<void> {
    const said = this.said[act.reader];
    const at = (await now()).getTime() / 1000;
    const goesOn = () => {
      this.wishes[act.reader]++;
      if (act.do === 'keep') said.endsSaidAt = null;
    };
    if (act.do === 'keep' || act.do === 'pay') goesOn();
    // What is bought now is none of what they spoke of.
    if (act.do === 'pay' && said.endsSaidAt !== null) said.endsSaidAt = Math.min(said.endsSaidAt, at - 1);
    const wished = this.wishes[act.reader];
    const isDone = await done.finally(() => act.do === 'keep' && goesOn());
    if (isDone && ENDS.includes(act.do) && this.wishes[act.reader] === wished) {
      said.endsSaidAt = (await now()).getTime() / 1000;
    }
  }
}

const ENDS: readonly FanAct['do'][] = ['cancel', 'declare', 'withdraw'];

async function customersOfReaders(world: MoneyWorld, readers: Readers): Promise<string[]> {
  return (await Promise.all(readers.said.map(({ email }) => customersOfReader(world, email)))).flat();
}

async function judged(world: MoneyWorld, creatorId: string, { said }: Readers, givenBack: string[]) {
  const evidence = await collectFansEvidence(world, creatorId, { readers: said, givenBack });
  return { findings: judgeFans(evidence), money: evidence.readers.flatMap(({ money }) => money) };
}

async function contactOf(db: MoneyWorld['db'], email: string): Promise<string | null> {
  const row = db.selectFrom('contacts').select('id').where('email_key', '=', email);
  return (await row.executeTakeFirst())?.id ?? null;
}

/** Cents of a payment. */
const PART = 100;

/** @returns the line of money of what they paid last; 'none' */
async function newestPayment(
  db: MoneyWorld['db'],
  { creatorId, contactId }: { creatorId: string; contactId: string },
): Promise<string> {
  const lines = db.selectFrom('money_lines').select('id').where('creator_id', '=', creatorId);
  const theirs = lines.where('contact_id', '=', contactId).where('category', '=', 'charge').orderBy('at', 'desc');
  return (await theirs.executeTakeFirst())?.id ?? 'none';
}

type Deps = JobDeps & FanDeps;

class FansPlay extends SimulatedPlay<FanAct, FanWhat, Deps> {
  readonly side = FANS;
  private account!: string;
  private tiers!: [string, string];
  private readers!: Readers;
  private visitors = 0;
  private readonly fanStage: FanWorld;

  constructor(stage: FanWorld) {
    super(stage, JOBS);
    this.fanStage = stage;
  }

  override async begin(): Promise<void> {
    await super.begin();
    const { app, deps, submit } = this.fanStage;
    const { creatorId } = this;
    this.readers = new Readers(creatorId);
    await submit(await beginAccount(deps, creatorId), { act: 'submit', state: 'ready' });
    const row = await checkAccount(deps, creatorId);
    this.account = row!.account_id;
    const make = (trialDays: number) =>
      app.db.withCreator(creatorId, (trx) => makeTier(deps, trx, { creatorId, ...FRIENDS, trialDays }));
    this.tiers = [await make(0), await make(7)];
  }

  protected get world(): MoneyWorld & { inAccount: { stripeAccount: string } } {
    const { control, stripe } = this.stage;
    return { control, stripe, db: this.db, now: () => this.now(), inAccount: { stripeAccount: this.account } };
  }

  protected depsOf(life: Life<StripeClient>, deps: JobDeps): Deps {
    const { of } = createStripeAccounts(deps.config.fanStripe!);
    return { ...deps, stripe: null, accounts: { platform: life.platform, of: (account) => life.over(of(account)) } };
  }

  protected takeEvent(deps: Deps, event: Stripe.Event): Promise<void> {
    return takeConnectEvent(deps, connectEventOf(event));
  }

  protected async atStripe({ reader, does }: FanWhat): Promise<void> {
    return atStripe(this.world, await customersOfReader(this.world, this.readers.emailOf(reader)), does);
  }

  protected customers(): Promise<string[]> {
    return customersOfReaders(this.world, this.readers);
  }

  protected evidence() {
    return judged(this.world, this.creatorId, this.readers, this.givenBack);
  }

  protected async act(deps: Deps, act: FanAct): Promise<void> {
    await this.readers.hear(
      act,
      () => this.now(),
      this.do(deps, act).then(() => true),
    );
  }

  private async do(deps: Deps, act: FanAct): Promise<void> {
    const { creatorId, readers } = this;
    const creator = { id: creatorId, handle: creatorId };
    const { reader } = act;
    const email = readers.emailOf(reader);
    const ip = `10.0.${++this.visitors >> 8}.${this.visitors & 255}`;
    switch (act.do) {
      case 'join': {
        const wish = { email, tierId: this.tiers[act.tier], interval: act.interval, begun: null, ip };
        return readers.open(reader, await startJoining(deps, creator, wish));
      }
      case 'pay': {
        const page = readers.pageOf(reader, act.tab);
        if (page !== undefined) await this.stage.submit(page, { name: 'Anna', number: CARDS[act.card], code: '' });
        return;
      }
      case 'look': {
        const page = readers.pageOf(reader, act.tab);
        if (page !== undefined) await takePayment(deps, creatorId, sessionOf(page));
        return;
      }
      case 'declare':
      case 'withdraw': {
        const what = act.do === 'declare' ? 'cancel' : 'withdraw';
        return ending.declareEnd(deps, creator, { what, email, name: 'Anna', ip });
      }
    }
    const whose = { creatorId, contactId: (await contactOf(this.db, email)) ?? creatorId };
    switch (act.do) {
      case 'cancel':
        return ending.cancelMembership(deps, whose);
      case 'keep':
        return ending.keepMembership(deps, whose);
      case 'refund': {
        const paid = await ending.findPaid(deps, whose);
        await ending.refundMembership(deps, whose);
        if (paid !== null) this.givenBack.push(paid.subscription);
        return;
      }
      case 'give a part back': {
        const payment = { ...whose, paymentId: await newestPayment(this.db, whose) };
        const { left } = await describePayment(deps, payment);
        return giveBackPart(deps, payment, { amount: PART, left, ends: false });
      }
      case 'mend': {
        const page = await ending.findDue(deps, whose);
        if (page !== null) await this.stage.submit(page, { number: CARDS.good });
      }
    }
  }
}

export const playFansWithProgram = (world: MoneyProgram, seed: number): Promise<PlayedMoney> =>
  playThrough(new FansProgramPlay(world, seed), seed);

class FansProgramPlay extends ProgramPlay<FanAct, FanWhat> {
  readonly side = FANS;
  private account!: string;
  private tiers!: [string, string];
  private readers!: Readers;
  /** Of readers who entered at the hub, by their contact. */
  private readonly cookies = new Map<string, string>();

  override async begin(): Promise<void> {
    await super.begin();
    this.readers = new Readers(this.creatorId);
    const { url } = await this.need<{ url: string }>(stripeAccount.connectStripeAccount.path, {});
    await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ act: 'submit', state: 'ready' }),
      redirect: 'manual',
    });
    const { accountId } = await this.need<{ accountId: string }>(stripeAccount.checkStripeAccount.path, {});
    this.account = accountId;
    const make = async (trialDays: number) =>
      (await this.need<{ id: string }>(createTier.path, { ...FRIENDS, trialDays })).id;
    this.tiers = [await make(0), await make(7)];
  }

  protected get world(): MoneyWorld {
    return { ...this.ours, inAccount: { stripeAccount: this.account } };
  }

  protected async atStripe({ reader, does }: FanWhat): Promise<void> {
    return atStripe(this.world, await customersOfReader(this.world, this.readers.emailOf(reader)), does);
  }

  protected customers(): Promise<string[]> {
    return customersOfReaders(this.world, this.readers);
  }

  protected evidence() {
    return judged(this.world, this.creatorId, this.readers, this.givenBack);
  }

  protected async act(act: FanAct): Promise<void> {
    await this.readers.hear(act, () => this.now(), this.do(act));
  }

  /** @returns whether they were told that it is done */
  private async do(act: FanAct): Promise<boolean> {
    const { readers } = this;
    const { reader } = act;
    const email = readers.emailOf(reader);
    switch (act.do) {
      case 'join': {
        const said = await this.visit('', { email, choice: `${this.tiers[act.tier]} ${act.interval}` });
        readers.open(reader, said?.location ?? null);
        return true;
      }
      case 'pay':
        await payOn(readers.pageOf(reader, act.tab), CARDS[act.card]);
        return true;
      case 'look': {
        const page = readers.pageOf(reader, act.tab);
        if (page !== undefined) await this.ask('GET', `${this.at}/done?session_id=${sessionOf(page)}`, {});
        return true;
      }
      case 'declare':
      case 'withdraw':
        return (
          (await this.visit(act.do === 'declare' ? '/cancel' : '/withdraw', { email, name: 'Anna' }))?.status === 200
        );
    }
    const contact = await contactOf(this.db, email);
    if (contact === null) return false;
    if (act.do === 'refund') {
      const paid = await ending.findPaid({ db: this.here.database }, { creatorId: this.creatorId, contactId: contact });
      const isDone = (await this.call('POST', `/members/${contact}/cancel`, { refund: true })) !== null;
      if (isDone && paid !== null) this.givenBack.push(paid.subscription);
      return isDone;
    }
    if (act.do === 'give a part back') {
      const paymentId = await newestPayment(this.db, { creatorId: this.creatorId, contactId: contact });
      const payment = await this.call<{ left: number }>('GET', `/members/${contact}/payments/${paymentId}`);
      const wish = { amount: PART, left: payment?.left ?? 0, ends: false };
      return (await this.call('POST', `/members/${contact}/payments/${paymentId}/refunds`, wish)) !== null;
    }
    const said = await this.visit('/account', { act: act.do === 'mend' ? 'pay' : act.do }, await this.enter(contact));
    if (act.do === 'mend' && said?.location?.includes('/invoice/') === true) await payOn(said.location, CARDS.good);
    return said?.status === 303;
  }

  private get at(): string {
    return `/join/${this.creatorId}`;
  }

  private visit(where: string, fields: Record<string, string>, cookie = '') {
    const headers = {
      ...{ 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', cookie },
      'x-forwarded-for': `10.0.${this.random.between(0, 255)}.${this.random.between(0, 255)}`,
    };
    return this.ask('POST', this.at + where, { headers, body: new URLSearchParams(fields).toString() });
  }

  /** As a code would. @returns the cookie */
  private async enter(contactId: string): Promise<string> {
    const known = this.cookies.get(contactId);
    if (known !== undefined) return known;
    const [id, now] = [systemIds.uuid(await this.now()), await this.now()];
    const secret_hash = createHash('sha256').update('secret').digest('base64url');
    const row = { creator_id: this.creatorId, id, contact_id: contactId, site_id: null, secret_hash };
    await this.db
      .insertInto('fan_devices')
      .values({ ...row, entered_at: now, seen_at: now })
      .execute();
    const cookie = `${hostCookieName(this.here.baseUrl, `chq_fan_${this.creatorId.slice(0, 8)}`)}=${id}.secret`;
    this.cookies.set(contactId, cookie);
    return cookie;
  }

  /** Before anything breaks. */
  private async need<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await this.call<Answer>('POST', path.replace('/creators/:creatorId', ''), body);
    if (answer === null) throw new Error(`${path} was refused.`);
    return answer;
  }
}

async function payOn(page: string | undefined, number: string): Promise<void> {
  if (page === undefined) return;
  const fields = { email: 'anna@example.com', name: 'Anna', number, code: '' };
  await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}
