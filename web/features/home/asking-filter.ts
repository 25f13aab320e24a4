/** Posts whose caption asks for a word while nothing replies: home shows how many there are. */
export const ASKING = { automation: 'asks', limit: 1 } as const;
