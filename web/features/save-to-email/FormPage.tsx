import { ArrowLeft, Mail } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type FieldPath, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { archiveForm, FORM_FONTS, type Form, FormDesign, getForm, listForms, updateForm } from '#contract/forms.ts';
import { Id } from '#contract/shapes.ts';
import { TAG_LETTERS } from '#contract/tags.ts';
import { SavedMeanwhile } from '#web/features/libraries/LibrarySheet.tsx';
import { type LibraryForm, useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { AnotherBlog } from '#web/features/save-to-email/AnotherBlog.tsx';
import { FormPreview } from '#web/features/save-to-email/FormPreview.tsx';
import { CONFIRM, FONTS, FORM_EDITOR, LAYOUTS, LOOKS, NEWSLETTER } from '#web/features/save-to-email/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormFrame, TextField, useFieldError } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Radio, Select, Switch } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

const Editable = z.object({ name: updateForm.body.shape.name, design: FormDesign });
type Editable = z.infer<typeof Editable>;
type EditedForm = LibraryForm<Editable, Form>['form'];

/** The designer of one form, with the form beside it as the blog prints it. */
export function FormPage({ formId }: { formId: string }) {
  const { creatorId } = useCreator();
  const mayExist = z.safeParse(Id, formId).success;
  const form = useEndpoint(getForm, { params: { creatorId, formId } }, { enabled: mayExist, retry: false });
  return (
    <>
      <TextLink to={paths.saveToEmail} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {FORM_EDITOR.back}
      </TextLink>
      <PageHeader title={form.data?.name ?? FORM_EDITOR.form} />
      {!mayExist || form.error?.code === 'not_found' ? (
        <EmptyState
          icon={<Mail className="size-7" />}
          title={FORM_EDITOR.notFound}
          action={<ButtonLink to={paths.saveToEmail}>{FORM_EDITOR.seeAll}</ButtonLink>}
        >
          {FORM_EDITOR.notFoundSays}
        </EmptyState>
      ) : (
        <Loaded
          query={form}
          loading={FORM_EDITOR.loading}
          failed={FORM_EDITOR.failed}
          skeleton={<Skeleton className="h-96" />}
        >
          {(data) => <Designer key={data.id} saved={data} refetch={form.refetch} />}
        </Loaded>
      )}
    </>
  );
}

function Designer({ saved, refetch }: { saved: Form; refetch: () => unknown }) {
  const { creatorId } = useCreator();
  const params = { creatorId, formId: saved.id };
  const inputOf = ({ name, design }: Form): Editable => ({ name, design });
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
    saved,
    latest: saved,
    inputOf,
    fresh: inputOf(saved),
    endpoint: updateForm,
    schema: Editable,
    request: (values: Editable, version) => ({ params, body: { ...values, version } }),
    draftKey: `form:${saved.id}`,
    refreshes: [listForms, getForm],
    refetch,
    onSaved: ({ name, design }) => form.reset({ name, design }),
  });
  const { design } = useWatch({ control: form.control }) as Editable;
  const [place, setPlace] = useState(0);
  const { kind } = saved;
  const language = design.texts[place]?.language;
  return (
    <div className="flex flex-col-reverse gap-6 lg:grid lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-6">
        {theirs && <SavedMeanwhile theirs={theirs.name} onMine={keepMine} onTheirs={takeTheirs} />}
        <FormFrame form={form} submitLabel={form.formState.isDirty ? FORM_EDITOR.save : undefined}>
          <Texts form={form} kind={kind} design={design} place={place} onPlace={setPlace} />
          <Look form={form} design={design} />
          {kind === 'save' ? (
            <Newsletter form={form} design={design} place={place} />
          ) : (
            <Card title={FORM_EDITOR.newsletter}>
              <div className="flex flex-col gap-4">
                {kind === 'gate' && <p className="text-muted text-sm">{FORM_EDITOR.gateSays}</p>}
                <Choices form={form} name="design.confirm" legend={FORM_EDITOR.confirm} choices={CONFIRM} />
                <Switch label={FORM_EDITOR.throwAway} {...form.register('design.throwAway')} />
              </div>
            </Card>
          )}
          <Tags form={form} design={design} />
          <Ads form={form} design={design} place={place} />
        </FormFrame>
        {kind !== 'gate' && <AnotherBlog form={saved} />}
        {kind === 'signup' && <OwnPage formKey={saved.key} />}
        <Archive form={saved} />
      </div>
      <div className="lg:sticky lg:top-20 lg:self-start">
        <Card title={FORM_EDITOR.preview}>
          <FormPreview kind={kind} design={design} {...(language !== undefined && { language })} />
        </Card>
      </div>
    </div>
  );
}

function OwnPage({ formKey }: { formKey: string }) {
  const url = `${window.location.origin}/f/${formKey}`;
  return (
    <Card title={FORM_EDITOR.link}>
      <p className="text-muted text-sm">{FORM_EDITOR.linkSays}</p>
      <p className="my-3 break-all rounded-md bg-canvas p-2 font-mono text-sm">{url}</p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} label={FORM_EDITOR.copyLink} />
        <LinkButton href={url} target="_blank" rel="noopener" size="small">
          {FORM_EDITOR.openLink}
        </LinkButton>
      </div>
    </Card>
  );
}

type PartProps = { form: EditedForm; design: FormDesign };

function Texts({
  form,
  kind,
  design,
  place,
  onPlace,
}: PartProps & { kind: Form['kind']; place: number; onPlace: (place: number) => void }) {
  const of = (field: keyof FormDesign['texts'][number]) => `design.texts.${place}.${field}` as FieldPath<Editable>;
  return (
    <Card title={FORM_EDITOR.texts}>
      <div className="flex flex-col gap-4">
        <TextField form={form} name="name" label={FORM_EDITOR.name} hint={FORM_EDITOR.nameHint} maxLength={60} />
        {design.texts.length > 1 && (
          <Field label={FORM_EDITOR.language}>
            {(wiring) => (
              <Select {...wiring} value={place} onChange={(event) => onPlace(Number(event.target.value))}>
                {design.texts.map(({ language }, index) => (
                  <option key={language} value={index}>
                    {language}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <TextField form={form} name={of('heading')} label={FORM_EDITOR.heading} optional maxLength={120} />
        <TextField form={form} name={of('description')} label={FORM_EDITOR.descriptionLabel} optional maxLength={300} />
        <TextField form={form} name={of('emailLabel')} label={FORM_EDITOR.emailLabel} maxLength={60} />
        <Switch label={FORM_EDITOR.firstName} {...form.register('design.firstName')} />
        {design.firstName && (
          <TextField form={form} name={of('firstNameLabel')} label={FORM_EDITOR.firstNameLabel} maxLength={60} />
        )}
        <TextField form={form} name={of('button')} label={FORM_EDITOR.button} maxLength={40} />
        <TextField form={form} name={of('thanks')} label={FORM_EDITOR.thanks} maxLength={200} />
        {kind !== 'save' && (
          <TextField
            form={form}
            name={of('newsletter')}
            label={FORM_EDITOR.newsletterWording}
            hint={FORM_EDITOR.newsletterWordingHint}
            maxLength={300}
          />
        )}
        <PrivacyLink form={form} design={design} />
      </div>
    </Card>
  );
}

function PrivacyLink({ form, design }: PartProps) {
  const error = useFieldError(form.control, 'design.privacyUrl');
  return (
    <Field label={FORM_EDITOR.privacy} optional error={error}>
      {(wiring) => (
        <LinkInput
          {...wiring}
          value={design.privacyUrl ?? ''}
          onChange={(event) =>
            form.setValue('design.privacyUrl', event.target.value.trim() || null, { shouldDirty: true })
          }
        />
      )}
    </Field>
  );
}

function Look({ form, design: { look } }: PartProps) {
  return (
    <Card title={FORM_EDITOR.look}>
      <div className="flex flex-col gap-4">
        <Choices form={form} name="design.layout" legend={FORM_EDITOR.layout} choices={LAYOUTS} />
        <Choices form={form} name="design.look.kind" legend={FORM_EDITOR.colors} choices={LOOKS} />
        <div className="grid grid-cols-2 gap-4">
          {look.kind === 'own' && (
            <>
              <ColorField form={form} name="design.look.background" label={FORM_EDITOR.background} />
              <ColorField form={form} name="design.look.text" label={FORM_EDITOR.text} />
            </>
          )}
          <ColorField form={form} name="design.look.button" label={FORM_EDITOR.buttonColor} />
          <ColorField form={form} name="design.look.buttonText" label={FORM_EDITOR.buttonText} />
        </div>
        {look.kind === 'own' && (
          <Field label={FORM_EDITOR.font}>
            {(wiring) => (
              <Select {...wiring} {...form.register('design.look.font')}>
                {FORM_FONTS.map((font) => (
                  <option key={font} value={font}>
                    {FONTS[font]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field label={FORM_EDITOR.corners}>
          {(wiring) => (
            <Input
              {...wiring}
              type="range"
              min={0}
              max={36}
              className="accent-accent"
              {...form.register('design.look.corners', { valueAsNumber: true })}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}

function Newsletter({ form, design, place }: PartProps & { place: number }) {
  return (
    <Card title={FORM_EDITOR.newsletter}>
      <div className="flex flex-col gap-4">
        <Choices form={form} name="design.newsletter" legend={FORM_EDITOR.newsletter} hideLegend choices={NEWSLETTER} />
        {design.newsletter !== 'off' && (
          <>
            <TextField
              form={form}
              name={`design.texts.${place}.newsletter` as FieldPath<Editable>}
              label={FORM_EDITOR.newsletterWording}
              hint={FORM_EDITOR.newsletterWordingHint}
              maxLength={300}
            />
            <Choices form={form} name="design.confirm" legend={FORM_EDITOR.confirm} choices={CONFIRM} />
          </>
        )}
      </div>
    </Card>
  );
}

function Tags({ form, design: { tags = [] } }: PartProps) {
  const error = useFieldError(form.control, 'design.tags');
  return (
    <Card title={FORM_EDITOR.tags} description={FORM_EDITOR.tagsSay}>
      <div className="flex flex-col gap-4">
        <Field label={FORM_EDITOR.ownTags} optional error={error}>
          {(wiring) => (
            <TagInput
              {...wiring}
              value={tags}
              onChange={(to) => form.setValue('design.tags', to, { shouldDirty: true })}
              maxLength={TAG_LETTERS}
            />
          )}
        </Field>
        <Switch
          label={FORM_EDITOR.categoryTags}
          hint={FORM_EDITOR.categoryTagsHint}
          {...form.register('design.categoryTags')}
        />
      </div>
    </Card>
  );
}

function Ads({ form, design, place }: PartProps & { place: number }) {
  return (
    <Card title={FORM_EDITOR.ads}>
      <div className="flex flex-col gap-4">
        <p className="text-muted text-sm">{FORM_EDITOR.adsSay}</p>
        <Switch label={FORM_EDITOR.adsBox} {...form.register('design.ads')} />
        {design.ads && (
          <TextField
            form={form}
            name={`design.texts.${place}.ads`}
            label={FORM_EDITOR.newsletterWording}
            hint={FORM_EDITOR.adsHint}
            optional
            maxLength={200}
          />
        )}
      </div>
    </Card>
  );
}

type ChoicesProps = {
  form: EditedForm;
  name: FieldPath<Editable>;
  legend: string;
  hideLegend?: boolean;
  choices: readonly { value: string; label: string; hint?: string }[];
};

function Choices({ form, name, legend, hideLegend = false, choices }: ChoicesProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className={hideLegend ? 'sr-only' : 'mb-1.5 font-medium text-sm'}>{legend}</legend>
      {choices.map(({ value, label, hint }) => (
        <Radio key={value} value={value} label={label} hint={hint} {...form.register(name)} />
      ))}
    </fieldset>
  );
}

function ColorField({ form, name, label }: { form: EditedForm; name: FieldPath<Editable>; label: ReactNode }) {
  const error = useFieldError(form.control, name);
  return (
    <Field label={label} error={error}>
      {(wiring) => <Input {...wiring} type="color" className="p-1" {...form.register(name)} />}
    </Field>
  );
}

function Archive({ form: { id, name } }: { form: Form }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const archive = useEndpointMutation(archiveForm, {
    successToast: { title: FORM_EDITOR.archived },
    refreshes: [listForms],
    onSuccess: () => navigate(paths.saveToEmail),
  });
  return (
    <>
      <Button variant="quiet" size="small" className="self-start text-error-ink" onClick={() => setAsking(true)}>
        {FORM_EDITOR.archive}
      </Button>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title={FORM_EDITOR.archiveTitle(name)}
        description={FORM_EDITOR.archiveSays}
        keep={FORM_EDITOR.keep}
        act={FORM_EDITOR.archive}
        danger
        busy={archive.isPending}
        onAct={() => archive.mutate({ params: { creatorId, formId: id } })}
      />
    </>
  );
}
