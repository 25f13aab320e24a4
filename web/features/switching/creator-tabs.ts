/** The tabs of one browser tell each other when the session moves to another creator. */

/** A line to the other tabs; `listen` returns how to stop. */
export type CreatorTabs = {
  tellMoved(): void;
  listen(moved: () => void): () => void;
};

const NAME = 'creator-hq:session-moved';

/** Over BroadcastChannel, which keeps what it has for a tab that sleeps until that tab wakes up. */
export const creatorTabs: CreatorTabs = {
  tellMoved() {
    const channel = new BroadcastChannel(NAME);
    channel.postMessage('moved');
    channel.close();
  },
  listen(moved) {
    const channel = new BroadcastChannel(NAME);
    channel.onmessage = moved;
    return () => channel.close();
  },
};
