import type { Player } from './control.ts';
import { type AccountView, control, type Live, type PersonView, type ThreadView, useLive } from './control.ts';

/** All conversations of whoever plays, newest first. The owner sees those of the account with everybody who wrote or was written to. */
export function useThreads(player: Player, account: AccountView, people: PersonView[]): Live<ThreadView[]> {
  const personId = player.kind === 'owner' ? 'owner' : player.person.personId;
  return useLive(
    `threads ${personId} ${account.accountId}`,
    () => (player.kind === 'owner' ? threadsOfAccount(account, people) : control.inbox(personId)),
    (event) =>
      (event.type === 'message' || event.type === 'message_changed' || event.type === 'person') &&
      (player.kind === 'owner' ? event.accountId === account.accountId : event.personId === personId),
  );
}

async function threadsOfAccount(account: AccountView, people: PersonView[]): Promise<ThreadView[]> {
  const known = people.filter((person) => person.relations.some((one) => one.accountId === account.accountId));
  const threads = await Promise.all(known.map((person) => control.thread(person.personId, account.accountId)));
  return threads
    .filter((thread) => thread.messages.length > 0)
    .map((thread) => ({ ...thread, unread: 0 }))
    .toSorted((a, b) => b.updatedAt - a.updatedAt);
}
