import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMAIL_LIMITS, type EmailBlock, type EmailDesign } from '#contract/email-templates.ts';
import {
  addBlock,
  changeBlock,
  doubleBlock,
  moveBlock,
  newBlock,
  removeBlock,
} from '#web/features/email-templates/design-edits.ts';
import { beginHistory, reduceHistory, type Step as StepOf, type History as Steps } from '#web/shell/history.ts';

type History = Steps<EmailDesign>;
type Step = StepOf<EmailDesign>;

const heading = (id: string): EmailBlock => ({ id, hideWhen: null, kind: 'heading', text: id, size: 'large' });
const designOf = (...ids: string[]): EmailDesign => ({
  subject: 'Lemon pasta',
  preheader: '',
  language: 'en',
  look: { button: '#1e6b4a', buttonText: '#ffffff', font: 'system' },
  blocks: [...ids.map(heading), { id: 'footer', hideWhen: null, kind: 'footer' }],
});
const idsOf = ({ blocks }: EmailDesign) => blocks.map(({ id }) => id).join(' ');

describe('blocks', () => {
  test('are added behind another one, and at the end before the footer', () => {
    const design = designOf('a', 'b');
    expect(idsOf(addBlock(design, heading('c'), 'a'))).toBe('a c b footer');
    expect(idsOf(addBlock(design, heading('c'), null))).toBe('a b c footer');
    expect(idsOf(addBlock(design, heading('c'), 'footer'))).toBe('a b c footer');
  });

  test('move within the mail, never behind the footer', () => {
    const design = designOf('a', 'b', 'c');
    expect(idsOf(moveBlock(design, 'a', 1))).toBe('b a c footer');
    expect(idsOf(moveBlock(design, 'c', 0))).toBe('c a b footer');
    expect(idsOf(moveBlock(design, 'a', 9))).toBe('b c a footer');
    expect(moveBlock(design, 'a', -1)).toBe(design);
    expect(moveBlock(design, 'footer', 0)).toBe(design);
  });

  test('are doubled behind themselves under an id of their own', () => {
    const doubled = doubleBlock(designOf('a', 'b'), 'a', 'c');
    expect(idsOf(doubled)).toBe('a c b footer');
    expect(doubled.blocks[1]).toEqual({ ...heading('a'), id: 'c' });
  });

  test('are removed, but not the footer', () => {
    const design = designOf('a', 'b');
    expect(idsOf(removeBlock(design, 'a'))).toBe('b footer');
    expect(removeBlock(design, 'footer')).toBe(design);
  });

  test('are at most sixty', () => {
    const full = designOf(...Array.from({ length: EMAIL_LIMITS.blocks - 1 }, (_, at) => `b${at}`));
    expect(addBlock(full, heading('c'), null)).toBe(full);
    expect(doubleBlock(full, 'b0', 'c')).toBe(full);
  });

  test('of every kind begin as something that the contract knows', () => {
    for (const kind of [
      'heading',
      'text',
      'picture',
      'button',
      'recipe',
      'ingredients',
      'confirm',
      'divider',
    ] as const) {
      expect(newBlock(kind, 'x', 'save-to-email')).toMatchObject({ id: 'x', kind });
    }
  });
});

const edit = (change: (design: EmailDesign) => EmailDesign, what?: string, atMs = 0): Step => ({
  do: 'edit',
  change,
  atMs,
  ...(what !== undefined && { what }),
});
const type = (text: string, atMs: number) =>
  edit((design) => changeBlock(design, { ...heading('a'), text } as EmailBlock), 'a.text', atMs);
const run = (steps: Step[], from = beginHistory(designOf('a', 'b'))) => steps.reduce(reduceHistory, from);

describe('undo and redo', () => {
  test('typing in one field is one step until it pauses', () => {
    const typed = run([type('H', 0), type('Hi', 400), type('Hi!', 3000)]);
    expect(typed.past).toHaveLength(2);
    const undone = run([{ do: 'undo' }], typed);
    expect(undone.now.blocks[0]).toMatchObject({ text: 'Hi' });
    expect(run([{ do: 'undo' }], undone).now).toEqual(designOf('a', 'b'));
  });

  test('what follows an undo is a step of its own, and nothing is left to redo', () => {
    const history = run([type('Hi', 0), { do: 'undo' }, type('Ho', 100)]);
    expect(history.future).toEqual([]);
    expect(run([{ do: 'undo' }], history).now).toEqual(designOf('a', 'b'));
  });

  test('an edit that changes nothing is no step', () => {
    expect(run([edit((design) => moveBlock(design, 'a', 0))]).past).toEqual([]);
  });

  test('another design to begin with has nothing before it', () => {
    expect(run([type('Hi', 0), { do: 'begin', now: designOf('z') }])).toEqual(beginHistory(designOf('z')));
  });

  test('undoing everything gives the first design, redoing everything the last, whatever was done', () => {
    const place = fc.nat({ max: 5 });
    const steps = fc.array(
      fc.oneof(
        fc.tuple(place, place).map(([from, to]) => edit((design) => moveBlock(design, idAt(design, from), to))),
        place.map((at) => edit((design) => removeBlock(design, idAt(design, at)))),
        fc.tuple(place, fc.uuid()).map(([at, id]) => edit((design) => doubleBlock(design, idAt(design, at), id))),
        fc.tuple(place, fc.uuid()).map(([at, id]) => edit((design) => addBlock(design, heading(id), idAt(design, at)))),
        fc.constantFrom<Step[]>({ do: 'undo' }, { do: 'redo' }) as fc.Arbitrary<Step>,
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (done) => {
        const end = run(done);
        expect(end.now.blocks.at(-1)!.kind).toBe('footer');
        expect(new Set(end.now.blocks.map(({ id }) => id)).size).toBe(end.now.blocks.length);
        const first = all('undo', end);
        expect(first.now).toEqual(designOf('a', 'b'));
        const last = all('redo', first);
        expect(all('undo', last).now).toEqual(designOf('a', 'b'));
        expect(last.past).toHaveLength(end.past.length + end.future.length);
        expect(all('redo', end).now).toEqual(last.now);
      }),
    );
  });
});

function idAt({ blocks }: EmailDesign, at: number): string {
  return blocks[at % blocks.length]!.id;
}

function all(direction: 'undo' | 'redo', history: History): History {
  const next = reduceHistory(history, { do: direction });
  return next === history ? history : all(direction, next);
}
