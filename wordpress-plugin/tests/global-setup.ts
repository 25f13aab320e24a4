import { prepareWordPress } from '#server/testing/wordpress.ts';

/** Fetched, unpacked and installed once, before the files that each start a site of it. */
export default async function setup(): Promise<void> {
  await prepareWordPress();
}
