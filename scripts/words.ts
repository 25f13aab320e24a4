/**
 * Holds product texts to the rules for words: nobody in them is "she" or "he", and phrases that were replaced do not come
 * back. Ends with exit code 1 and every finding, with the words to use instead.
 *
 * A product text is what is written between tags, and every string of the code that is no code itself: no import, no single
 * lower-case word, no SQL, nothing that goes into the log.
 */
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'vite';

const ROOT = path.dirname(import.meta.dirname);
const TEXTS = ['{web,contract,server}/**/*.{ts,tsx}', 'simulators/meta/phone/**/*.{ts,tsx}'];
const NO_TEXTS =
  /\.test\.tsx?$|\.d\.ts$|\/testing\/|node_modules|^server\/db\/schema-dump\.ts$|^contract\/ingredients\//;

/** What was written before, and what to write instead. */
const OLD_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(she|hers?|herself|he|his|him|himself)\b/i, 'they, their handle, or nobody'],
  [/\b(some|every)body\b/i, 'someone, everyone'],
  [/\bnobody\b/i, 'no one'],
  [/\bwhoever\b/i, 'anyone who, the people who'],
  [/\bswitch(es|ed|ing)?( \w+)? (on|off)\b/i, 'turn on, turn off'],
  [/\b(take|takes|took|taken) back\b/i, 'cancel, canceled'],
  [/\bsign(s|ed|ing)? out\b/i, 'log out'],
  [/\be-mails?\b/i, 'email'],
  [/\b(the|a|no|new|these|your|other|confirmation) mails?\b(?! server)/i, 'email'],
  [/\bany more\b/i, 'anymore, no longer'],
  [/\bun?ticked|\btick(ed)?\b/i, 'check, select'],
  [/\b(cancelled|colour|favourite|authorised|recognise|organise|afterwards)\b/i, 'the American spelling'],
  [/\bhad your word\b/i, 'Matched'],
  [/^messages sent$/i, 'Sent'],
  [/^tapped the link$/i, 'Link clicks'],
  [/\bkeeps? quiet\b/i, 'automations are paused'],
  [/\byou have it\b/i, 'You’re handling this chat'],
  [/\bis like that\b/i, 'No contacts match this filter'],
  [/\bnothing fits\b|\bfewer letters\b/i, 'No results. Try a shorter search.'],
  [/\b(her|its|their) turn\b/i, 'in the queue'],
  [/\bwhen does it answer\b/i, 'Match'],
  [/\bnot meant for an answer\b|^no answer$/i, 'No keyword'],
  [/\bcome from then on\b/i, 'Replies to new comments from now on'],
  [/\banswered by themselves\b/i, 'won’t get a reply unless you catch up'],
  [/\bgot nothing\b|\bwithin moments\b/i, 'didn’t get your link; in seconds'],
  [/\ball that \w+ allows\b|\bnobody is dropped\b/i, 'Instagram’s limit'],
  [/\byour usual\b|\busual for you\b/i, 'your average'],
  [/\blooks? after\b/i, 'check'],
  [/\bslip of the finger\b/i, 'typo'],
  [/\bwritten right\b/i, 'need exact spelling'],
  [/\bstands? under\b/i, 'Posted under'],
  [/\btakes? turns\b/i, 'rotate'],
  [/\bgoes first there\b/i, 'wins over'],
  [/\bfinds by itself\b/i, 'It attaches itself when you post'],
  [/\bsaid no at meta\b/i, 'Connection canceled'],
  [/\blonger accepts (its|the|your) sign-in\b/i, 'Instagram signed us out'],
  [/\bis called in creator hq\b/i, 'This is your account’s name in Creator HQ'],
  [/\blies in\b/i, 'find it in'],
  [/\bforgot it\b/i, 'Forgot password?'],
  [/\btried first\b/i, 'That password is too common'],
  [/\bof support was\b/i, 'No support visits yet'],
  [/\bis told yet\b/i, 'No webhooks yet'],
  [
    /^(mails to you|the week in figures|your own answers|other tools)$/i,
    'Email notifications, Weekly summary, When you reply, Integrations',
  ],
  [/^(on, off, none|look now|check now)$/i, 'All posts, Refresh, Test connection'],
  [/\bthrough another door\b/i, 'from another automation'],
];

/** Mails are set in one manner; messages that go out in the creator's name are as people type them. */
const MAILS = /\/(mails|sending)\.ts$/;
const STRAIGHT: readonly [RegExp, string] = [/[a-z]'[a-z]|"/i, 'curly quotes and apostrophes: ’ “ ”'];

/** An entry of the menu that the specification names, and other languages, where an e-mail has its hyphen. */
const MEANT: readonly RegExp[] = [
  /^Sign out$/,
  /E-Mail-Adresse/,
  /\b(par|vrai|por|os|novo no|Um) e-mails?\b|^E-mails parados/i,
];

export type Finding = { line: number; text: string; old: string; instead: string };

/**
 * The old words in the texts of a source file.
 *
 * @param file its name says how to read it: `.ts` or `.tsx`
 */
export function findOldWords(file: string, source: string): Finding[] {
  const found: Finding[] = [];
  const phrases = MAILS.test(file) ? [...OLD_PHRASES, STRAIGHT] : OLD_PHRASES;
  for (const { at, text } of textsOf(file, source)) {
    if (isAnotherLanguage(text)) continue;
    const plain = MEANT.reduce((rest, meant) => rest.replace(meant, ''), text);
    for (const [phrase, instead] of phrases) {
      const old = phrase.exec(plain)?.[0];
      if (old !== undefined) found.push({ line: source.slice(0, at).split('\n').length, text, old, instead });
    }
  }
  return found;
}

type Node = {
  type: string;
  start: number;
  value?: unknown;
  quasis?: { value: { cooked: string } }[];
  callee?: { start: number; end: number };
};

/** The product texts of a source file, white space as one space; what a template fills in stands as `{}`. */
export function textsOf(file: string, source: string): { at: number; text: string }[] {
  const texts: { at: number; text: string }[] = [];
  const add = (at: number, text: unknown, isShown = false) => {
    if (typeof text !== 'string') return;
    const words = text.replaceAll(/\s+/g, ' ').trim();
    if (/[a-z]/i.test(words) && (isShown || !isCode(words))) texts.push({ at, text: words });
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    else if (typeof value === 'object' && value !== null) visitNode(value as Node);
  };
  const visitNode = (node: Node) => {
    if (/^(Import|TSType|TSInterface|TSLiteral|ExportAll)/.test(node.type) || isLogged(node, source)) return;
    if (node.type === 'TaggedTemplateExpression') return;
    if (node.type === 'Literal') return add(node.start, node.value);
    if (node.type === 'JSXText') return add(node.start, node.value, true);
    if (node.type === 'TemplateLiteral') {
      add(node.start, node.quasis?.map(({ value }) => value.cooked).join('{}'));
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, source).program);
  return texts;
}

/** Names, keys, class names, selectors and SQL. */
function isCode(text: string): boolean {
  return /^[\w.:/#@-]*$/.test(text) ? !/^[A-Z][a-z]+$/.test(text) : SQL.test(text);
}

const SQL =
  /^(select|insert into|update|delete from|with|create|alter|grant|declare|begin|json_to_\w+\()\b|\b(from|join) \w+ \w+ (on|where)\b/;

function isLogged(node: Node, source: string): boolean {
  const { type, callee } = node;
  return (
    type === 'CallExpression' &&
    callee !== undefined &&
    /\b(log|console)\??\.\w+$/.test(source.slice(callee.start, callee.end))
  );
}

/** English has no letters with accents; what our texts say in other languages nearly always has one. */
function isAnotherLanguage(text: string): boolean {
  return /[^\P{L}a-z]/iu.test(text);
}

async function* readTexts(): AsyncGenerator<{ file: string; source: string }> {
  for (const pattern of TEXTS) {
    for await (const file of glob(pattern, { cwd: ROOT })) {
      if (!NO_TEXTS.test(file)) yield { file, source: await readFile(path.join(ROOT, file), 'utf8') };
    }
  }
}

if (import.meta.main) {
  let count = 0;
  for await (const { file, source } of readTexts()) {
    for (const { line, text, old, instead } of findOldWords(file, source)) {
      count++;
      console.error(`${file}:${line}: "${old}" in "${text.slice(0, 120)}"; write: ${instead}`);
    }
  }
  console.log(`${count} old words in product texts`);
  process.exitCode = count > 0 ? 1 : 0;
}
