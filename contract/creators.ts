/** Creator accounts: the thing that people are members of and that owns everything else. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorAccount, Me } from '#contract/session.ts';
import { CreatorParams } from '#contract/shapes.ts';

export const Handle = z.string().check(
  z.trim(),
  z.overwrite((handle) => handle.replace(/^@/, '')),
  z.minLength(2, 'Use at least 2 characters.'),
  z.maxLength(30, 'Use at most 30 characters.'),
  z.regex(/^[a-zA-Z0-9._]+$/, 'Use letters, numbers, periods and underscores.'),
);

export const createCreator = endpoint({
  method: 'POST',
  path: '/creators',
  access: 'user',
  ownAccount: true,
  quotas: ['creators'],
  summary: 'Start a creator account and become its owner',
  body: z.object({ handle: Handle }),
  response: CreatorAccount,
  errors: ['invalid_input', 'already_exists'],
});

export const changeHandle = endpoint({
  method: 'PATCH',
  path: '/creators/:creatorId',
  access: 'creator',
  needs: 'team',
  summary: 'Change the handle of the creator account in Creator HQ',
  params: CreatorParams,
  body: z.object({ handle: Handle }),
  response: z.object({ handle: z.string() }),
  errors: ['invalid_input', 'already_exists'],
});

/** The creator's part of `auth/me`; the web app asks here for changes, because `auth/me` is asked once. */
export const getCreator = endpoint({
  method: 'GET',
  path: '/creators/:creatorId',
  access: 'creator',
  summary: 'The creator account with its plan, connection health and queue',
  params: CreatorParams,
  response: z.extend(CreatorAccount, {
    subscription: Me.shape.subscription,
    billing: Me.shape.billing,
    tokenDetails: Me.shape.tokenDetails,
    toolsToReconnect: Me.shape.toolsToReconnect,
    mailServerFails: Me.shape.mailServerFails,
    queue: Me.shape.queue,
  }),
});
