import { Plus, Trash2 } from 'lucide-react';
import type { AutomationInput, Card, Translation } from '#contract/automations.ts';
import { LANGUAGES, suggestionsFor } from '#contract/suggestions.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { Folded } from '#web/features/automations/Folded.tsx';
import { MessageTextField } from '#web/features/automations/MessageTextField.tsx';
import { kindOfMessage } from '#web/features/automations/preview-conversation.ts';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select, Switch } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

type Props = FieldsProps & { values: { username: string; word: string } };

const NO_CARD: Card = { title: '', subtitle: '', imageUrl: null };
const LETTERS = ['b', 'c', 'd', 'e'] as const;

/** A product card above the buttons. */
export function CardFields({ input, set, errorOf }: FieldsProps) {
  const { card } = input;
  const change = (part: Partial<Card>) => set('card', { ...(card ?? NO_CARD), ...part });
  const fields = ['title', 'subtitle', 'imageUrl'] as const;
  return (
    <Folded
      title="Product card"
      summary={card === null ? 'Off' : card.title || 'No title yet'}
      active={card !== null}
      hasError={fields.some((field) => errorOf(`card.${field}`) !== undefined)}
    >
      <Switch
        label="Send a card with a picture and title"
        hint="The card is sent instead of your message, with your link buttons. If the second line is empty, it shows the start of your message."
        checked={card !== null}
        onChange={(event) => set('card', event.target.checked ? NO_CARD : null)}
      />
      {card && (
        <>
          <Field label="Title" error={errorOf('card.title')} aside={`${card.title.length} of 80`}>
            {(wiring) => (
              <Input
                {...wiring}
                dir="auto"
                value={card.title}
                onChange={(event) => change({ title: event.target.value })}
              />
            )}
          </Field>
          <Field label="Second line" optional error={errorOf('card.subtitle')} aside={`${card.subtitle.length} of 80`}>
            {(wiring) => (
              <Input
                {...wiring}
                dir="auto"
                value={card.subtitle}
                onChange={(event) => change({ subtitle: event.target.value })}
              />
            )}
          </Field>
          <Field label="Picture" optional hint="Link to a picture on your site." error={errorOf('card.imageUrl')}>
            {(wiring) => (
              <LinkInput
                {...wiring}
                value={card.imageUrl ?? ''}
                onChange={(event) => change({ imageUrl: event.target.value.trim() || null })}
              />
            )}
          </Field>
        </>
      )}
    </Folded>
  );
}

/** Other wordings of the message, compared with the first. */
export function VariantFields({ input, set, errorOf, read, values }: Props & { read: () => AutomationInput }) {
  const { variants } = input;
  const free = LETTERS.find((letter) => variants.every(({ id }) => id !== letter));
  return (
    <Folded
      title="Compare versions"
      summary={variants.length === 0 ? 'Off' : `${variants.length + 1} versions, rotated`}
      active={variants.length > 0}
      hasError={variants.some((_, at) => errorOf(`variants.${at}.text`) !== undefined)}
    >
      <p className="text-muted text-sm">
        Your message is version A. Each follower gets one at random, and we count which gets more clicks.
      </p>
      {variants.map((variant, at) => (
        <MessageTextField
          key={variant.id}
          label={`Wording ${variant.id.toUpperCase()}`}
          kind={kindOfMessage(input)}
          values={values}
          value={variant.text}
          onChange={(text) =>
            set(
              'variants',
              variants.map((other) => (other === variant ? { ...variant, text } : other)),
            )
          }
          error={errorOf(`variants.${at}.text`)}
          beside={
            <IconButton
              label={`Remove version ${variant.id.toUpperCase()}`}
              onClick={() =>
                set(
                  'variants',
                  variants.filter((other) => other !== variant),
                )
              }
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          }
        />
      ))}
      {free && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          onClick={() => set('variants', [...variants, { id: free, text: read().messageText }])}
        >
          <Plus aria-hidden="true" className="size-4" />
          Add version {free.toUpperCase()}
        </Button>
      )}
    </Folded>
  );
}

/** The message for followers who wrote a word of another language. */
export function TranslationFields({ input, set, errorOf, values }: Props) {
  const { translations } = input;
  const change = (at: number, part: Partial<Translation>) =>
    set(
      'translations',
      translations.map((translation, place) => (place === at ? { ...translation, ...part } : translation)),
    );
  const left = Object.entries(LANGUAGES).filter(([code]) => translations.every(({ language }) => language !== code));
  return (
    <Folded
      title="Other languages"
      summary={translations.length === 0 ? 'Off' : translations.map(({ language }) => nameOf(language)).join(', ')}
      active={translations.length > 0}
      hasError={translations.some((_, at) => errorsIn(translations[at]!, `translations.${at}`, errorOf))}
    >
      <p className="text-muted text-sm">Followers who use a keyword in this language get your message in it.</p>
      {translations.map((translation, at) => {
        const { language } = translation;
        return (
          <fieldset key={language} className="flex flex-col gap-4 rounded-md border border-line p-3">
            <legend className="px-1 font-medium">{nameOf(language)}</legend>
            <Field label="Words or phrases" error={errorOf(`translations.${at}.words`)}>
              {(wiring) => (
                <TagInput {...wiring} value={translation.words} onChange={(words) => change(at, { words })} />
              )}
            </Field>
            <MessageTextField
              label={`Message in ${nameOf(language)}`}
              kind={kindOfMessage(input)}
              values={values}
              value={translation.messageText}
              onChange={(messageText) => change(at, { messageText })}
              error={errorOf(`translations.${at}.messageText`)}
            />
            {translation.publicReplies.map((reply, place) => (
              <MessageTextField
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; texts may be the same
                key={place}
                label={place === 0 ? `Public reply in ${nameOf(language)}` : `Public reply ${place + 1}`}
                kind="public_reply"
                rows={2}
                values={values}
                value={reply}
                onChange={(text) =>
                  change(at, {
                    publicReplies: translation.publicReplies.map((old, other) => (other === place ? text : old)),
                  })
                }
                error={errorOf(`translations.${at}.publicReplies.${place}`)}
              />
            ))}
            <div className="flex flex-wrap gap-2">
              <Button
                variant="quiet"
                size="small"
                onClick={() => change(at, { publicReplies: [...translation.publicReplies, ''] })}
              >
                <Plus aria-hidden="true" className="size-4" />
                Add a public reply
              </Button>
              <Button
                variant="quiet"
                size="small"
                className="text-error-ink"
                onClick={() =>
                  set(
                    'translations',
                    translations.filter((other) => other !== translation),
                  )
                }
              >
                <Trash2 aria-hidden="true" className="size-4" />
                Remove {nameOf(language)}
              </Button>
            </div>
          </fieldset>
        );
      })}
      {left.length > 0 && (
        <Field label="Add a language" className="max-w-64">
          {(wiring) => (
            <Select
              {...wiring}
              value=""
              onChange={(event) => set('translations', [...translations, begun(event.target.value, input)])}
            >
              <option value="">Choose</option>
              {left.map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </Folded>
  );
}

function nameOf(language: string): string {
  return LANGUAGES[language] ?? language;
}

/** With the words that we know for it. */
function begun(language: string, { words }: AutomationInput): Translation {
  const known = words.flatMap((word) => suggestionsFor(word).translations.filter((one) => one.language === language));
  return {
    language,
    words: [...new Set(known.flatMap((translation) => translation.words))],
    messageText: '',
    publicReplies: [],
  };
}

function errorsIn(translation: Translation, path: string, errorOf: FieldsProps['errorOf']): boolean {
  const paths = [
    'language',
    'words',
    'messageText',
    ...translation.publicReplies.map((_, at) => `publicReplies.${at}`),
  ];
  return paths.some((part) => errorOf(`${path}.${part}`) !== undefined);
}
