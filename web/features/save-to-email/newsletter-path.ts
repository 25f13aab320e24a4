import { paths } from '#web/paths.ts';

/** The list; one of them below it, by its id. Not among `paths`, which every first screen loads. */
export const NEWSLETTER_PATH = `${paths.saveToEmail}/newsletter`;
