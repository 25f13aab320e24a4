/** From here on the sidebar stands beside the page. */
export const WIDE = '(min-width: 64rem)';
