/** A contact is named by the connection that knows them and Meta's id of them there. */
import * as z from 'zod/mini';
import { AppError } from '#server/errors.ts';

export type ContactKey = { connectionId: string; personId: string };

export function writeContactId({ connectionId, personId }: ContactKey): string {
  return `${connectionId}.${personId}`;
}

/** @throws AppError not_found for what names nobody */
export function readContactId(id: string): ContactKey {
  const [connectionId = '', personId = ''] = [id.slice(0, 36), id.slice(37)];
  const isOurs = id[36] === '.' && z.safeParse(z.uuid(), connectionId).success && /^[\w.:-]{1,80}$/.test(personId);
  if (!isOurs) throw contactNotFound();
  return { connectionId, personId };
}

/** One person may have several ids: that of their comments and that of the conversation. */
export function peopleOf(creatorId: string, { connectionId }: Pick<ContactKey, 'connectionId'>, ids: string[]) {
  return ids.map((id) => ({ creator_id: creatorId, connection_id: connectionId, id }));
}

export function contactNotFound(): AppError {
  return new AppError('not_found', 'This person isn’t in your contacts.');
}
