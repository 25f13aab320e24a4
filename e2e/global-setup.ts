import { buildWebApps } from '../scripts/build.ts';

/** The journeys use the app as users get it: built. */
export default async function buildForJourneys(): Promise<void> {
  await buildWebApps(console.log);
}
