/** A set or library that answers people right now must not vanish from under its automations. */
import { AppError } from '#server/errors.ts';

const NAMED_AT_MOST = 3;

/** @throws AppError not_possible_now naming the automations that are on */
export function refuseWhileUsed(name: string, uses: readonly { name: string; on: boolean }[]): void {
  const on = uses.filter((use) => use.on).map((use) => `“${use.name}”`);
  if (on.length === 0) return;
  const named =
    on.slice(0, NAMED_AT_MOST).join(', ') + (on.length > NAMED_AT_MOST ? ` and ${on.length - NAMED_AT_MOST} more` : '');
  const many = on.length > 1;
  throw new AppError(
    'not_possible_now',
    `“${name}” is used by ${named}, which ${many ? 'are' : 'is'} switched on. Switch ${many ? 'them' : 'it'} off or take “${name}” out there first.`,
  );
}
