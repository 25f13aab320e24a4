/** Short links that strangers reported, and what the operator does about them. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/** What a stranger may say of a link. */
export const REPORT_REASONS = {
  scam: 'It’s a scam or pretends to be someone else',
  harmful: 'It leads to something harmful or illegal',
  spam: 'It’s spam',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;

/** The last of a link are kept. */
export const REASONS_KEPT = 20;

const ReportedLink = z.object({
  code: z.string(),
  /** Where it leads now. */
  url: z.string(),
  creatorId: Id,
  handle: z.string(),
  times: z.int(),
  reasons: atMost(REASONS_KEPT, z.enum(Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]])),
  lastReportedAt: z.nullable(Timestamp),
  /** `all`: every link of its creator. */
  stopped: z.enum(['no', 'this', 'all']),
  why: z.string(),
});
export type ReportedLink = z.infer<typeof ReportedLink>;

const params = z.object({ linkCode: z.string().check(z.maxLength(20)) });
const Message = z.object({ message: z.string() });

export const adminListReportedLinks = endpoint({
  method: 'GET',
  path: '/admin/reported-links',
  access: 'admin',
  summary: 'Short links that were reported or stopped, the latest first',
  query: z.object(PageQuery),
  response: pageOf(ReportedLink),
  errors: ['invalid_input'],
});

export const adminStopLink = endpoint({
  method: 'POST',
  path: '/admin/reported-links/:linkCode/stop',
  access: 'admin',
  summary: 'Stop a short link, or all of its creator; they get an email with the reason',
  params,
  body: z.object({
    all: z.boolean(),
    why: z.string().check(z.trim(), z.minLength(10, 'Enter a reason. The creator will see it.'), z.maxLength(500)),
  }),
  response: Message,
  errors: ['not_found', 'invalid_input'],
});

export const adminAllowLink = endpoint({
  method: 'POST',
  path: '/admin/reported-links/:linkCode/allow',
  access: 'admin',
  summary: 'Let a stopped short link, and all of its creator, work again; they get an email',
  params,
  response: Message,
  errors: ['not_found'],
});

export const adminDismissReports = endpoint({
  method: 'POST',
  path: '/admin/reported-links/:linkCode/dismiss',
  access: 'admin',
  summary: 'Dismiss the reports of a short link',
  params,
  response: Message,
  errors: ['not_found'],
});
