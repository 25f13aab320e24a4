import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { verifyEmail } from '#contract/session.ts';
import { Panel } from '#web/features/people/Panel.tsx';
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
      showToast({ tone: 'success', title: 'Email confirmed' });
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (confirmation.isPending) return <CenteredSpinner label="Confirming your email" />;
  if (confirmation.isSuccess) return <Navigate to={paths.home} replace />;
  const { error } = confirmation;
  if (error.code === 'wrong_credentials') return <PasswordAsked token={token} lead={error.detail} />;
  const expired = error.code === 'link_expired';
  return (
    <Panel title={error.title} lead={error.detail}>
      {expired ? (
        <>
          <p className="text-muted">
            If you already confirmed, just log in. If not, log in with your email and password, and we’ll offer to send
            a new email.
          </p>
          <ButtonLink to={paths.login}>Go to login</ButtonLink>
        </>
      ) : (
        <Button busy={confirmation.isFetching} onClick={() => confirmation.refetch()}>
          Try again
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
    successToast: { title: 'Email confirmed' },
    onSuccess: async () => {
      await reloadSession(client);
      await navigate(paths.home, { replace: true });
    },
  });
  return (
    <Panel title="Confirm your email" lead={lead}>
      <FormFrame form={form} submitLabel="Confirm" wideSubmit>
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          aside={<TextLink to={paths.forgotPassword}>Forgot password?</TextLink>}
        />
      </FormFrame>
      <p className="text-muted">Didn’t sign up? Close this page and nothing happens.</p>
    </Panel>
  );
}

function Incomplete() {
  return (
    <Panel
      title="This link is incomplete"
      lead="Open the link in the email again, or copy all of it into the address bar."
    >
      <ButtonLink to={paths.login}>Go to login</ButtonLink>
    </Panel>
  );
}
