/** The generic form input as HTML, and what a form with it hands on. */
import { renderToStaticMarkup } from 'react-dom/server';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { describe, expect, test } from 'vitest';
import { TextField } from '#web/shell/form.tsx';

type Values = { title: string; note: string };

function Example({ onForm }: { onForm: (form: UseFormReturn<Values>) => void }) {
  const form = useForm<Values>({ defaultValues: { title: 'Lemon pasta', note: '' } });
  onForm(form);
  return (
    <form>
      <TextField form={form} name="title" label="Title" />
      <TextField form={form} name="note" label="Note" optional />
    </form>
  );
}

/** Draws both fields; answers the HTML and the form behind it. */
function draw() {
  let form!: UseFormReturn<Values>;
  const html = renderToStaticMarkup(
    <Example
      onForm={(made) => {
        form = made;
      }}
    />,
  );
  return { html, form };
}

/** The opening tag of the input with this name. */
const inputOf = (html: string, name: string) =>
  html.match(/<input[^>]*>/g)?.find((tag) => tag.includes(`name="${name}"`));

describe('the generic form input', () => {
  test('treats every input as required, but one that says it is optional', () => {
    const { html } = draw();
    expect(inputOf(html, 'title')).toContain('aria-required="true"');
    expect(inputOf(html, 'note')).toContain('aria-required="false"');
    expect(html.match(/\(optional\)/g)).toHaveLength(1);
  });

  test('passes values up as pairs of name and value', async () => {
    const { form } = draw();
    let passedUp: Values | undefined;
    await form.handleSubmit((values) => {
      passedUp = values;
    })();
    expect(passedUp).toEqual({ title: 'Lemon pasta', note: '' });
  });
});
