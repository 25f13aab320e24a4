import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { blocksOf, fieldsOf } from '#contract/email-template-problems.ts';
import {
  EMAIL_TYPES,
  type EmailBlock,
  type EmailDesign,
  type EmailProblem,
  type HideWhen,
  RECIPE_LINK,
} from '#contract/email-templates.ts';
import { FORM_FONTS } from '#contract/forms.ts';
import { listRecipes } from '#contract/recipes.ts';
import { LANGUAGES } from '#contract/suggestions.ts';
import { changeBlock } from '#web/features/email-templates/design-edits.ts';
import { atItsBlock, HIDE_WHEN } from '#web/features/email-templates/design-words.ts';
import { LineField, PartsField } from '#web/features/email-templates/RichTextField.tsx';
import type { DesignState } from '#web/features/email-templates/use-design.ts';
import { BLOCK, MAIL } from '#web/features/email-templates/words.ts';
import { FONTS } from '#web/features/save-to-email/words.ts';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Field, FieldError } from '#web/ui/Field.tsx';
import { Checkbox, Input, Radio, Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Of<Kind extends EmailBlock['kind']> = Extract<EmailBlock, { kind: Kind }>;

type PartProps<Kind extends EmailBlock['kind']> = {
  block: Of<Kind>;
  /** @param field what edits in quick succession are undone together */
  set: (part: Partial<Of<Kind>>, field?: string) => void;
  errorOf: (path: string) => string | undefined;
  editor: DesignState;
};

/** What can be set of one block. */
export function BlockFields({ editor, block }: { editor: DesignState; block: EmailBlock }) {
  const own = editor.problems.filter(({ blockId }) => blockId === block.id);
  const at = editor.design.blocks.findIndex(({ id }) => id === block.id);
  const errorOf = errorsUnder(own, `blocks.${at}`);
  const set = (part: object, field?: string) =>
    editor.edit(
      (design) => changeBlock(design, { ...design.blocks.find(({ id }) => id === block.id)!, ...part } as EmailBlock),
      field === undefined ? undefined : `${block.id}.${field}`,
    );
  // What is about the block as a whole.
  const general = own.filter(({ path }) => path === `blocks.${at}`);
  return (
    <div className="flex flex-col gap-4">
      {general.map(({ message }) => (
        <FieldError key={message}>{atItsBlock(message)}</FieldError>
      ))}
      {partOf({ block: block as never, set, errorOf, editor })}
      {block.kind !== 'footer' && block.kind !== 'confirm' && (
        <HideField block={block} set={set} errorOf={errorOf} editor={editor} />
      )}
    </div>
  );
}

/** The first objection to a path or to anything below it. */
function errorsUnder(problems: readonly EmailProblem[], prefix: string) {
  return (path: string) => {
    const full = `${prefix}.${path}`;
    const found = problems.find((one) => one.path === full || one.path.startsWith(`${full}.`));
    return found && atItsBlock(found.message);
  };
}

function partOf(props: PartProps<never>): ReactNode {
  const any = props as unknown as PartProps<EmailBlock['kind']>;
  switch (any.block.kind) {
    case 'heading':
      return <HeadingFields {...(any as PartProps<'heading'>)} />;
    case 'text':
      return <TextFields {...(any as PartProps<'text'>)} />;
    case 'picture':
      return <PictureFields {...(any as PartProps<'picture'>)} />;
    case 'button':
      return <ButtonFields {...(any as PartProps<'button'>)} />;
    case 'recipe':
      return <RecipeFields {...(any as PartProps<'recipe'>)} />;
    case 'ingredients':
      return <IngredientsFields {...(any as PartProps<'ingredients'>)} />;
    case 'recipes':
      return <RecipesFields {...(any as PartProps<'recipes'>)} />;
    case 'confirm':
      return <ConfirmFields {...(any as PartProps<'confirm'>)} />;
    case 'divider':
      return <p className="text-muted text-sm">{BLOCK.dividerSays}</p>;
    case 'footer':
      return <p className="text-muted text-sm">{BLOCK.footerSays}</p>;
  }
}

function HeadingFields({ block, set, errorOf, editor: { type } }: PartProps<'heading'>) {
  return (
    <>
      <LineField
        label={BLOCK.heading}
        fields={fieldsOf(type)}
        value={block.text}
        onChange={(text) => set({ text }, 'text')}
        error={errorOf('text')}
      />
      <Field label={BLOCK.size}>
        {(wiring) => (
          <Select
            {...wiring}
            value={block.size}
            onChange={({ target }) => set({ size: target.value as typeof block.size })}
          >
            <option value="large">{BLOCK.large}</option>
            <option value="small">{BLOCK.small}</option>
          </Select>
        )}
      </Field>
    </>
  );
}

function TextFields({ block, set, errorOf, editor: { type } }: PartProps<'text'>) {
  return (
    <PartsField
      label={BLOCK.text}
      fields={fieldsOf(type)}
      hasRecipe={EMAIL_TYPES[type].about === 'recipe'}
      value={block.parts}
      onChange={(parts) => set({ parts }, 'parts')}
      error={errorOf('parts')}
    />
  );
}

function PictureFields({ block, set, errorOf, editor }: PartProps<'picture'>) {
  const hasRecipe = EMAIL_TYPES[editor.type].about === 'recipe';
  return (
    <>
      {hasRecipe && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">{BLOCK.picture}</legend>
          <Radio label={BLOCK.ofRecipe} checked={block.url === null} onChange={() => set({ url: null })} />
          <Radio label={BLOCK.ofLink} checked={block.url !== null} onChange={() => set({ url: block.url ?? '' })} />
        </fieldset>
      )}
      {(!hasRecipe || block.url !== null) && (
        <Field label={BLOCK.pictureUrl} error={errorOf('url')}>
          {(wiring) => (
            <LinkInput
              {...wiring}
              value={block.url ?? ''}
              onChange={({ target }) => set({ url: target.value }, 'url')}
            />
          )}
        </Field>
      )}
      <LineField
        label={BLOCK.alt}
        hint={BLOCK.altHint}
        optional
        fields={fieldsOf(editor.type)}
        value={block.alt}
        onChange={(alt) => set({ alt }, 'alt')}
        error={errorOf('alt')}
      />
      <LinkField
        link={block.link}
        onChange={(link, field) => set({ link }, field)}
        error={errorOf('link')}
        hasRecipe={hasRecipe}
        optional
      />
    </>
  );
}

function ButtonFields({ block, set, errorOf, editor: { type } }: PartProps<'button'>) {
  return (
    <>
      <LineField
        label={BLOCK.label}
        fields={fieldsOf(type)}
        value={block.label}
        onChange={(label) => set({ label }, 'label')}
        error={errorOf('label')}
      />
      <LinkField
        link={block.link}
        onChange={(link, field) => set({ link: link ?? '' }, field)}
        error={errorOf('link')}
        hasRecipe={EMAIL_TYPES[type].about === 'recipe'}
      />
    </>
  );
}

type LinkProps = {
  link: string | null;
  onChange: (link: string | null, field?: string) => void;
  error: string | undefined;
  hasRecipe: boolean;
  optional?: boolean;
};

function LinkField({ link, onChange, error, hasRecipe, optional = false }: LinkProps) {
  const own = link !== null && link !== RECIPE_LINK;
  return (
    <>
      {(hasRecipe || optional) && (
        <Field label={BLOCK.link} error={own ? undefined : error}>
          {(wiring) => (
            <Select
              {...wiring}
              value={own ? 'own' : (link ?? 'none')}
              onChange={({ target: { value } }) => onChange(value === 'none' ? null : value === 'own' ? '' : value)}
            >
              {hasRecipe && <option value={RECIPE_LINK}>{BLOCK.ofRecipePage}</option>}
              <option value="own">{BLOCK.ofOther}</option>
              {optional && <option value="none">{BLOCK.noLink}</option>}
            </Select>
          )}
        </Field>
      )}
      {own && (
        <Field label={hasRecipe || optional ? BLOCK.ofOther : BLOCK.link} hint={BLOCK.linkHint} error={error}>
          {(wiring) => <LinkInput {...wiring} value={link} onChange={({ target }) => onChange(target.value, 'link')} />}
        </Field>
      )}
    </>
  );
}

function RecipeFields({ block, set }: PartProps<'recipe'>) {
  return (
    <div>
      <Checkbox
        label={BLOCK.showPicture}
        checked={block.picture}
        onChange={({ target }) => set({ picture: target.checked })}
      />
      <Checkbox
        label={BLOCK.showFacts}
        checked={block.facts}
        onChange={({ target }) => set({ facts: target.checked })}
      />
    </div>
  );
}

function IngredientsFields({ block, set, errorOf, editor: { type } }: PartProps<'ingredients'>) {
  return (
    <>
      <p className="text-muted text-sm">{BLOCK.ingredientsSays}</p>
      <LineField
        label={BLOCK.heading}
        optional
        fields={fieldsOf(type)}
        value={block.heading}
        onChange={(heading) => set({ heading }, 'heading')}
        error={errorOf('heading')}
      />
    </>
  );
}

function ConfirmFields({ block, set, errorOf, editor: { type } }: PartProps<'confirm'>) {
  return (
    <>
      <p className="text-muted text-sm">{BLOCK.confirmSays}</p>
      <LineField
        label={BLOCK.label}
        fields={fieldsOf(type)}
        value={block.label}
        onChange={(label) => set({ label }, 'label')}
        error={errorOf('label')}
      />
    </>
  );
}

const MOST_RECIPES = 12;

function RecipesFields({ block, set, errorOf }: PartProps<'recipes'>) {
  const { creatorId } = useCreator();
  const recipes = useWholeList(listRecipes, { params: { creatorId }, query: {} });
  const { recipeIds, count } = block;
  return (
    <Loaded query={recipes} failed={BLOCK.recipesFailed} skeleton={<Skeleton className="h-24" />}>
      {({ items }) => {
        const nameOf = (id: string) => items.find((recipe) => recipe.id === id)?.name ?? BLOCK.goneRecipe;
        const left = items.filter(({ id }) => !recipeIds.includes(id));
        return (
          <>
            {items.length === 0 && <p className="text-muted text-sm">{BLOCK.noRecipes}</p>}
            {recipeIds.length === 0 ? (
              <Field label={BLOCK.count} hint={BLOCK.newest} error={errorOf('count')}>
                {(wiring) => (
                  <Select {...wiring} value={count} onChange={({ target }) => set({ count: Number(target.value) })}>
                    {Array.from({ length: MOST_RECIPES }, (_, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: numbers in their order
                      <option key={at}>{at + 1}</option>
                    ))}
                  </Select>
                )}
              </Field>
            ) : (
              <ul aria-label={BLOCK.chosen} className="flex flex-col gap-1">
                {recipeIds.map((id) => (
                  <li key={id} className="flex items-center justify-between gap-2 rounded-md border border-line px-3">
                    <bdi className="min-w-0 truncate">{nameOf(id)}</bdi>
                    <IconButton
                      label={BLOCK.removeRecipe(nameOf(id))}
                      onClick={() => set({ recipeIds: recipeIds.filter((one) => one !== id) })}
                    >
                      <X aria-hidden="true" className="size-4" />
                    </IconButton>
                  </li>
                ))}
              </ul>
            )}
            {left.length > 0 && recipeIds.length < MOST_RECIPES && (
              <Field label={recipeIds.length === 0 ? BLOCK.chosen : BLOCK.addRecipe} error={errorOf('recipeIds')}>
                {(wiring) => (
                  <Select
                    {...wiring}
                    value=""
                    onChange={({ target }) => target.value && set({ recipeIds: [...recipeIds, target.value] })}
                  >
                    <option value="">{BLOCK.addRecipe}</option>
                    {left.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function HideField({ block, set, errorOf, editor: { type } }: PartProps<EmailBlock['kind']>) {
  const { about, asks } = EMAIL_TYPES[type];
  const choices: HideWhen[] = [
    ...(about === 'recipe' ? (['no_ingredients', 'no_picture'] as const) : []),
    ...(asks ? (['confirmed'] as const) : []),
  ];
  if (choices.length === 0 && block.hideWhen === null) return null;
  return (
    <Field label={BLOCK.hideWhen} error={errorOf('hideWhen')}>
      {(wiring) => (
        <Select
          {...wiring}
          value={block.hideWhen ?? ''}
          onChange={({ target }) => set({ hideWhen: (target.value || null) as HideWhen | null })}
        >
          <option value="">{BLOCK.never}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {HIDE_WHEN[choice]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Subject, language and look: what is of the mail and of no block. */
export function MailFields({ editor }: { editor: DesignState }) {
  const { design, type, problems } = editor;
  const { look, language } = design;
  const errorOf = (path: string) => problems.find((one) => one.blockId === null && one.path === path)?.message;
  const set = (part: Partial<EmailDesign>, field?: string) => editor.edit((now) => ({ ...now, ...part }), field);
  const setLook = (part: Partial<EmailDesign['look']>, field?: string) =>
    editor.edit((now) => ({ ...now, look: { ...now.look, ...part } }), field);
  return (
    <div className="flex flex-col gap-4">
      <LineField
        label={MAIL.subject}
        fields={fieldsOf(type)}
        value={design.subject}
        onChange={(subject) => set({ subject }, 'subject')}
        error={errorOf('subject')}
      />
      <LineField
        label={MAIL.preheader}
        hint={MAIL.preheaderHint}
        optional
        fields={fieldsOf(type)}
        value={design.preheader}
        onChange={(preheader) => set({ preheader }, 'preheader')}
        error={errorOf('preheader')}
      />
      <div className="grid grid-cols-2 gap-4">
        <Field label={MAIL.button} error={errorOf('look.button')}>
          {(wiring) => (
            <Input
              {...wiring}
              type="color"
              className="p-1"
              value={look.button}
              onChange={({ target }) => setLook({ button: target.value }, 'button')}
            />
          )}
        </Field>
        <Field label={MAIL.buttonText} error={errorOf('look.buttonText')}>
          {(wiring) => (
            <Input
              {...wiring}
              type="color"
              className="p-1"
              value={look.buttonText}
              onChange={({ target }) => setLook({ buttonText: target.value }, 'buttonText')}
            />
          )}
        </Field>
      </div>
      <Field label={MAIL.font}>
        {(wiring) => (
          <Select
            {...wiring}
            value={look.font}
            onChange={({ target }) => setLook({ font: target.value as typeof look.font })}
          >
            {FORM_FONTS.map((font) => (
              <option key={font} value={font}>
                {FONTS[font]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={MAIL.language} hint={MAIL.languageHint} error={errorOf('language')}>
        {(wiring) => (
          <Select {...wiring} value={language} onChange={({ target }) => set({ language: target.value })}>
            {!Object.hasOwn(MAIL_LANGUAGES, language) && <option value={language}>{language}</option>}
            {Object.entries(MAIL_LANGUAGES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

/** With those that are written from right to left. */
const MAIL_LANGUAGES: Readonly<Record<string, string>> = { ...LANGUAGES, ar: 'Arabic', he: 'Hebrew', fa: 'Persian' };

/** Kinds to choose from: the newsletter question is there once. */
export function addableKinds({ type, design }: DesignState) {
  return blocksOf(type).filter(
    (kind) => kind !== 'confirm' || design.blocks.every((block) => block.kind !== 'confirm'),
  );
}
