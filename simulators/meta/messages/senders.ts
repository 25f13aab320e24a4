import { GraphError } from '../graph/errors.ts';
import type { MetaPlatform } from '../graph/platform.ts';
import type { Account, Token } from '../state/records.ts';

/** The account a sender acts for: itself, or for a Page also the linked Instagram account. */
export function actsFor({ world }: MetaPlatform, sender: Account, accountId: string): Account | undefined {
  if (sender.id === accountId) return sender;
  const account = world.accounts.get(accountId);
  return account && sender.platform === 'facebook' && account.linkedId === sender.id ? account : undefined;
}

/** @throws GraphError when the account must not message anybody */
export function requireMayMessage(account: Account): void {
  if (account.platform === 'instagram' && !account.messageAccess) throw new GraphError(200, 2534041);
  if (account.policyBlocked) throw new GraphError(2022); // [C]
}

export function messagingScopes(token: Token, account: Account): string[] {
  if (token.kind === 'INSTAGRAM_BUSINESS_USER') return ['instagram_business_manage_messages'];
  return [account.platform === 'instagram' ? 'instagram_manage_messages' : 'pages_messaging'];
}
