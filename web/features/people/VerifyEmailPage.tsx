import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { verifyEmail } from '#contract/session.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { VERIFY_EMAIL_PAGE } from '#web/features/people/words.ts';
import { paths } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { callApi } from '#web/shell/client.ts';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';
import { reloadSession } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { CenteredSpinner } from '#web/ui/Spinner.tsx';
import { showToast } from '#web/ui/toast.ts';

/** Landing of the confirmation mail: `?token=`. Confirms by itself where they signed up, logs in and leads on. */
export function Component() {
  const [search] = useSearchParams();
  const token = search.get('token');
  return token ? <Confirming token={token} /> : <Incomplete />;
}

function Confirming({ token }: { token: string }) {
  const client = useQueryClient();
  // A query, although it changes something: it runs once per token however often this is drawn.
  const confirmation = useQuery<boolean, ApiError>({
    queryKey: [verifyEmail.path, token],
    queryFn: async () => {
      await callApi(verifyEmail, { body: { token } });
      await reloadSession(client);
      showToast({ tone: 'success', title: VERIFY_EMAIL_PAGE.emailConfirmed });
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (confirmation.isPending) return <CenteredSpinner label={VERIFY_EMAIL_PAGE.confirmingYourEmail} />;
  if (confirmation.isSuccess) return <Navigate to={paths.home} replace />;
  const { error } = confirmation;
  if (error.code === 'wrong_credentials') return <PasswordAsked token={token} lead={error.detail} />;
  const expired = error.code === 'link_expired';
  return (
    <Panel title={error.title} lead={error.detail}>
      {expired ? (
        <ButtonLink to={paths.login}>{VERIFY_EMAIL_PAGE.goToLogin}</ButtonLink>
      ) : (
        <Button busy={confirmation.isFetching} onClick={() => confirmation.refetch()}>
          {VERIFY_EMAIL_PAGE.tryAgain}
        </Button>
      )}
    </Panel>
  );
}

/** Opened in another browser than the one that signed up: the password shows that it is the same person. */
function PasswordAsked({ token, lead }: { token: string; lead: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    endpoint: verifyEmail,
    schema: verifyEmail.body,
    defaultValues: { token, password: '' },
    request: (values) => ({ body: values }),
    successToast: { title: VERIFY_EMAIL_PAGE.emailConfirmed },
    onSuccess: async () => {
      await reloadSession(client);
      await navigate(paths.home, { replace: true });
    },
  });
  return (
    <Panel title={VERIFY_EMAIL_PAGE.confirmYourEmail} lead={lead}>
      <FormFrame form={form} submitLabel={VERIFY_EMAIL_PAGE.confirm} wideSubmit>
        <TextField
          form={form}
          name="password"
          label={VERIFY_EMAIL_PAGE.password}
          type="password"
          autoComplete="current-password"
          aside={<TextLink to={paths.forgotPassword}>{VERIFY_EMAIL_PAGE.forgotPassword}</TextLink>}
        />
      </FormFrame>
      <p className="text-muted">{VERIFY_EMAIL_PAGE.didntSignUpClose}</p>
    </Panel>
  );
}

function Incomplete() {
  return (
    <Panel title={VERIFY_EMAIL_PAGE.thisLinkIsIncomplete} lead={VERIFY_EMAIL_PAGE.openTheLinkIn}>
      <ButtonLink to={paths.login}>{VERIFY_EMAIL_PAGE.goToLogin}</ButtonLink>
    </Panel>
  );
}
