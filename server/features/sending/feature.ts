import * as sending from '#contract/sending.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { checkDueDomains } from './domain-checks.ts';
import { registerSending } from './routes.ts';

export const feature: Feature = {
  contract: { sending },
  routes: registerSending,
  jobs: [checkDueDomains],
  holds: {
    senders: { exported: { as: 'senders' }, requests: 'insert select update' },
    mail_servers: { exported: { as: 'mailServer', without: ['password'] } },
    sending_domains: { exported: { as: 'sendingDomains', without: ['private_key'] } },
  },
};
