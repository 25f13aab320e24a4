/** Checks beyond the shapes of the contract: whether it can listen, words can be found and messages be sent. */
import { checkAutomation } from '#contract/automation-problems.ts';
import type { AutomationInput } from '#contract/automations.ts';
import { AppError, type FieldError } from '#server/errors.ts';

/** @throws AppError invalid_input naming every field */
export function checkContent(input: AutomationInput): void {
  const fields: FieldError[] = checkAutomation(input)
    .filter(({ severity }) => severity === 'error')
    .map(({ path, message }) => ({ path, message }));
  if (fields.length > 0) throw new AppError('invalid_input', fields[0]!.message, { fields });
}
