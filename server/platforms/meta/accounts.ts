/** Who a token speaks for, what it may do, and whether Meta sends webhooks of it. */
import { type PageOf, pageOf } from './read-calls.ts';
import { map, type ReadResult, type Speaker, type Transport } from './transport.ts';
import * as types from './types.ts';

export function accountCalls({ settings, graph, instagramGraph, version, hostVia, read }: Transport) {
  return {
    /** The account that an Instagram-Login token speaks for. `user_id` is the id that webhooks and sends name. */
    instagramMe(token: string) {
      return read(types.InstagramMe, {
        host: instagramGraph,
        method: 'GET',
        path: `${version}/me`,
        query: {
          fields: 'id,user_id,username,name,account_type,profile_picture_url,followers_count,media_count',
        },
        token,
      });
    },

    /** Who signed in with Facebook. */
    facebookMe(token: string) {
      return read(types.FacebookMe, {
        host: graph,
        method: 'GET',
        path: `${version}/me`,
        query: { fields: 'id,name' },
        token,
      });
    },

    /** Scopes that a Facebook login was asked for, with what the person said. Instagram Login has no such call. */
    permissions(token: string) {
      return map(
        read(types.Permissions, { host: graph, method: 'GET', path: `${version}/me/permissions`, token }),
        (answer) => answer.data,
      );
    },

    /** One page of the Pages that the person has a role on and that this login may see. */
    accounts(call: { token: string; after?: string }): Promise<ReadResult<PageOf<types.Page>>> {
      return map(
        read(types.listOf(types.Page), {
          host: graph,
          method: 'GET',
          path: `${version}/me/accounts`,
          query: {
            fields:
              'id,name,access_token,tasks,picture,followers_count,instagram_business_account{id,username,name,profile_picture_url}',
            limit: '100',
            after: call.after,
          },
          token: call.token,
        }),
        (list) => pageOf(list, (page) => page),
      );
    },

    /** One page of the businesses that the person works in; needs `business_management` [C]. */
    businesses(call: { token: string; after?: string }) {
      return map(
        read(types.listOf(types.Business), {
          host: graph,
          method: 'GET',
          path: `${version}/me/businesses`,
          query: { fields: 'id,name', limit: '100', after: call.after },
          token: call.token,
        }),
        (list) => pageOf(list, (business) => business),
      );
    },

    /**
     * One page of the Pages that a business owns, or looks after for its clients. Pages that were never granted to us are
     * among them, and a token in this list may be missing or wrong [C]: ask `pageToken` about each.
     */
    businessPages(call: { token: string; businessId: string; edge: 'owned_pages' | 'client_pages'; after?: string }) {
      return map(
        read(types.listOf(types.Page), {
          host: graph,
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.businessId)}/${call.edge}`,
          query: { fields: 'id,name', limit: '100', after: call.after },
          token: call.token,
        }),
        (list) => pageOf(list, ({ id, name }) => ({ id, name })),
      );
    },

    /** A Page with its token, read with the person's token. No `access_token` in the answer: it was not granted. */
    pageToken(call: { token: string; pageId: string }) {
      return read(types.Page, {
        host: graph,
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.pageId)}`,
        query: {
          fields:
            'id,name,access_token,picture,followers_count,instagram_business_account{id,username,name,profile_picture_url}',
        },
        token: call.token,
      });
    },

    /** A Page's figures, read with its own token. */
    page(call: { token: string; pageId: string }) {
      return read(types.Page, {
        host: graph,
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.pageId)}`,
        query: { fields: 'id,name,picture,followers_count,instagram_business_account{id}' },
        token: call.token,
      });
    },

    /** An Instagram account's figures, read through its Page's token. */
    pageInstagram(call: { token: string; accountId: string }) {
      return read(types.PageInstagram, {
        host: graph,
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.accountId)}`,
        query: { fields: 'id,username,name,profile_picture_url,followers_count' },
        token: call.token,
      });
    },

    /**
     * The link in a profile. Pages have no biography.
     * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user
     */
    ownProfile(call: Speaker & { accountId: string }) {
      return read(types.OwnProfile, {
        host: hostVia(call.via),
        method: 'GET',
        path: `${version}/${encodeURIComponent(call.via === 'instagram' ? 'me' : call.accountId)}`,
        query: { fields: call.platform === 'instagram' ? 'website,biography' : 'website' },
        token: call.token,
      });
    },

    /** Asks for webhooks of an account or Page. Repeating it is harmless. */
    subscribe(call: Speaker & { fields: string[] }) {
      return read(types.Success, {
        host: hostVia(call.via),
        method: 'POST',
        path: `${version}/${encodeURIComponent(call.senderId)}/subscribed_apps`,
        query: { subscribed_fields: call.fields.join(',') },
        token: call.token,
      });
    },

    /** Fields whose webhooks we get for this account or Page; empty when Meta has unsubscribed us. */
    readSubscriptions(call: Speaker): Promise<ReadResult<string[]>> {
      return map(
        read(types.Subscriptions, {
          host: hostVia(call.via),
          method: 'GET',
          path: `${version}/${encodeURIComponent(call.senderId)}/subscribed_apps`,
          token: call.token,
        }),
        // A Page may have several apps; Meta shows each of them only itself, some stand-ins show all.
        (answer) => [
          ...new Set(
            answer.data
              .filter((app) => app.id === undefined || answer.data.length === 1 || app.id === settings.appId)
              .flatMap((app) => app.subscribed_fields ?? []),
          ),
        ],
      );
    },

    unsubscribe(call: Speaker) {
      return read(types.Success, {
        host: hostVia(call.via),
        method: 'DELETE',
        path: `${version}/${encodeURIComponent(call.senderId)}/subscribed_apps`,
        token: call.token,
      });
    },
  };
}
