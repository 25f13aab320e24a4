/** Work that a reader's browser did for one submission (widgets/form/form.ts): docs/decisions/0044-work-for-strangers.md. */
import { createHash } from 'node:crypto';

/** Zero bits that the hash begins with: 4,096 tries on average, a tenth of a second or two on a slow phone. */
const BITS = 12;

/** @param submission.work the number that was found; it fits this form, attempt and address alone */
export function isWorkDone({
  formKey,
  attempt,
  email,
  work,
}: {
  formKey: string;
  attempt: string;
  email: { key: string };
  work?: string | undefined;
}): boolean {
  if (!work) return false;
  const digest = createHash('sha256').update([formKey, attempt, email.key, work].join('\n')).digest();
  return digest.readUInt16BE(0) >> (16 - BITS) === 0;
}
