import { useState } from 'react';
import {
  adminAllowLink,
  adminDismissReports,
  adminListReportedLinks,
  adminStopLink,
  REPORT_REASONS,
  type ReportedLink,
} from '#contract/link-reports.ts';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { REPORTED_LINKS } from '#web/features/admin/words.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Checkbox } from '#web/ui/inputs.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

const refreshes = [adminListReportedLinks];

/** Short links that strangers reported, and those that were stopped. */
export function ReportedLinks() {
  const links = useEndpointPages(adminListReportedLinks, { query: {} });
  return (
    <Card title={REPORTED_LINKS.title} description={REPORTED_LINKS.says}>
      <AdminList
        query={links}
        what="reported links"
        keyOf={({ code }) => code}
        empty={<p className="text-muted">{REPORTED_LINKS.none}</p>}
      >
        {(link) => <Reported link={link} />}
      </AdminList>
    </Card>
  );
}

function Reported({ link }: { link: ReportedLink }) {
  const [stopping, setStopping] = useState(false);
  const params = { linkCode: link.code };
  const allow = useEndpointMutation(adminAllowLink, { successToast: true, errorToast: true, refreshes });
  const dismiss = useEndpointMutation(adminDismissReports, { successToast: true, errorToast: true, refreshes });
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="wrap-anywhere min-w-0 flex-1 basis-60 font-medium">
          <bdi>{link.url}</bdi>
        </p>
        {link.stopped !== 'no' && (
          <Badge tone="error">{link.stopped === 'all' ? REPORTED_LINKS.allStopped : REPORTED_LINKS.isStopped}</Badge>
        )}
      </div>
      <p className="text-muted">
        {REPORTED_LINKS.of(link.code, link.handle)}
        {link.lastReportedAt !== null && (
          <>
            {' '}
            {REPORTED_LINKS.times(link.times)}, <RelativeTime at={link.lastReportedAt} />.
          </>
        )}
      </p>
      {link.reasons.length > 0 && (
        <p className="text-muted">{[...new Set(link.reasons)].map((reason) => REPORT_REASONS[reason]).join('. ')}.</p>
      )}
      {link.stopped !== 'no' && <p>{REPORTED_LINKS.why(link.why)}</p>}
      <div className="flex flex-wrap gap-2">
        {link.stopped === 'no' ? (
          <Button variant="secondary" size="small" onClick={() => setStopping(true)}>
            {REPORTED_LINKS.stop}
          </Button>
        ) : (
          <Button variant="secondary" size="small" busy={allow.isPending} onClick={() => allow.mutate({ params })}>
            {REPORTED_LINKS.allow}
          </Button>
        )}
        {link.times > 0 && (
          <Button variant="quiet" size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate({ params })}>
            {REPORTED_LINKS.dismiss}
          </Button>
        )}
      </div>
      <Dialog open={stopping} onOpenChange={setStopping} title={REPORTED_LINKS.stopTitle} description={link.url}>
        {stopping && <Stop link={link} onDone={() => setStopping(false)} />}
      </Dialog>
    </div>
  );
}

function Stop({ link, onDone }: { link: ReportedLink; onDone: () => void }) {
  const form = useApiForm({
    endpoint: adminStopLink,
    schema: adminStopLink.body,
    defaultValues: { all: false, why: '' },
    request: (body) => ({ params: { linkCode: link.code }, body }),
    refreshes,
    successToast: true,
    onSuccess: onDone,
  });
  return (
    <FormFrame form={form} aria-label={REPORTED_LINKS.stopTitle} submitLabel={REPORTED_LINKS.stop}>
      <TextField form={form} name="why" label={REPORTED_LINKS.whyLabel} hint={REPORTED_LINKS.whyHint} maxLength={500} />
      <Checkbox label={REPORTED_LINKS.all(link.handle)} {...form.register('all')} />
    </FormFrame>
  );
}
