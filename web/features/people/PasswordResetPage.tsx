import { useNavigate, useSearchParams } from 'react-router';
import { resetPassword } from '#contract/session.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useApiForm } from '#web/shell/form.tsx';

/** Landing of the reset mail: `?token=`. */
export function Component() {
  const [search] = useSearchParams();
  const token = search.get('token');
  return token ? <NewPassword token={token} /> : <NoToken />;
}

function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useApiForm({
    endpoint: resetPassword,
    schema: resetPassword.body,
    defaultValues: { token, password: '' },
    request: (values) => ({ body: values }),
    successToast: { title: 'Password changed', detail: 'Log in with your new password.' },
    onSuccess: () => navigate(paths.login),
  });
  return (
    <Panel title="Set a new password" lead="This logs out all your devices.">
      <FormFrame form={form} submitLabel="Save password" wideSubmit>
        <TextField
          form={form}
          name="password"
          label="New password"
          hint="At least 10 characters. A few words you’ll remember work best."
          type="password"
          autoComplete="new-password"
        />
        {form.problem?.code === 'link_expired' && (
          <ButtonLink variant="secondary" to={paths.forgotPassword}>
            Get a new link
          </ButtonLink>
        )}
      </FormFrame>
      <TextLink to={paths.login}>Back to login</TextLink>
    </Panel>
  );
}

function NoToken() {
  return (
    <Panel
      title="This link is incomplete"
      lead="Open the link in the email again, or copy all of it into the address bar."
    >
      <ButtonLink to={paths.forgotPassword}>Get a new link</ButtonLink>
    </Panel>
  );
}
