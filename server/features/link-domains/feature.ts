import * as linkDomains from '#contract/link-domains.ts';
import type { RecurringJob } from '#server/db/jobs.ts';
import type { Feature, JobDeps } from '#server/features/app-deps.ts';
import { checkDue } from './domains.ts';
import { registerLinkDomains } from './routes.ts';

const checkDomains: RecurringJob<JobDeps> = { name: 'check-link-domains', everyMs: 60_000, run: checkDue };

export const feature: Feature = {
  contract: { linkDomains },
  routes: registerLinkDomains,
  jobs: [checkDomains],
  holds: { link_domains: { exported: { as: 'linkDomains', without: ['token'] } } },
};
