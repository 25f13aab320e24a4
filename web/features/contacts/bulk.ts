/** The same act for many contacts, one call after the other, and what undoes it. */
import {
  blockContact,
  type Contact,
  eraseContact,
  exportContact,
  handBackContact,
  takeOverContact,
  unblockContact,
} from '#contract/contacts.ts';
import { ApiError } from '#web/shell/api-error.ts';
import { callApi } from '#web/shell/client.ts';
import { readWholeList } from '#web/shell/queries.ts';

export type BulkAct = 'pause' | 'resume' | 'block' | 'unblock' | 'erase';

/** So many are a minute at most, and well within what one may change in an hour. */
export const MOST_CHOSEN = 100;

/** Those among them whom the act changes: the others are as it would make them. */
export function changedBy(act: BulkAct, people: readonly Contact[]): Contact[] {
  return people.filter(({ takenOver, blockedAt }) => {
    if (act === 'pause') return takenOver === null;
    if (act === 'resume') return takenOver !== null;
    if (act === 'block') return blockedAt === null;
    return act === 'erase' || blockedAt !== null;
  });
}

export const UNDO: Record<BulkAct, BulkAct | null> = {
  pause: 'resume',
  resume: 'pause',
  block: 'unblock',
  unblock: 'block',
  erase: null,
};

export type Done = { act: BulkAct; people: Contact[]; problem: ApiError | null };

/** Stops at the first that fails; somebody erased meanwhile is passed over. */
export async function actOn(creatorId: string, act: BulkAct, people: readonly Contact[], now: number): Promise<Done> {
  const done: Contact[] = [];
  for (const person of people) {
    try {
      await call(creatorId, act, person, now);
      done.push(person);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'not_found') return { act, people: done, problem: error };
    }
  }
  return { act, people: done, problem: null };
}

function call(creatorId: string, act: BulkAct, person: Contact, now: number): Promise<unknown> {
  const params = { creatorId, contactId: person.id };
  switch (act) {
    case 'pause':
      return callApi(takeOverContact, { params, body: { minutes: minutesLeft(person, now) } });
    case 'resume':
      return callApi(handBackContact, { params });
    case 'block':
      return callApi(blockContact, { params });
    case 'unblock':
      return callApi(unblockContact, { params });
    case 'erase':
      return callApi(eraseContact, { params });
  }
}

/** Of a pause that is put back: what was left of it. Null: until it is resumed by hand. */
function minutesLeft({ takenOver }: Contact, now: number): number | null {
  if (takenOver === null || takenOver.until === null) return null;
  return Math.max(1, Math.ceil((Date.parse(takenOver.until) - now) / 60_000));
}

/** Everything about each of them, as one file. */
export async function exportAll(creatorId: string, people: readonly Contact[]): Promise<object[]> {
  const files: object[] = [];
  for (const { id: contactId } of people) {
    const { next, ...file } = await readWholeList(exportContact, { params: { creatorId, contactId } });
    files.push(file);
  }
  return files;
}
