/** A creator's plan: their owners pay us. */
import type Stripe from 'stripe';
import type { Life } from '#e2e/chaos/engine/life.ts';
import { atStripe, collectEvidence, customersOf, type MoneyWorld } from '#e2e/chaos/money/at-stripe.ts';
import { judgeMoney } from '#e2e/chaos/money/oracle.ts';
import { SimulatedPlay } from '#e2e/chaos/money/play-schedule.ts';
import { type MoneyProgram, ProgramPlay } from '#e2e/chaos/money/processes.ts';
import { CARDS, PLANS, type PlanAct, type PlanWhat, type PlayedMoney, playThrough } from '#e2e/chaos/money/schedule.ts';
import { later } from '#server/db/jobs.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { changePlan, previewChange } from '#server/features/billing/changing.ts';
import { readCheckout, startCheckout } from '#server/features/billing/checkout.ts';
import { cancelPlan, followDeletion, keepPlan, refundPlan } from '#server/features/billing/ending.ts';
import { findBought } from '#server/features/billing/subscriptions.ts';
import { takeEvent } from '#server/features/billing/sync.ts';
import { type BillingWorld, JOBS, sessionOf } from '#server/features/billing/testing/billing-world.ts';
import type { StripeClient } from '#server/platforms/stripe/client.ts';

const LEAVES_AFTER_MS = 30 * 86_400_000;

export const playMoneySchedule = (stage: BillingWorld, seed: number): Promise<PlayedMoney> =>
  playThrough(new PlanPlay(stage, JOBS), seed);

type PlanDeps = JobDeps & { stripe: StripeClient };

class PlanPlay extends SimulatedPlay<PlanAct, PlanWhat, PlanDeps> {
  readonly side = PLANS;
  private page: string | null = null;

  protected get world(): MoneyWorld {
    const { control, stripe } = this.stage;
    return { control, stripe, db: this.db, now: () => this.now() };
  }

  protected depsOf(life: Life<StripeClient>, deps: JobDeps): PlanDeps {
    return { ...deps, stripe: life.platform };
  }

  protected takeEvent(deps: PlanDeps, event: Stripe.Event): Promise<void> {
    return takeEvent(deps, event);
  }

  protected async atStripe(what: PlanWhat): Promise<void> {
    return atStripe(this.world, await this.customers(), what);
  }

  protected customers(): Promise<string[]> {
    return customersOf(this.world, this.creatorId);
  }

  protected async evidence() {
    const evidence = await collectEvidence(this.world, this.creatorId, this.givenBack);
    return { findings: judgeMoney(evidence), money: evidence.money };
  }

  protected async act(deps: PlanDeps, act: PlanAct): Promise<void> {
    const { creatorId } = this;
    switch (act.do) {
      case 'begin':
        this.page = (await startCheckout(deps, creatorId, act.wish)).url;
        return;
      case 'pay':
        if (this.page !== null) {
          const fields = { email: 'anna@example.com', name: 'Anna', number: CARDS[act.card], code: '' };
          await this.stage.submit(this.page, fields);
        }
        return;
      case 'look':
        if (this.page !== null) await readCheckout(deps, creatorId, sessionOf(this.page));
        return;
      case 'change': {
        const { token } = await previewChange(deps, creatorId, act.wish);
        await changePlan(deps, creatorId, token);
        return;
      }
      case 'cancel':
        return cancelPlan(deps, creatorId, null);
      case 'keep':
        return keepPlan(deps, creatorId);
      case 'refund': {
        const id = (await findBought(deps, creatorId))?.stripe_subscription_id;
        await refundPlan(deps, creatorId);
        if (id !== undefined) this.givenBack.push(id);
        return;
      }
      default: {
        const leavesAt = act.do === 'stay' ? null : new Date(deps.clock.now().getTime() + LEAVES_AFTER_MS);
        await this.db.transaction().execute(async (trx) => {
          await trx.updateTable('creators').set({ delete_at: leavesAt }).where('id', '=', creatorId).execute();
          await later(trx, deps, followDeletion, { creatorId });
        });
      }
    }
  }
}

const PROGRAM_LEAVES_AFTER_MS = 14 * 86_400_000;

export const playMoneyWithProgram = (world: MoneyProgram, seed: number): Promise<PlayedMoney> =>
  playThrough(new PlanProgramPlay(world, seed), seed);

class PlanProgramPlay extends ProgramPlay<PlanAct, PlanWhat> {
  readonly side = PLANS;
  private page: string | null = null;

  protected get world(): MoneyWorld {
    return this.ours;
  }

  protected async atStripe(what: PlanWhat): Promise<void> {
    return atStripe(this.world, await this.customers(), what);
  }

  protected customers(): Promise<string[]> {
    return customersOf(this.world, this.creatorId);
  }

  protected async evidence() {
    const evidence = await collectEvidence(this.world, this.creatorId, this.givenBack);
    return { findings: judgeMoney(evidence), money: evidence.money };
  }

  protected async act(act: PlanAct): Promise<void> {
    switch (act.do) {
      case 'begin':
        this.page = (await this.call<{ url: string }>('POST', '/checkouts', act.wish))?.url ?? this.page;
        return;
      case 'pay':
        if (this.page !== null) {
          const fields = { email: 'anna@example.com', name: 'Anna', number: CARDS[act.card], code: '' };
          await fetch(this.page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
        }
        return;
      case 'look':
        if (this.page !== null) await this.call('GET', `/checkouts/${this.page.split('/').at(-1)}`);
        return;
      case 'change': {
        const shown = await this.call<{ token: string }>('POST', '/subscriptions/preview', act.wish);
        if (shown !== null) await this.call('POST', '/subscriptions/change', { token: shown.token });
        return;
      }
      case 'cancel':
        await this.call('POST', '/subscriptions/cancel', { reason: null });
        return;
      case 'keep':
        await this.call('POST', '/subscriptions/keep', {});
        return;
      case 'refund': {
        const id = await this.boughtId();
        const isDone = (await this.call('POST', '/subscriptions/refund', {})) !== null;
        if (isDone && id !== null) this.givenBack.push(id);
        return;
      }
      default: {
        const leavesAt = act.do === 'stay' ? null : new Date((await this.now()).getTime() + PROGRAM_LEAVES_AFTER_MS);
        await this.db.updateTable('creators').set({ delete_at: leavesAt }).where('id', '=', this.creatorId).execute();
      }
    }
  }

  private async boughtId(): Promise<string | null> {
    const row = this.db.selectFrom('subscriptions').select('stripe_subscription_id');
    return (await row.where('creator_id', '=', this.creatorId).executeTakeFirst())?.stripe_subscription_id ?? null;
  }
}
