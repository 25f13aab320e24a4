/** Gmail cuts a mail at 102 KB and hides the rest, the footer with it. */
import { EMAIL_LIMITS, type EmailDesign, type EmailProblem, type EmailType } from '#contract/email-templates.ts';
import { bytesOf, compileTemplate } from './rendering/render-mail.ts';
import { sampleData } from './sample-data.ts';

const NOBODY = { baseUrl: 'https://example.com', creatorName: '' };

/** With 60 ingredients. */
export function checkSize(type: EmailType, design: EmailDesign): EmailProblem[] {
  const bytes = bytesOf(compileTemplate(type, design), sampleData('many_ingredients', design, NOBODY));
  return bytes < EMAIL_LIMITS.mostBytes
    ? []
    : [
        {
          blockId: null,
          path: 'blocks',
          message: `This email is too long: ${inKb(bytes)}. Gmail cuts emails at 100 KB.`,
        },
      ];
}

export function sizeWarning(bytes: number): string | null {
  return bytes < EMAIL_LIMITS.warnBytes ? null : `This email is long: ${inKb(bytes)}. Gmail cuts emails at 100 KB.`;
}

function inKb(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} KB`;
}
