/** Where a short link stands; it is in the address, so that what was sent long ago is known by it, too. */
export const LINK_CHANNELS = ['dm', 'mail', 'blog', 'bio', 'qr', 'story', 'other'] as const;
export type LinkChannel = (typeof LINK_CHANNELS)[number];
