/** What the shapes of the contract can't check: whether words can be found and the message can be sent. */
import type { AutomationInput } from '#contract/automations.ts';
import { checkRule } from '#contract/matching/matching.ts';
import { AppError, type FieldError } from '#server/errors.ts';

/** @throws AppError invalid_input naming every field */
export function checkContent(input: AutomationInput): void {
  const fields: FieldError[] = checkRule(input)
    .filter((problem) => problem.severity === 'error')
    .map((problem) => ({ path: problem.field, message: problem.message }));
  if (fields.length > 0) throw new AppError('invalid_input', fields[0]!.message, { fields });
}
