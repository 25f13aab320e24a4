import { mayDo } from '#contract/roles.ts';
import type { Me } from '#contract/session.ts';
import { changeTimeZone } from '#contract/settings.ts';
import { callApi } from '#web/shell/client.ts';

/** A new creator's days are those of the browser they sign up with. Unknown to the server: it stays to be chosen. */
export async function keepFirstTimeZone({ creatorAccount, role }: Me): Promise<void> {
  if (creatorAccount === null || role === null || !mayDo(role, 'connect')) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await callApi(changeTimeZone, { params: { creatorId: creatorAccount._id }, body: { timeZone, first: true } });
}
