import type { Feature } from '#server/features/app-deps.ts';
import { checkMailServer, checkReturnPath } from './mail-checks.ts';
import { mailOurselves } from './round-trip.ts';

export const feature: Feature = { jobs: [checkMailServer, checkReturnPath, mailOurselves] };
