/** Who a request comes from, as routes see it. Made by server/features/people. */
import type { Scope } from '#contract/api-tokens.ts';

export type SignedIn = {
  sessionId: string;
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    /** Has an admin's rights now. */
    isAdmin: boolean;
    /** Is an admin, and has those rights once two-step login is on. */
    needsTwoStep: boolean;
    image: string | null;
    twoFactorEnabled: boolean;
  };
  /** The creator whose screens are shown; null before account-setup. */
  currentCreatorId: string | null;
  /** The creator of theirs that the session is at: another one only while an admin is inside an account. */
  ownCreatorId: string | null;
  /** The visit of an admin inside `currentCreatorId`, while it lasts. */
  adminVisit: { id: string; creatorId: string; until: Date; reason: string } | null;
};

/** A blog's plugin, by its key. `site`: the one that is believed to be the creator's; null: none was heard of. */
export type PluginCaller = { keyId: string; creatorId: string; handle: string; site: { id: string } | null };

/** A person's tool: it acts for them in one creator, within these scopes. */
export type TokenCaller = { signedIn: SignedIn; creatorId: string; scopes: Scope[] };
