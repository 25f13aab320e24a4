/** The tabs of one browser tell each other when the session moves to another creator. */

/** A line to the other tabs; `listen` returns how to stop. */
export type CreatorTabs = {
  tellMoved(): void;
  listen(moved: () => void): () => void;
};

const NAME = 'creator-hq:session-moved';

/** Over BroadcastChannel. A browser without it finds out when a tab is looked at again. */
export const creatorTabs: CreatorTabs = {
  tellMoved() {
    if (typeof BroadcastChannel === 'undefined') return;
    const channel = new BroadcastChannel(NAME);
    channel.postMessage('moved');
    channel.close();
  },
  listen(moved) {
    if (typeof BroadcastChannel === 'undefined') return () => {};
    const channel = new BroadcastChannel(NAME);
    channel.onmessage = moved;
    return () => channel.close();
  },
};
