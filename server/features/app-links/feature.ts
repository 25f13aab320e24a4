import * as appLinkReading from '#contract/app-link-reading.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerAppLinks } from './routes.ts';

export const feature: Feature = { contract: { appLinkReading }, routes: registerAppLinks };
