import { type Keyword, listKeywords } from '#contract/keywords.ts';
import { listReplies, type Reply, type ReplyKind } from '#contract/replies.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { keywordsPath, repliesPath } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useWholeList } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Select } from '#web/ui/inputs.tsx';

const NO_KEYWORDS: Keyword[] = [];
const NO_REPLIES: Reply[] = [];

/** The creator's Custom Keywords; empty until they are there. */
export function useKeywords(): Keyword[] {
  const { creatorId } = useCreator();
  return useWholeList(listKeywords, { params: { creatorId } }).data?.items ?? NO_KEYWORDS;
}

/** The creator's Custom Replies of one kind; empty until they are there. */
export function useReplies(kind: ReplyKind): Reply[] {
  const { creatorId } = useCreator();
  const all = useWholeList(listReplies, { params: { creatorId } }).data?.items;
  return all?.filter((reply) => reply.kind === kind) ?? NO_REPLIES;
}

/** Which Custom Keywords it listens for besides its own words. Says nothing while there are none. */
export function KeywordPicker({ input, set }: Omit<FieldsProps, 'errorOf'>) {
  const keywords = useKeywords();
  if (keywords.length === 0) return null;
  const chosen = new Set(input.keywordIds);
  return (
    <fieldset className="flex max-h-72 flex-col overflow-y-auto">
      <legend className="mb-1 font-medium text-sm">
        Custom Keywords <span className="font-normal text-faint">(optional)</span>
      </legend>
      {keywords.map(({ id, name, words }) => (
        <Checkbox
          key={id}
          label={<bdi>{name}</bdi>}
          hint={<bdi className="line-clamp-1">{words.slice(0, 12).join(', ')}</bdi>}
          checked={chosen.has(id)}
          onChange={(event) =>
            set(
              'keywordIds',
              event.target.checked ? [...input.keywordIds, id] : input.keywordIds.filter((other) => other !== id),
            )
          }
        />
      ))}
      <TextLink to={keywordsPath()} className="self-start text-sm">
        Change Custom Keywords
      </TextLink>
    </fieldset>
  );
}

/** The library whose replies take turns with its own. Says nothing while there is none. */
export function ReplyPicker({ input, set }: Omit<FieldsProps, 'errorOf'>) {
  const replies = useReplies('public_reply');
  if (replies.length === 0) return null;
  return (
    <Field
      label="Custom Replies"
      optional
      hint="We rotate them with the replies above."
      aside={<TextLink to={repliesPath()}>Change</TextLink>}
    >
      {(wiring) => (
        <Select
          {...wiring}
          value={input.replyId ?? ''}
          onChange={(event) => set('replyId', event.target.value === '' ? null : event.target.value)}
        >
          <option value="">None</option>
          {replies.map(({ id, name, texts }) => (
            <option key={id} value={id}>
              {name} ({texts.length})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
