/** From a dialog's code to a token, and tokens' lives. */
import type * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import { map, type ReadResult, type Transport } from './transport.ts';
import * as types from './types.ts';

/** A token fresh from Meta. `expiresAt` is null for one without a date. */
export type Grant = { token: string; expiresAt: Date | null; scopes: string[] | null };

export function loginCalls({ settings, graph, instagramGraph, instagramApi, version, read }: Transport, clock: Clock) {
  function grantOf(answer: z.output<typeof types.TokenAnswer>): Grant {
    const seconds = answer.expires_in;
    return {
      token: answer.access_token,
      expiresAt: seconds ? new Date(clock.now().getTime() + seconds * 1000) : null,
      scopes: null,
    };
  }

  return {
    /** Instagram Login: code to short token (1 hour). The code works once, within an hour. */
    instagramCodeToToken(call: { code: string; redirectUri: string }): Promise<ReadResult<Grant>> {
      return map(
        read(types.InstagramCodeAnswer, {
          host: instagramApi,
          method: 'POST',
          path: '/oauth/access_token',
          form: {
            client_id: settings.instagramAppId ?? '',
            client_secret: settings.instagramAppSecret ?? '',
            grant_type: 'authorization_code',
            redirect_uri: call.redirectUri,
            code: call.code,
          },
        }),
        (answer) => ({ token: answer.access_token, expiresAt: null, scopes: answer.permissions }),
      );
    },

    /** Instagram Login: short token to long (60 days). */
    instagramLongToken(token: string): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: instagramGraph,
          method: 'GET',
          path: '/access_token',
          query: {
            grant_type: 'ig_exchange_token',
            client_secret: settings.instagramAppSecret ?? '',
            access_token: token,
          },
        }),
        grantOf,
      );
    },

    /** Instagram Login: another 60 days for a token older than 24 hours that still lives. */
    instagramRefresh(token: string): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: instagramGraph,
          method: 'GET',
          path: '/refresh_access_token',
          query: { grant_type: 'ig_refresh_token', access_token: token },
        }),
        grantOf,
      );
    },

    /** Facebook Login: code to short token. */
    facebookCodeToToken(call: {
      code: string;
      redirectUri: string;
      codeVerifier: string | null;
    }): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: graph,
          method: 'GET',
          path: `${version}/oauth/access_token`,
          query: {
            client_id: settings.appId ?? '',
            client_secret: settings.appSecret ?? '',
            redirect_uri: call.redirectUri,
            code: call.code,
            code_verifier: call.codeVerifier ?? undefined,
          },
        }),
        grantOf,
      );
    },

    /** Facebook Login: a living token, short or long, to a long one (about 60 days). */
    facebookLongToken(token: string): Promise<ReadResult<Grant>> {
      return map(
        read(types.TokenAnswer, {
          host: graph,
          method: 'GET',
          path: `${version}/oauth/access_token`,
          query: {
            grant_type: 'fb_exchange_token',
            client_id: settings.appId ?? '',
            client_secret: settings.appSecret ?? '',
            fb_exchange_token: token,
          },
        }),
        grantOf,
      );
    },

    /** Meta's facts about a token of Facebook Login: life, scopes, and the Pages and accounts each scope was given for. */
    debugToken(token: string) {
      return map(
        read(types.DebugToken, {
          host: graph,
          method: 'GET',
          path: `${version}/debug_token`,
          query: { input_token: token, access_token: `${settings.appId}|${settings.appSecret}` },
        }),
        (answer) => answer.data,
      );
    },
  };
}
