import {
  type Condition,
  type ConditionGroup,
  SEGMENT_FIELDS,
  type Segment,
  type SegmentField,
} from '#contract/segments.ts';
import { NEWSLETTER } from '#web/features/contacts/words.ts';
import { numerals } from '#web/ui/numerals.ts';

/** Read as one sentence: "Last seen not within 365 days". */
type FieldWords = { label: string; is: string; isNot: string; unit?: string; example?: string };

const INCLUDE = { is: 'include', isNot: 'don’t include' };
const IS = { is: 'is', isNot: 'is not' };
const WITHIN = { is: 'within', isNot: 'not within', unit: 'days', example: '90' };

export const FIELD_WORDS: Record<SegmentField, FieldWords> = {
  status: { label: 'Newsletter', ...IS },
  tag: { label: 'Tags', ...INCLUDE },
  saved_page: { label: 'Saved pages', ...INCLUDE, example: 'https://yourblog.com/lemon-pasta' },
  saves: { label: 'Saves', is: 'at least', isNot: 'fewer than', example: '3' },
  saved_within: { label: 'Last save', ...WITHIN },
  source: { label: 'Source', ...IS },
  form: { label: 'Forms', ...INCLUDE },
  site: { label: 'Blogs', ...INCLUDE },
  confirmed_within: { label: 'Newsletter confirmed', ...WITHIN },
  seen_within: { label: 'Last seen', ...WITHIN },
  clicked_within: { label: 'Last click in a newsletter', ...WITHIN },
  follows: { label: 'Follows you', ...IS },
  language: { label: 'Language', ...IS },
};

export const FIELDS = Object.keys(SEGMENT_FIELDS) as SegmentField[];

export type ValueChoice = { value: string; label: string };
/** What there is to choose from, of the fields whose values nobody types. */
export type Choices = Partial<Record<SegmentField, readonly ValueChoice[]>>;

const LANGUAGES = 'en_es_fr_de_it_pt_nl_sv_da_nb_fi_pl_cs_tr_el_uk_ru_he_ar_hi_id_vi_th_ja_ko_zh'.split('_');

export function fixedChoices(): Choices {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return {
    status: Object.entries(NEWSLETTER).map(([value, label]) => ({ value, label })),
    source: [
      { value: 'blog', label: 'Your blog' },
      { value: 'dm', label: 'DMs and comments' },
      { value: 'file', label: 'An imported file' },
      { value: 'tool', label: 'A newsletter tool' },
      { value: 'team', label: 'Added by hand' },
    ],
    follows: [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ],
    language: LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value })),
  };
}

export function conditionWords({ field, negated, value }: Condition, choices: Choices): string {
  const { label, is, isNot, unit } = FIELD_WORDS[field];
  const of = choices[field];
  const shown = of === undefined ? value : (of.find((one) => one.value === value)?.label ?? 'something deleted');
  return [label, negated ? isNot : is, shown, unit].filter(Boolean).join(' ');
}

/** "Newsletter is Confirmed, and Last seen not within 365 days" */
export function segmentWords({ match, groups }: Segment, choices: Choices): string {
  const parts = groups.map((group) => groupWords(group, choices, groups.length > 1));
  return parts.join(match === 'all' ? ', and ' : ', or ');
}

function groupWords({ match, negated, conditions }: ConditionGroup, choices: Choices, isOneOfMore: boolean): string {
  const words = conditions.map((one) => conditionWords(one, choices)).join(match === 'all' ? ', and ' : ', or ');
  if (negated) return `not (${words})`;
  return isOneOfMore && conditions.length > 1 ? `(${words})` : words;
}

export type GroupMatch = 'all' | 'any' | 'none' | 'not_all';

export const GROUP_MATCH: Record<GroupMatch, string> = {
  all: 'all of these',
  any: 'any of these',
  none: 'none of these',
  not_all: 'not all of these',
};

/** To begin with. */
export const READY_MADE: readonly { name: string; segment: string }[] = [
  { name: 'Saved a recipe this season', segment: 'all;all,saved_within:90' },
  { name: 'Confirmed, but quiet for a year', segment: 'all;all,status:confirmed,!seen_within:365' },
  { name: 'Follow you, not on your newsletter', segment: 'all;all,follows:yes,status:none' },
];

export const SEGMENTS = {
  filter: 'Segment',
  unsaved: 'Your conditions',
  conditions: 'Filter by conditions',
  edit: 'Edit conditions',
  saveAs: 'Save as segment',
  title: 'Find contacts by conditions',
  editTitle: 'Edit segment',
  says: 'Save it as a segment to find the same kind of contacts again, or to write to them.',
  start: 'Start from',
  match: 'Match',
  matchGroups: { all: 'all groups', any: 'any group' },
  group: (at: number) => `Group ${at + 1}`,
  condition: (at: number) => `Condition ${at + 1}`,
  field: 'Field',
  operator: 'Comparison',
  value: 'Value',
  choose: 'Choose',
  nothingToChoose: 'None yet',
  gone: 'Deleted',
  addCondition: 'Add condition',
  addGroup: 'Add group',
  removeCondition: (at: number) => `Remove condition ${at + 1}`,
  full: (most: number) => `That’s ${most} conditions, the limit.`,
  badValue: { number: 'Enter a whole number from 1 to 9,999.', address: 'Enter the whole address, with https://.' },
  name: 'Name of the segment',
  nameHint: 'To save it. Only your team sees it.',
  noName: 'Enter a name to save it.',
  incomplete: 'Fill in every condition to see who matches.',
  counting: 'Counting…',
  cannotCount: 'Couldn’t count just now.',
  count: (many: number | null) =>
    many === null
      ? 'So many contacts that counting takes too long'
      : many === 1
        ? '1 contact matches'
        : `${numerals(many)} contacts match`,
  savers:
    'People who saved a recipe but never asked for your newsletter are left out unless a condition is about saves.',
  show: 'Show contacts',
  save: 'Save segment',
  saveChanges: 'Save changes',
  saved: 'Segment saved',
  notFound: 'Segment not found',
  notFoundSays: 'It was deleted, or the address is incomplete.',
  loading: 'Loading the segment',
  failed: 'Couldn’t load your segments',
};

export const MANAGE = {
  link: 'Segments and tags',
  title: 'Segments and tags',
  description: 'Ways to find the same kind of contacts again.',
  back: 'Contacts',
  segments: 'Segments',
  segmentsSay: 'Contacts join and leave by themselves as they match or not.',
  newSegment: 'New segment',
  noSegments: 'No segments yet. Start with one of these, or make your own.',
  loadingSegments: 'Loading your segments',
  edit: 'Edit',
  remove: 'Delete',
  undo: 'Undo',
  removed: (name: string) => `Segment “${name}” deleted.`,
  restored: 'Segment is back',
  tags: 'Tags',
  tagsSay: 'Words you give to contacts yourself.',
  noTags: 'No tags yet. Open a contact, or select several, to add one.',
  loadingTags: 'Loading your tags',
  failedTags: 'Couldn’t load your tags',
  contacts: (many: number) => (many === 1 ? '1 contact' : `${numerals(many)} contacts`),
  rename: 'Rename',
  renameTitle: (name: string) => `Rename “${name}”`,
  tagName: 'Tag',
  removeTag: (name: string) => `Delete the tag “${name}”?`,
  removeTagSays: (many: number) =>
    many === 0
      ? 'No contact has it.'
      : `${many === 1 ? '1 contact loses' : `${numerals(many)} contacts lose`} it. The contacts themselves stay. This can’t be undone.`,
  keep: 'Keep tag',
  tagRemoved: 'Tag deleted',
  cancel: 'Cancel',
};
