import { prepareWordPress } from '#server/testing/wordpress.ts';
import { buildFormScript } from '../../scripts/build.ts';

/** Fetched, unpacked and installed once, before the files that each start a site of it. */
export default async function setup(): Promise<void> {
  await Promise.all([prepareWordPress('6.2'), buildFormScript()]);
}
