import type { Plugin } from 'vite';

/** The part of an endpoint the browser reads: where to call, the schema that its form checks against, and what makes it ask again. */
const READ_BY_BROWSER = new Set(['method', 'path', 'body', 'refreshedBy']);
/** No form checks against these bodies; what their schemas need of zod would be in the first load. */
const WITHOUT_FORMS = /\/(email-templates|newsletters|recipe-ingredients|recipe-reading|welcome-series)\.ts$/;

/**
 * Leaves out of the contract what only the server reads: schemas of parameters, queries and answers, and words for the
 * OpenAPI document. Building those schemas took a slow phone a quarter of a second before its first screen. Whatever the
 * contract calls while it is loaded only makes a value: marked as such, so that the bundler drops what is then unused.
 */
export function contractInBrowser(): Plugin {
  return {
    name: 'contract-in-browser',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler(code, id) {
        const edits: Edit[] = [];
        const read = WITHOUT_FORMS.test(id)
          ? new Set([...READ_BY_BROWSER].filter((name) => name !== 'body'))
          : READ_BY_BROWSER;
        for (const statement of this.parse(code, { lang: 'js' }).body) collect(statement, code, read, edits);
        return { code: apply(code, edits), map: null };
      },
    },
  };
}

/** Replaces the text from `start` to `end`. */
type Edit = { start: number; end: number; by: string };

// The parser's tree is looked at by the few shapes that matter here.
// biome-ignore lint/suspicious/noExplicitAny: a tree of some hundred kinds of node
type Node = any;

function collect(node: Node, code: string, read: ReadonlySet<string>, edits: Edit[]): void {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const one of node) collect(one, code, read, edits);
    return;
  }
  // Only what is made while a module is loaded.
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression') return;
  if (node.type === 'ArrowFunctionExpression') return;
  if (node.type === 'CallExpression') {
    edits.push({ start: node.start, end: node.start, by: '/* @__PURE__ */ ' });
    if (node.callee.name === 'endpoint') {
      const [definition] = node.arguments;
      const names = definition.properties.map((property: Node) => property.key?.name);
      if (!names.includes('path'))
        throw new Error('An endpoint names its path itself: what it spreads stays on the server.');
      for (const property of definition.properties) {
        if (read.has(property.key?.name)) collect(property.value, code, read, edits);
        else edits.push({ start: property.start, end: afterComma(code, property.end), by: '' });
      }
      return;
    }
  }
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'parent') collect(value, code, read, edits);
  }
}

function afterComma(code: string, end: number): number {
  return end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0);
}

function apply(code: string, edits: Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    result += code.slice(at, start) + by;
    at = end;
  }
  return result + code.slice(at);
}
