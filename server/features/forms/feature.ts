import * as forms from '#contract/forms.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerForms } from './routes.ts';

export const feature: Feature = {
  contract: { forms },
  routes: registerForms,
  holds: {
    forms: { exported: { as: 'forms', without: ['wordings'] } },
  },
};
