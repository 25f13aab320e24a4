import { useNavigate, useSearchParams } from 'react-router';
import { resetPassword } from '#contract/session.ts';
import { Panel } from '#web/features/people/Panel.tsx';
import { PASSWORD_RESET_PAGE } from '#web/features/people/words.ts';
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
    successToast: { title: PASSWORD_RESET_PAGE.passwordChanged, detail: PASSWORD_RESET_PAGE.logInWithYour },
    onSuccess: () => navigate(paths.login),
  });
  if (form.problem?.code === 'link_expired') {
    return (
      <Panel title={form.problem.title} lead={form.problem.detail}>
        <ButtonLink to={paths.forgotPassword}>{PASSWORD_RESET_PAGE.getANewLink}</ButtonLink>
        <TextLink to={paths.login}>{PASSWORD_RESET_PAGE.backToLogin}</TextLink>
      </Panel>
    );
  }
  return (
    <Panel title={PASSWORD_RESET_PAGE.setANewPassword} lead={PASSWORD_RESET_PAGE.thisLogsOutAll}>
      <FormFrame form={form} submitLabel={PASSWORD_RESET_PAGE.savePassword} wideSubmit>
        <TextField
          form={form}
          name="password"
          label={PASSWORD_RESET_PAGE.newPassword}
          hint={PASSWORD_RESET_PAGE.atLeast10Characters}
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
      <TextLink to={paths.login}>{PASSWORD_RESET_PAGE.backToLogin}</TextLink>
    </Panel>
  );
}

function NoToken() {
  return (
    <Panel title={PASSWORD_RESET_PAGE.thisLinkIsIncomplete} lead={PASSWORD_RESET_PAGE.openTheLinkIn}>
      <ButtonLink to={paths.forgotPassword}>{PASSWORD_RESET_PAGE.getANewLink}</ButtonLink>
    </Panel>
  );
}
