/** The welcome series: emails one after the other to whoever says yes to the newsletter, from that moment on. */
import * as z from 'zod/mini';
import { EmailDesign } from '#contract/email-templates.ts';
import { endpoint } from '#contract/endpoint.ts';
import { BroadcastFigures } from '#contract/newsletters.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/** `days` after the one before, or after their yes; 0: at once. Else at this hour of the creator's day. */
const When = z.object({
  days: z.int().check(z.gte(0), z.lte(90)),
  hour: z.int().check(z.gte(0), z.lte(23)),
});

export const WelcomeMail = z.extend(When, {
  id: Id,
  version: z.int(),
  design: EmailDesign,
  figures: z.pick(BroadcastFigures, { sent: true, bounced: true, complained: true, unsubscribed: true, clicked: true }),
  changedBy: z.string(),
  changedAt: Timestamp,
});
export type WelcomeMail = z.infer<typeof WelcomeMail>;

export const WelcomeSeries = z.object({
  isOn: z.boolean(),
  mails: atMost(QUOTAS.welcome_mails.most, WelcomeMail),
  /** Contacts: on their way, at its end, and those who left before. */
  underWay: z.int(),
  done: z.int(),
  stopped: z.int(),
});
export type WelcomeSeries = z.infer<typeof WelcomeSeries>;

const ACCESS = { access: 'creator' } as const;
const MailParams = z.object({ creatorId: Id, welcomeMailId: Id });

export const getWelcomeSeries = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/welcome-series',
  summary: 'The welcome series: its emails in order, and how many contacts are in it',
  refreshedBy: ['account'],
  params: CreatorParams,
  response: WelcomeSeries,
});

export const switchWelcomeSeries = endpoint({
  ...ACCESS,
  method: 'PATCH',
  path: '/creators/:creatorId/welcome-series',
  needs: 'newsletter',
  summary: 'Turn the welcome series on, for who says yes from now on, or off, which ends it for everyone in it',
  params: CreatorParams,
  body: z.object({ isOn: z.boolean() }),
  response: WelcomeSeries,
  errors: ['invalid_input', 'not_possible_now'],
});

export const addWelcomeMail = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/welcome-series/mails',
  needs: 'newsletter',
  summary: 'Add an email at the end of the welcome series, with the live template',
  makes: true,
  quotas: ['welcome_mails'],
  params: CreatorParams,
  response: WelcomeSeries,
});

export const changeWelcomeMail = endpoint({
  ...ACCESS,
  method: 'PUT',
  path: '/creators/:creatorId/welcome-series/mails/:welcomeMailId',
  needs: 'newsletter',
  summary: 'Change an email of the welcome series, for contacts who have not got it yet',
  params: MailParams,
  body: z.extend(When, { version: z.int(), design: EmailDesign }),
  response: WelcomeSeries,
  errors: ['not_found', 'invalid_input', 'changed_meanwhile'],
});

export const deleteWelcomeMail = endpoint({
  ...ACCESS,
  method: 'DELETE',
  path: '/creators/:creatorId/welcome-series/mails/:welcomeMailId',
  needs: 'newsletter',
  summary: 'Delete an email of the welcome series',
  params: MailParams,
  response: WelcomeSeries,
  errors: ['not_found'],
});
