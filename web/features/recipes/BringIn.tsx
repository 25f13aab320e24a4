import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Reading, readRecipe } from '#contract/recipe-reading.ts';
import { keepReading } from '#web/features/recipes/bringing-in.ts';
import { paths, recipePath, WHOLE_BLOG_PATH } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { FormProblem } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Textarea } from '#web/ui/inputs.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

type Way = 'address' | 'text' | 'blog';

/** A recipe read from its page or from pasted text, which fills in the form of a new one. Nothing is saved. */
export function BringIn({ ways = true }: { /** Off: an address alone. */ ways?: boolean }) {
  const [way, setWay] = useState<Way>('address');
  const reader = useReader(useNewRecipe());
  if (!ways && way === 'address') return <FromAddress reader={reader} onPaste={() => setWay('text')} />;
  return (
    <Tabs
      value={way}
      onValueChange={(chosen) => setWay(chosen as Way)}
      label="Where the recipe is"
      tabs={[
        { value: 'address', label: 'From its page' },
        { value: 'text', label: 'Paste text' },
        { value: 'blog', label: 'A whole blog' },
      ]}
    >
      <TabPanel value="address">
        <FromAddress reader={reader} onPaste={() => setWay('text')} />
      </TabPanel>
      <TabPanel value="text">
        <FromText reader={reader} />
      </TabPanel>
      <TabPanel value="blog">
        <p className="mb-3 text-muted">
          We find every recipe on your blog and read it in the background. You can undo all of it for 30 days.
        </p>
        <ButtonLink to={WHOLE_BLOG_PATH}>Bring in a whole blog</ButtonLink>
      </TabPanel>
    </Tabs>
  );
}

type Reader = ReturnType<typeof useReader>;

function useNewRecipe() {
  const navigate = useNavigate();
  return async (reading: Reading) => {
    keepReading(reading);
    await navigate(recipePath('new', 'ingredients'));
  };
}

/** @param onAlready for a recipe that has this page already; without it that is said */
export function useReader(
  onRead: (reading: Reading) => unknown,
  onAlready?: (recipe: NonNullable<Reading['already']>) => void,
) {
  const { creatorId } = useCreator();
  const [already, setAlready] = useState<Reading['already']>(null);
  const reading = useEndpointMutation(readRecipe, { successToast: false, errorToast: false });
  const read = async (body: { url: string; choice?: string } | { text: string }) => {
    setAlready(null);
    const answer = await reading.mutateAsync({ params: { creatorId }, body }).catch(() => null);
    if (answer?.kind !== 'read') return;
    if (answer.reading.already !== null) return (onAlready ?? setAlready)(answer.reading.already);
    await onRead(answer.reading);
  };
  const failed = reading.data?.kind === 'failed' ? reading.data : null;
  return { read, busy: reading.isPending, failed, already, problem: reading.error };
}

export function FromAddress({ reader, onPaste }: { reader: Reader; onPaste?: () => void }) {
  const [url, setUrl] = useState('');
  const { read, busy, failed, already } = reader;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() !== '' && !busy) void read({ url });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col items-start gap-3">
      <FormProblem problem={reader.problem} />
      <Field className="w-full" label="Address of a recipe">
        {(wiring) => <LinkInput {...wiring} value={url} onChange={({ target }) => setUrl(target.value)} />}
      </Field>
      {already !== null && (
        <Alert variant="info" announce title="You have this recipe already" className="w-full">
          <TextLink to={paths.recipe(already.id)}>
            <bdi>{already.name}</bdi>
          </TextLink>
        </Alert>
      )}
      {failed !== null && (
        <Alert
          variant={failed.choices.length > 0 ? 'info' : 'warning'}
          announce
          title={failed.says}
          className="w-full"
          action={
            failed.choices.length === 0 &&
            onPaste && (
              <Button size="small" variant="secondary" onClick={onPaste}>
                Paste the ingredients instead
              </Button>
            )
          }
        >
          {failed.choices.length > 0 && (
            <span className="flex flex-wrap gap-2">
              {failed.choices.map((choice) => (
                <Button key={choice} size="small" variant="secondary" onClick={() => read({ url, choice })}>
                  <bdi>{choice}</bdi>
                </Button>
              ))}
            </span>
          )}
        </Alert>
      )}
      <Button type="submit" busy={busy} disabled={url.trim() === ''}>
        Read the recipe
      </Button>
    </form>
  );
}

function FromText({ reader }: { reader: Reader }) {
  const [text, setText] = useState('');
  const { read, busy, failed } = reader;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !busy) void read({ text });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col items-start gap-3">
      <FormProblem problem={reader.problem} />
      <Field
        className="w-full"
        label="Recipe or caption"
        hint="The ingredients are enough. Steps and hashtags are kept out of the list."
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            rows={8}
            maxLength={20_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {failed !== null && <Alert variant="warning" announce title={failed.says} className="w-full" />}
      <Button type="submit" busy={busy} disabled={text.trim() === ''}>
        Read the recipe
      </Button>
    </form>
  );
}
