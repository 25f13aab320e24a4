/** What the shapes of the contract can't check: whether words can be found and the message can be sent. */
import type { AutomationInput } from '#contract/automations.ts';
import { checkRule } from '#contract/matching/matching.ts';
import { checkMessage, checkPublicReply } from '#contract/message-text.ts';
import { AppError, type FieldError } from '#server/errors.ts';

/** @throws AppError invalid_input naming every field */
export function checkContent(input: AutomationInput): void {
  const message = checkMessage({ text: input.messageText, buttons: input.buttons });
  const fields: FieldError[] = [
    ...checkRule(input)
      .filter(isError)
      .map((problem) => ({ path: problem.field, message: problem.message })),
    ...message
      .filter(isError)
      .map((problem) => ({ path: problem.path === 'text' ? 'messageText' : problem.path, message: problem.message })),
    ...input.publicReplies.flatMap((reply, index) =>
      checkPublicReply(reply)
        .filter(isError)
        .map((problem) => ({ path: `publicReplies.${index}`, message: problem.message })),
    ),
  ];
  if (fields.length > 0) throw new AppError('invalid_input', fields[0]!.message, { fields });
}

function isError({ severity }: { severity: 'error' | 'warning' }): boolean {
  return severity === 'error';
}
