/** How long Meta takes answers. */
const HOUR_MS = 3_600_000;

/** One private reply within 7 days of the comment [D S-igpr]. */
export const PRIVATE_REPLY_WINDOW_MS = 7 * 24 * HOUR_MS;
/** Comments in a live can be answered while it runs; until we hear of its end we believe no live is longer [R]. */
export const LIVE_REPLY_WINDOW_MS = 4 * HOUR_MS;
/** Messages after the person last wrote [D]. */
export const MESSAGE_WINDOW_MS = 24 * HOUR_MS;
/** The same with the tag HUMAN_AGENT, for what somebody of the team writes [D]. */
export const HUMAN_AGENT_WINDOW_MS = 7 * 24 * HOUR_MS;
