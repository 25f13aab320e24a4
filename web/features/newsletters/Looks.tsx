import type { EmailDesign, EmailType } from '#contract/email-templates.ts';
import { EmailFrame, EVERYDAY, useEmailPreview } from '#web/features/email-templates/EmailPreview.tsx';
import { REPORT } from '#web/features/newsletters/words.ts';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** An email as readers get it, where it can't be changed. */
export function Looks({ type, design }: { type: EmailType; design: EmailDesign }) {
  const { shown } = useEmailPreview(type, design, EVERYDAY);
  return (
    <Card title={REPORT.looks}>
      <bdi className="block break-words font-semibold">{shown?.subject ?? design.subject}</bdi>
      <bdi className="mb-3 block break-words text-muted">{shown?.preheader ?? design.preheader}</bdi>
      {shown === null ? <Skeleton className="h-96" /> : <EmailFrame html={shown.html} width={700} />}
    </Card>
  );
}
