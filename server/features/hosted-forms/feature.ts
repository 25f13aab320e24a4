import type { Feature } from '#server/features/app-deps.ts';
import { readSavedPage } from './blog-pages.ts';
import { registerHostedForms } from './routes.ts';

export const feature: Feature = {
  routes: registerHostedForms,
  jobs: [readSavedPage],
  holds: {
    script_pages: { exported: { leftOut: 'copies of what the blog says' }, ages: [{ keep: 1, at: 'read_at' }] },
  },
};
