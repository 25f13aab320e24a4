/** Names a post by the beginning of its caption, cut at a word; "Post without caption" when it has none. */
export function postTitle(caption: string, maxCharacters = 80): string {
  const line = caption
    .split('\n')
    .map((part) => part.trim())
    .find((part) => part !== '');
  if (line === undefined) return 'Post without caption';
  if (line.length <= maxCharacters) return line;
  const cut = line.slice(0, maxCharacters);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxCharacters / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** "Reel", "Carousel", "Post": as creators call them. */
export function kindOf(post: { mediaType: string | null; productType: string | null }): string {
  if (post.productType === 'REELS') return 'Reel';
  if (post.mediaType === 'CAROUSEL_ALBUM') return 'Carousel';
  return 'Post';
}
