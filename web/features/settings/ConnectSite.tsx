import { useSearchParams } from 'react-router';
import { mayDo } from '#contract/roles.ts';
import { letSiteConnect, SITE_REQUEST_FIELDS } from '#contract/sites.ts';
import { CONNECT_SITE } from '#web/features/settings/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';

/** Asks whether the WordPress that led here may have an API key. Open while its question stands in the address. */
export function ConnectSite({ replaces }: { replaces: boolean }) {
  const { creatorId, creatorAccount, role } = useCreator();
  const [search, setSearch] = useSearchParams();
  const allow = useEndpointMutation(letSiteConnect, {
    successToast: false,
    errorToast: false,
    onSuccess: ({ returnTo }) => location.assign(returnTo),
  });
  const [adminUrl, state, challenge] = SITE_REQUEST_FIELDS.map((name) => search.get(name) ?? '') as [
    string,
    string,
    string,
  ];
  const close = () =>
    setSearch(
      (now) => {
        for (const name of SITE_REQUEST_FIELDS) now.delete(name);
        return now;
      },
      { replace: true },
    );
  const mayAllow = role !== null && mayDo(role, 'api_key');
  return (
    <Dialog
      open={search.has('connect')}
      onOpenChange={close}
      title={CONNECT_SITE.title}
      description={mayAllow ? CONNECT_SITE.asks(creatorAccount.handle) : CONNECT_SITE.notYou}
      footer={
        mayAllow && (
          <>
            <Button variant="secondary" onClick={close}>
              {CONNECT_SITE.no}
            </Button>
            <Button
              busy={allow.isPending || allow.isSuccess}
              onClick={() => allow.mutate({ params: { creatorId }, body: { adminUrl, state, challenge } })}
            >
              {CONNECT_SITE.yes}
            </Button>
          </>
        )
      }
    >
      <p className="break-all rounded-md bg-sunken px-3 py-2 font-medium">
        <bdi>{adminUrl.replace(/\/wp-admin\/$/, '')}</bdi>
      </p>
      {mayAllow && (
        <div className="flex flex-col gap-2 text-sm">
          <p>{CONNECT_SITE.onlyIf}</p>
          {replaces && <p>{CONNECT_SITE.replaces}</p>}
        </div>
      )}
      {allow.error && <Alert variant="error">{allow.error.detail}</Alert>}
    </Dialog>
  );
}
