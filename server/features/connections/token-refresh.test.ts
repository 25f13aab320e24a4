import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { open } from '#server/secrets.ts';
import { tokenFor } from './account-tokens.ts';
import type * as queries from './queries.ts';
import { storeToken } from './store-connection.ts';
import {
  type Creator,
  connectInstagram,
  connectionsOf,
  connectPage,
  createMetaTestApp,
  type MetaTestApp,
  seededCreator,
  signIn,
  speakerOf,
  tokensOf,
} from './testing/meta-app.ts';
import { refreshDueTokens } from './token-refresh.ts';

const DAY_MS = 24 * 3600_000;

let test: MetaTestApp;
let creator: Creator;

// Each has an application of its own: weeks pass here, and no session made afterwards would be young enough.
beforeEach(async () => {
  test = await createMetaTestApp();
  creator = await seededCreator(test);
});
afterEach(() => test.close());

const rows = () => connectionsOf(test, creator);
const tokens = () => tokensOf(test, creator);
const speaker = () => speakerOf(test, creator);

describe('renewing sign-ins', () => {
  it('leaves a young sign-in alone', async () => {
    await connectInstagram(test, creator);
    const [before] = await tokens();
    await test.advanceBoth(30 * DAY_MS);
    await refreshDueTokens(test.deps);
    expect(await tokens()).toEqual([before]);
  });
  it('renews it twenty days before its end, for another sixty, and only once a day', async () => {
    await connectInstagram(test, creator);
    const [before] = await tokens();
    await test.advanceBoth(41 * DAY_MS);
    await refreshDueTokens(test.deps);
    const [after] = await tokens();
    expect(after!.expires_at!.getTime() - before!.expires_at!.getTime()).toBeGreaterThan(40 * DAY_MS);
    expect(open(test.deps.keys.encryptionKeys, after!.secret)).not.toBe(
      open(test.deps.keys.encryptionKeys, before!.secret),
    );
    await refreshDueTokens(test.deps);
    expect(await tokens()).toEqual([after]);
    expect((await rows())[0]?.requires_auth_at).toBeNull();
  });
  it('renews it a second after it has twenty days left, not at that second and not before', async () => {
    await connectInstagram(test, creator);
    const renewedAt = async () => {
      await refreshDueTokens(test.deps);
      return (await tokens())[0]!.refreshed_at;
    };
    const { expires_at } = (await tokens())[0]!;
    await test.advanceBoth(expires_at!.getTime() - 20 * DAY_MS - 1000 - test.clock.now().getTime());
    const found = [await renewedAt()];
    for (let seconds = 0; seconds < 2; seconds++) {
      await test.advanceBoth(1000);
      found.push(await renewedAt());
    }
    expect(found).toEqual([null, null, test.clock.now()]);
  });
  it.each([
    ['answers with a page of HTML', { kind: 'html', status: 502 }],
    ['limits the rate', { kind: 'error', code: 4 }],
    ['has a hiccup', { kind: 'error', code: 2 }],
    ['refuses it for no known reason', { kind: 'error', code: 100 }],
  ] as const)(
    'a renewal that fails once, for Meta %s, leaves the sign-in as it is and is tried again',
    async (_how, action) => {
      await connectInstagram(test, creator);
      await test.advanceBoth(41 * DAY_MS);
      const before = await tokens();
      await test.meta.control.addFault({ match: { operation: 'token_refresh' }, action, times: 1 });
      await refreshDueTokens(test.deps);
      expect(await tokens()).toEqual(before);
      expect((await rows())[0]?.requires_auth_at).toBeNull();
      expect(await speaker()).not.toBeNull();
      await refreshDueTokens(test.deps);
      expect((await tokens())[0]?.refreshed_at).toEqual(test.clock.now());
    },
  );
  it('tries again when Meta is away', async () => {
    await connectInstagram(test, creator);
    await test.advanceBoth(41 * DAY_MS);
    await test.meta.control.addFault({ match: { operation: 'token_refresh' }, action: { kind: 'html', status: 502 } });
    await refreshDueTokens(test.deps);
    expect((await rows())[0]?.requires_auth_at).toBeNull();
    await refreshDueTokens(test.deps);
    expect((await tokens())[0]?.refreshed_at).not.toBeNull();
  });
  it('asks the creator to sign in when the token has died, with the reason', async () => {
    await connectInstagram(test, creator);
    await test.advanceBoth(41 * DAY_MS);
    await test.meta.control.killTokens({ subjectId: creator.seeded.instagramAccountId, reason: 'password_changed' });
    await refreshDueTokens(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'password_changed' }]);
    expect(test.changes).toHaveLength(1);
    expect(await speaker()).toBeNull();
  });
  it('asks the creator to sign in when it ended unnoticed', async () => {
    await connectInstagram(test, creator);
    await test.advanceBoth(61 * DAY_MS);
    await refreshDueTokens(test.deps);
    expect(await rows()).toMatchObject([{ requires_auth_reason: 'expired' }]);
  });
  it.each([
    [
      'has died',
      () => test.meta.control.killTokens({ subjectId: creator.seeded.instagramAccountId, reason: 'invalid' }),
    ],
    ['was renewed', async () => undefined],
  ])('keeps the sign-in that came while Meta said that the one before %s', async (_what, happens) => {
    await connectInstagram(test, creator);
    await test.advanceBoth(41 * DAY_MS);
    await happens();
    const kind = 'INSTAGRAM_BUSINESS_USER';
    const subjectId = creator.seeded.instagramAccountId;
    const { instagramRefresh } = test.deps.meta;
    let signedInAgain: queries.TokenRow | undefined;
    using _ = vi.spyOn(test.deps.meta, 'instagramRefresh').mockImplementationOnce(async (token) => {
      const answer = await instagramRefresh(token);
      const { token: fresh } = await test.meta.control.issueToken({ kind, subjectId });
      const sixtyDays = new Date(test.clock.now().getTime() + 60 * DAY_MS);
      await test.db.withCreator(creator.creatorId, (trx) =>
        storeToken(test.deps, trx, creator.creatorId, {
          kind,
          subjectId,
          token: fresh,
          scopes: [],
          expiresAt: sixtyDays,
        }),
      );
      [signedInAgain] = await tokens();
      return answer;
    });
    await refreshDueTokens(test.deps);
    expect(await tokens()).toEqual([signedInAgain]);
    expect((await rows())[0]?.requires_auth_at).toBeNull();
  });
  it('lets the Page speak when the own sign-in has ended', async () => {
    await connectInstagram(test, creator);
    await connectPage(test, creator);
    await test.meta.control.killTokens({ subjectId: creator.seeded.instagramAccountId, reason: 'app_removed' });
    await test.advanceBoth(41 * DAY_MS);
    await refreshDueTokens(test.deps);
    const instagram = (await rows()).find(({ platform }) => platform === 'instagram')!;
    expect(instagram.requires_auth_at).toBeNull();
    expect(
      await tokenFor(test.db.engine, test.deps.keys, { creatorId: creator.creatorId, id: instagram.id }),
    ).toMatchObject({ via: 'page', senderId: creator.seeded.pageId });
  });
  it('forgets a Facebook sign-in from which no Page was chosen', async () => {
    await signIn(test, creator, 'facebook', creator.seeded.facebookUserId);
    await refreshDueTokens(test.deps);
    expect(await tokens()).toHaveLength(1);
    await test.advanceBoth(DAY_MS);
    await refreshDueTokens(test.deps);
    expect(await tokens()).toEqual([]);
  });
  it('exchanges a Facebook sign-in; when that ends, its Pages go on', async () => {
    await connectPage(test, creator);
    await test.advanceBoth(41 * DAY_MS);
    await refreshDueTokens(test.deps);
    const login = (await tokens()).find(({ kind }) => kind === 'FACEBOOK_BUSINESS_USER')!;
    expect(login.refreshed_at).not.toBeNull();
    await test.advanceBoth(61 * DAY_MS);
    await refreshDueTokens(test.deps);
    expect((await tokens()).find(({ kind }) => kind === 'FACEBOOK_BUSINESS_USER')?.invalid_reason).toBe('expired');
    expect((await rows()).every((row) => row.requires_auth_at === null)).toBe(true);
    expect(await speaker()).not.toBeNull();
  });
});
