import type { Feature } from '#server/features/app-deps.ts';
import { registerLists } from './routes.ts';
import { registerShopButton } from './shop-button.ts';

export const feature: Feature = {
  routes: (app, deps) => {
    registerLists(app, deps);
    registerShopButton(app, deps);
  },
};
