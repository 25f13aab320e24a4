import { useState } from 'react';
import { checkFormPage, type Form } from '#contract/forms.ts';
import { mayDo } from '#contract/roles.ts';
import { listSites, removeSite } from '#contract/sites.ts';
import { usePrinted } from '#web/features/save-to-email/FormPreview.tsx';
import { ANOTHER_BLOG } from '#web/features/save-to-email/words.ts';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

/** For blogs without the plugin: the form's snippet, and whether we find it there. */
export function AnotherBlog({ form }: { form: Form }) {
  const { languages } = usePrinted(form.kind, form.design).data ?? {};
  const snippet = snippetOf(form, heightOf(languages?.[0]?.html ?? ''));
  return (
    <Card title={ANOTHER_BLOG.title} description={ANOTHER_BLOG.says}>
      <div className="flex flex-col gap-4">
        <pre className="whitespace-pre-wrap break-all rounded-md bg-canvas p-2 font-mono text-sm">{snippet}</pre>
        <CopyButton text={snippet} label={ANOTHER_BLOG.copy} />
        <PageCheck form={form} />
        <Websites />
      </div>
    </Card>
  );
}

function PageCheck({ form: { id: formId } }: { form: Form }) {
  const { creatorId } = useCreator();
  const [url, setUrl] = useState('');
  const check = useEndpointMutation(checkFormPage, { successToast: false, refreshes: [listSites] });
  const { found, says, page } = check.data ?? {};
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim() !== '') check.mutate({ params: { creatorId, formId }, body: { url } });
      }}
    >
      <Field label={ANOTHER_BLOG.address} hint={ANOTHER_BLOG.addressHint}>
        {(wiring) => (
          <Input
            {...wiring}
            inputMode="url"
            autoComplete="off"
            maxLength={2000}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" className="self-start" busy={check.isPending}>
        {ANOTHER_BLOG.check}
      </Button>
      <div role="status">
        {says !== undefined && (
          <Alert variant={found ? 'success' : 'warning'} title={says}>
            {page && <Found {...page} />}
          </Alert>
        )}
      </div>
    </form>
  );
}

function Found({ title, pictureUrl, ingredients }: { title: string; pictureUrl: string | null; ingredients: number }) {
  return (
    <span className="flex items-center gap-3">
      {pictureUrl && (
        <img src={pictureUrl} alt="" referrerPolicy="no-referrer" className="size-12 rounded-md object-cover" />
      )}
      <span className="min-w-0 break-words">
        <bdi className="font-medium">{title}</bdi> {ANOTHER_BLOG.ingredients(ingredients)}
      </span>
    </span>
  );
}

/** Where the form's snippet was found. */
function Websites() {
  const { creatorId, role } = useCreator();
  const sites = useEndpoint(listSites, { params: { creatorId } });
  const remove = useEndpointMutation(removeSite, {
    refreshes: [listSites],
    successToast: { title: ANOTHER_BLOG.removed },
  });
  const items = sites.data?.items.filter(({ kind }) => kind === 'script') ?? [];
  if (items.length === 0) return null;
  return (
    <div>
      <h3 className="font-medium text-sm">{ANOTHER_BLOG.websites}</h3>
      <ul className="flex flex-col">
        {items.map(({ id, name }) => (
          <li key={id} className="flex items-center justify-between gap-3">
            <bdi className="min-w-0 break-all text-sm">{name}</bdi>
            {role !== null && mayDo(role, 'api_key') && (
              <Button
                size="small"
                variant="quiet"
                aria-label={ANOTHER_BLOG.removeSite(name ?? '')}
                busy={remove.isPending}
                onClick={() => remove.mutate({ params: { creatorId, siteId: id } })}
              >
                {ANOTHER_BLOG.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** On a narrow phone: what follows the form stays where it is when the form comes. */
function heightOf(html: string): number {
  const place = document.createElement('div');
  place.style.cssText = 'position:absolute;visibility:hidden;width:300px;font:16px/1.6 system-ui,sans-serif';
  place.setHTMLUnsafe(html);
  document.body.append(place);
  const { offsetHeight } = place;
  place.remove();
  return Math.ceil(offsetHeight / 10) * 10;
}

function snippetOf({ key, design }: Form, height: number): string {
  const address = `${window.location.origin}/f/${key}`;
  const link = document.createElement('a');
  link.textContent = design.texts[0]!.button;
  // Without script, the link says which recipe it is.
  return [
    `<div style="min-height:${height}px">`,
    `<script async src="${address}.js"></script>`,
    `<a href="${address}" referrerpolicy="unsafe-url">${link.innerHTML}</a>`,
    '</div>',
  ].join('\n');
}
