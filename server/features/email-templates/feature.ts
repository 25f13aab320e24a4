import * as emailTemplates from '#contract/email-templates.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerEmailTemplates } from './routes.ts';

export const feature: Feature = {
  contract: { emailTemplates },
  routes: registerEmailTemplates,
  holds: {
    email_template_versions: { exported: { as: 'emailTemplateVersions' } },
    email_templates: { exported: { as: 'emailTemplates' } },
  },
};
