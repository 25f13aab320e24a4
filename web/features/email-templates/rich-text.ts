/** Text of an email as ProseMirror's documents: bold, italic, links, lists and fields, and nothing else can be typed or pasted. */
import { type DOMOutputSpec, Fragment, type Mark, type Node, type NodeSpec, Schema } from 'prosemirror-model';
import { readFields } from '#contract/email-template-problems.ts';
import { EMAIL_FIELDS, type EmailField, RECIPE_LINK, type TextPart, type TextRun } from '#contract/email-templates.ts';

const GOOD_LINK = /^(?:https?:\/\/[^\s/?#]|mailto:[^\s@]+@)/i;

/** Null: nothing that a mail may lead to. */
export function linkOf(typed: string): string | null {
  const link = typed.trim();
  return link === RECIPE_LINK || GOOD_LINK.test(link) ? link : null;
}

const inside: Record<'paragraph' | 'hard_break' | 'field' | 'text', NodeSpec> = {
  paragraph: {
    content: 'inline*',
    group: 'block',
    parseDOM: [{ tag: 'p' }],
    toDOM: (): DOMOutputSpec => ['p', { dir: 'auto' }, 0],
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: (): DOMOutputSpec => ['br'],
  },
  field: {
    inline: true,
    group: 'inline',
    atom: true,
    attrs: { name: {}, instead: { default: null } },
    leafText: (node) => written(node),
    parseDOM: [
      {
        tag: 'span[data-field]',
        getAttrs: (span) => {
          const [piece] = readFields(span.dataset.field ?? '');
          return typeof piece === 'object' && Object.hasOwn(EMAIL_FIELDS, piece.name) ? piece : false;
        },
      },
    ],
    toDOM: (node): DOMOutputSpec => [
      'span',
      { 'data-field': written(node) },
      EMAIL_FIELDS[node.attrs.name as EmailField].label,
    ],
  },
  text: { group: 'inline' },
};

/** Paragraphs and lists. */
export const TEXT = new Schema({
  nodes: {
    doc: { content: 'block+' },
    ...inside,
    bullet_list: {
      content: 'list_item+',
      group: 'block',
      parseDOM: [{ tag: 'ul' }],
      toDOM: (): DOMOutputSpec => ['ul', 0],
    },
    ordered_list: {
      content: 'list_item+',
      group: 'block',
      parseDOM: [{ tag: 'ol' }],
      toDOM: (): DOMOutputSpec => ['ol', 0],
    },
    list_item: {
      content: 'paragraph',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: (): DOMOutputSpec => ['li', 0],
    },
  },
  marks: {
    link: {
      attrs: { href: {} },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (anchor) => {
            const href = linkOf(anchor.getAttribute('href') ?? '');
            return href === null ? false : { href };
          },
        },
      ],
      toDOM: (mark): DOMOutputSpec => ['a', { href: mark.attrs.href as string }, 0],
    },
    bold: {
      parseDOM: [{ tag: 'strong' }, { tag: 'b' }, { style: 'font-weight=bold' }],
      toDOM: (): DOMOutputSpec => ['strong', 0],
    },
    italic: {
      parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }],
      toDOM: (): DOMOutputSpec => ['em', 0],
    },
  },
});

/** One line with fields. */
export const LINE = new Schema({
  nodes: {
    doc: { content: 'paragraph' },
    paragraph: { ...inside.paragraph, content: '(text | field)*', marks: '' },
    field: inside.field,
    text: inside.text,
  },
});

const LIST_KINDS = { bullet_list: 'bullets', ordered_list: 'numbers' } as const;

export function docOfParts(parts: readonly TextPart[]): Node {
  const { paragraph, bullet_list, ordered_list, list_item, hard_break } = TEXT.nodes;
  const blocks = parts.map(({ kind, lines }) => {
    if (kind === 'paragraph') {
      const inline = lines.flatMap((runs, at) => [...(at > 0 ? [hard_break!.create()] : []), ...inlineOfRuns(runs)]);
      return paragraph!.create(null, inline);
    }
    const items = lines.map((runs) => list_item!.create(null, paragraph!.create(null, inlineOfRuns(runs))));
    return (kind === 'bullets' ? bullet_list! : ordered_list!).create(null, items.length > 0 ? items : [emptyItem()]);
  });
  return TEXT.topNodeType.create(null, blocks.length > 0 ? blocks : [paragraph!.create()]);
}

const emptyItem = () => TEXT.nodes.list_item!.create(null, TEXT.nodes.paragraph!.create());

export function partsOfDoc(doc: Node): TextPart[] {
  if (doc.childCount === 1 && doc.firstChild!.isTextblock && doc.firstChild!.childCount === 0) return [];
  return doc.children.map((node): TextPart => {
    const list = LIST_KINDS[node.type.name as keyof typeof LIST_KINDS];
    if (list === undefined) return { kind: 'paragraph', lines: linesOf(node) };
    // What is broken by hand within an item is one line.
    return { kind: list, lines: node.children.map((item) => runsOf(item.firstChild!.children)) };
  });
}

function linesOf(paragraph: Node): TextRun[][] {
  const lines: Node[][] = [[]];
  for (const child of paragraph.children) {
    if (child.type.name === 'hard_break') lines.push([]);
    else lines.at(-1)!.push(child);
  }
  return lines.map(runsOf);
}

/** Neighbors that look the same are one run. */
function runsOf(inline: readonly Node[]): TextRun[] {
  const runs: TextRun[] = [];
  for (const node of inline) {
    const run = runOf(node);
    const before = runs.at(-1);
    if (before && before.bold === run.bold && before.italic === run.italic && before.link === run.link) {
      before.text += run.text;
    } else runs.push(run);
  }
  return runs;
}

function runOf(node: Node): TextRun {
  const { link, bold, italic } = TEXT.marks;
  const text = node.type.name === 'hard_break' ? ' ' : written(node);
  return {
    text,
    bold: bold!.isInSet(node.marks) !== undefined,
    italic: italic!.isInSet(node.marks) !== undefined,
    link: (link!.isInSet(node.marks)?.attrs.href as string | undefined) ?? null,
  };
}

function inlineOfRuns(runs: readonly TextRun[]): Node[] {
  const { link, bold, italic } = TEXT.marks;
  return runs.flatMap((run) => {
    const marks = [
      ...(run.link === null ? [] : [link!.create({ href: run.link })]),
      ...(run.bold ? [bold!.create()] : []),
      ...(run.italic ? [italic!.create()] : []),
    ];
    return inlineOfText(TEXT, run.text, marks);
  });
}

export function docOfLine(text: string): Node {
  return LINE.topNodeType.create(null, LINE.nodes.paragraph!.create(null, inlineOfText(LINE, text)));
}

export function lineOfDoc(doc: Node): string {
  return doc.firstChild!.children.map(written).join('');
}

/** Fields that are known become chips; others stay as they are written, for their author to see. */
export function inlineOfText(schema: Schema, text: string, marks: readonly Mark[] = []): Node[] {
  return readFields(text).flatMap((piece) => {
    if (typeof piece === 'string') return piece === '' ? [] : [schema.text(piece, marks)];
    if (!Object.hasOwn(EMAIL_FIELDS, piece.name)) return [schema.text(fieldText(piece), marks)];
    return [schema.nodes.field!.create(piece, null, marks)];
  });
}

/** A field to insert, with its usual words for where there is nothing. */
export function newField(schema: Schema, name: EmailField): Fragment {
  const { instead } = EMAIL_FIELDS[name];
  return Fragment.from(schema.nodes.field!.create({ name, instead: instead === '' ? null : instead }));
}

function written(node: Node): string {
  return node.isText ? node.text! : fieldText(node.attrs as { name: string; instead: string | null });
}

function fieldText({ name, instead }: { name: string; instead: string | null }): string {
  return `{${name}${instead === null ? '' : `|${instead}`}}`;
}
