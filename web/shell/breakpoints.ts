/** From here on the sidebar stands beside the page. */
export const WIDE = '(min-width: 64rem)';
/** From here on filters and notices may stand above pictures; on a phone the pictures come first. */
export const ROOMY = '(min-width: 40rem)';
