/** Members who come with a file from another tool: judged before anything is changed, then let in until what they paid there is over. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { MOST_COLUMNS } from '#contract/imports.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

export const MOST_MOVED_BYTES = 5 * 1024 * 1024;
export const MOST_MOVED_ROWS = 10_000;
/** Names of tiers in one file. */
export const MOST_MOVED_TIERS = 50;

/** What a column is used for. `paid_until`: the last day they paid for, or the day of their next payment. */
export const MoveUse = z.enum(['email', 'name', 'tier', 'paid_until', 'interval', 'ignore']);
export type MoveUse = z.infer<typeof MoveUse>;

/** Where a file comes from, as members are told. */
export const MOVE_TOOLS = {
  memberful: 'Memberful',
  patreon: 'Patreon',
  substack: 'Substack',
  ghost: 'Ghost',
} as const;
export type MoveTool = keyof typeof MOVE_TOOLS;
const Tool = z.nullable(z.enum(Object.keys(MOVE_TOOLS) as [MoveTool, ...MoveTool[]]));

/** What becomes of a row; each has one. Only `new` ones are let in, and get an email. */
export const MOVE_VERDICTS = {
  new: 'Let in until the day in the file',
  already: 'Let in at least as long already',
  member: 'Pay here already',
  double: 'The same address is in another row, which counts',
  past: 'Ended before today: not taken in',
  no_tier: 'No tier is chosen for them',
  invalid: 'Can’t be read',
} as const;
export type MoveVerdict = keyof typeof MOVE_VERDICTS;
const Verdict = z.enum(Object.keys(MOVE_VERDICTS) as [MoveVerdict, ...MoveVerdict[]]);

const Counts = z.object(
  Object.fromEntries(Verdict.options.map((name) => [name, z.int()])) as Record<MoveVerdict, z.ZodMiniNumberFormat>,
);

export const MemberMove = z.object({
  id: Id,
  /** `undone`: those who were let in by it are out again, but for those who pay. */
  state: z.enum(['ready', 'running', 'done', 'undone']),
  fileName: z.string(),
  tool: Tool,
  columns: atMost(MOST_COLUMNS, z.object({ name: z.string(), samples: atMost(3, z.string()), use: MoveUse })),
  /** Names in the file, each with the tier here; null: none is chosen. One name is empty where the file has none. */
  tiers: atMost(MOST_MOVED_TIERS, z.object({ name: z.string(), tierId: z.nullable(Id), rows: z.int() })),
  rows: z.int(),
  /** As it would be; once it ran, as it came to be. */
  counts: Counts,
  /** Of those to be let in, how many are. */
  done: z.int(),
  madeAt: Timestamp,
  undoUntil: z.nullable(Timestamp),
});
export type MemberMove = z.infer<typeof MemberMove>;

const path = '/creators/:creatorId/member-moves';
const params = z.object({ creatorId: Id, moveId: Id });
const ACCESS = { access: 'creator', needs: 'money' } as const;

export const listMemberMoves = endpoint({
  ...ACCESS,
  method: 'GET',
  path,
  refreshedBy: ['imports'],
  summary: 'Files of members who moved in, the newest 20',
  params: CreatorParams,
  response: z.object({
    items: atMost(20, z.object({ id: Id, fileName: z.string(), state: MemberMove.shape.state, madeAt: Timestamp })),
  }),
});

/** The body is the file itself, whatever its content type. */
export const uploadMemberMove = endpoint({
  ...ACCESS,
  method: 'POST',
  path,
  quotas: ['imports'],
  summary: 'Upload a CSV or TSV file of members (the raw body, 5 MB at most); nothing is changed yet',
  params: CreatorParams,
  query: z.object({ fileName: z.optional(z.string().check(z.trim(), z.maxLength(200))) }),
  response: MemberMove,
  errors: ['invalid_input', 'too_large'],
});

export const getMemberMove = endpoint({
  ...ACCESS,
  method: 'GET',
  path: `${path}/:moveId`,
  personal: true,
  refreshedBy: ['imports'],
  summary: 'One file of members: its columns, what becomes of its rows, how far it is',
  params,
  response: MemberMove,
  errors: ['not_found'],
});

export const listMoveRows = endpoint({
  ...ACCESS,
  method: 'GET',
  path: `${path}/:moveId/rows`,
  personal: true,
  summary: 'Rows of a file of members with what becomes of each, in the file’s order; kept for a week',
  params,
  query: z.object({ ...PageQuery, only: z.optional(Verdict) }),
  response: pageOf(
    z.object({
      line: z.int(),
      email: z.nullable(z.string()),
      tier: z.nullable(z.string()),
      paidUntil: z.nullable(Timestamp),
      verdict: Verdict,
      /** What is wrong with it, in a sentence. */
      why: z.nullable(z.string()),
    }),
  ),
  errors: ['not_found', 'invalid_input'],
});

export const changeMemberMove = endpoint({
  ...ACCESS,
  method: 'PATCH',
  path: `${path}/:moveId`,
  summary: 'Say where a file of members comes from, what its columns are, and which tier each of its tiers is here',
  params,
  body: z.object({
    tool: z.optional(Tool),
    uses: z.optional(z.array(MoveUse).check(z.maxLength(MOST_COLUMNS))),
    tiers: z.optional(
      z
        .array(z.object({ name: z.string().check(z.maxLength(200)), tierId: z.nullable(Id) }))
        .check(z.maxLength(MOST_MOVED_TIERS)),
    ),
  }),
  response: MemberMove,
  errors: ['not_found', 'invalid_input', 'not_possible_now'],
});

export const runMemberMove = endpoint({
  ...ACCESS,
  method: 'POST',
  path: `${path}/:moveId/run`,
  summary: 'Let the members of a file in, and mail each how to go on from the day until which they paid',
  params,
  response: MemberMove,
  errors: ['not_found', 'not_possible_now'],
});

export const undoMemberMove = endpoint({
  ...ACCESS,
  method: 'POST',
  path: `${path}/:moveId/undo`,
  summary: 'End what the members of a file were given, within a week; what they pay for here goes on',
  params,
  response: MemberMove,
  errors: ['not_found', 'not_possible_now'],
});
