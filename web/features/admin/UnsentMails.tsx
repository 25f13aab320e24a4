import { useState } from 'react';
import { adminListUnsentMails, adminReadUnsentMail } from '#contract/admin.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { UNSENT_MAILS } from '#web/features/admin/words.ts';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type UnsentMail = ResponseOf<typeof adminListUnsentMails>['items'][number];

/** Mails that wait for a mail server; their text only on request, which goes into the audit log. */
export function UnsentMails({ readable }: { readable: boolean }) {
  const mails = useEndpointPages(adminListUnsentMails, { query: {} });
  return (
    <Card
      title={UNSENT_MAILS.unsentEmails}
      description={readable ? UNSENT_MAILS.noMailServerIs : UNSENT_MAILS.theMailServerHasnt}
    >
      <AdminList
        query={mails}
        what="unsent emails"
        keyOf={({ mailId }) => mailId}
        empty={<p className="text-muted">{UNSENT_MAILS.noEmailsAreWaiting}</p>}
      >
        {(mail) => <Mail mail={mail} readable={readable} />}
      </AdminList>
    </Card>
  );
}

function Mail({ mail, readable }: { mail: UnsentMail; readable: boolean }) {
  const [text, setText] = useState<string | null>(null);
  const read = useEndpointMutation(adminReadUnsentMail, {
    successToast: false,
    onSuccess: (answer) => setText(answer.text),
  });
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="break-words font-medium">{mail.subject}</p>
          <p className="break-words text-muted">
            To {mail.recipient}, <RelativeTime at={mail.createdAt} />
          </p>
          {mail.lastFailure !== null && <p className="break-words text-error-ink">{mail.lastFailure}</p>}
        </div>
        {readable && (
          <Button
            variant="secondary"
            busy={read.isPending}
            aria-label={`${text === null ? UNSENT_MAILS.read : UNSENT_MAILS.hide} the email to ${mail.recipient}: ${mail.subject}`}
            onClick={() => (text === null ? read.mutate({ params: { mailId: mail.mailId } }) : setText(null))}
          >
            {text === null ? UNSENT_MAILS.read : UNSENT_MAILS.hide}
          </Button>
        )}
      </div>
      {text !== null && (
        <div className="flex flex-col items-start gap-3 border-line border-t pt-3">
          <p className="wrap-anywhere self-stretch whitespace-pre-wrap">{text}</p>
          <CopyButton text={text} label={UNSENT_MAILS.copyEmail} />
        </div>
      )}
    </div>
  );
}
