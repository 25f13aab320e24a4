import type { Routes } from '../graph/call.ts';
import { type Answer, type GraphCall, ok } from '../graph/call.ts';
import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account } from '../state/records.ts';
import { mayTouch, noSuchObject, requireToken } from '../tokens/tokens.ts';

const FIELDS = ['ice_breakers', 'persistent_menu', 'get_started', 'greeting'];

/** Icebreakers and persistent menu: kept and given back; the phone does not show them. */
export function messengerProfileRoutes(platform: MetaPlatform): Routes {
  const { world } = platform;
  const describe = (call: GraphCall) => {
    const node = call.node === 'me' ? world.tokens.get(call.tokenValue() ?? '')?.subjectId : call.node;
    const own = world.accounts.get(node ?? '') ?? null;
    const linked =
      own?.platform === 'facebook' && call.parameter('platform') === 'instagram'
        ? world.accounts.get(own.linkedId ?? '')
        : own;
    call.account = linked ?? own;
  };
  const route = (handle: (call: GraphCall, account: Account) => Answer) => ({
    operation: 'messenger_profile' as const,
    describe,
    handle: (call: GraphCall) => {
      const token = requireToken(world, call);
      if (!call.account || !mayTouch(world, token, call.account)) throw noSuchObject(call);
      return handle(call, call.account);
    },
  });
  return {
    'GET */messenger_profile': route((call, account) => {
      const fields = (call.parameter('fields') ?? '').split(',');
      const found = Object.fromEntries(
        Object.entries(account.messengerProfile).filter(([name]) => fields.includes(name)),
      );
      return ok({ data: Object.keys(found).length === 0 ? [] : [found] });
    }),
    'POST */messenger_profile': route((call, account) => {
      const given = FIELDS.filter((name) => call.body[name] !== undefined);
      if (given.length === 0)
        throw new GraphError(100, undefined, { message: `(#100) Requires one of the params: ${FIELDS.join(',')}` });
      for (const name of given) account.messengerProfile[name] = call.body[name];
      world.changed({ type: 'account', accountId: account.id });
      return ok({ result: 'success' });
    }),
    'DELETE */messenger_profile': route((call, account) => {
      const fields = call.body.fields ?? call.query.get('fields')?.split(',');
      if (!Array.isArray(fields))
        throw new GraphError(100, undefined, { message: '(#100) The parameter fields is required' });
      for (const name of fields) delete account.messengerProfile[String(name)];
      world.changed({ type: 'account', accountId: account.id });
      return ok({ result: 'success' });
    }),
  };
}
