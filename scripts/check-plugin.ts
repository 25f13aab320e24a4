/**
 * Holds the WordPress plugin to the rules that its own tests cannot see everywhere: what is printed is escaped, SQL is
 * prepared, every route says who may call it, texts are translatable under one text domain, and its versions agree. Ends with
 * exit code 1 and every finding.
 */
import path from 'node:path';
import { TRIED_WORDPRESS } from '#contract/plugin.ts';
import { pluginSources } from '#server/platforms/wordpress/plugin-package.ts';

const DOMAIN = 'creator-hq';
/** Functions that may begin printed output. */
const ESCAPED =
  /^\s*(?:\(?\s*esc_(?:html|attr|url|js|textarea)(?:__|_e|_x)?\(|wp_json_encode\(|is_rtl\(\) \? 'rtl' : 'ltr'|'[^']*'\s*(?:;|,|$))/;
const TRANSLATIONS = /\b(__|_e|_x|_n|_nx|_ex|esc_(?:html|attr)_(?:_|e|x))\(/g;

/** Syntax people write without thinking of it. */
const NEWER_THAN_PHP_7_4 =
  /\?->|\bmatch \(|\benum \w+|\breadonly \w+|\bcatch \( [\\\w|]+ \)|\bmixed \$|\): (?:static|mixed|never)\b|\b\w+\|\w+ \$\w+|\((?:public|private|protected) (?:\w+ )?\$|^\s*#\[/gm;

export type Finding = { file: string; line: number; text: string };

/** @param files a plugin's files by their paths in it */
export function checkPlugin(files: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  for (const [file, source] of files) {
    if (!/\.(?:php|js)$/.test(file)) continue;
    const code = withoutComments(source);
    const report = (offset: number, text: string) =>
      findings.push({ file, line: code.slice(0, offset).split('\n').length, text });
    if (file.endsWith('.js')) {
      checkTranslations(code, report);
      continue;
    }
    checkPrinting(code, report);
    checkSql(code, report);
    checkRoutes(code, report);
    checkTranslations(code, report);
    checkFormHandlers(code, report);
    for (const { index, 0: found } of code.matchAll(NEWER_THAN_PHP_7_4))
      report(index, `PHP 7.4 does not know ${found.trim()}`);
    if (!/defined\( 'ABSPATH' \)|defined\( 'WP_UNINSTALL_PLUGIN' \)|^namespace /m.test(code)) {
      report(0, 'can be opened by its own address, and does something then');
    }
  }
  findings.push(...checkVersions(files));
  return findings;
}

type Report = (offset: number, text: string) => void;

function checkPrinting(code: string, report: Report): void {
  for (const { index, 1: printed } of code.matchAll(/\b(?:echo|print)\b((?:'(?:\\.|[^'])*'|[^;'])*)(?:;|\?>)/g)) {
    for (const part of printedParts(printed!)) {
      if (!ESCAPED.test(part)) report(index, `prints ${part.trim().slice(0, 60)} without escaping it`);
    }
  }
  for (const { index } of code.matchAll(/<\?=/g)) report(index, 'prints by <?=; write <?php echo esc_html( … )');
  for (const { index, 1: all } of code.matchAll(/\bprintf\(((?:'(?:\\.|[^'])*'|[^;'])*)\);/g)) {
    if (code.slice(index - 1, index) === 's' || code.slice(index - 1, index) === 'v') continue;
    for (const part of splitAt(all!, ',').slice(1)) {
      if (part.trim() !== '' && !ESCAPED.test(part))
        report(index, `prints ${part.trim().slice(0, 60)} without escaping it`);
    }
  }
}

/** The parts between dots, and both ends of a choice. */
function printedParts(expression: string): string[] {
  const choice = splitAt(expression, '?');
  if (choice.length === 2 && !ESCAPED.test(expression)) return splitAt(choice[1]!, ':').flatMap(printedParts);
  return splitAt(expression, '.').map((part) => (/^\s*'(?:\\.|[^'])*'\s*$/.test(part) ? "''" : part));
}

function checkSql(code: string, report: Report): void {
  for (const { index, 1: method } of code.matchAll(/\$wpdb->(query|get_var|get_row|get_col|get_results)\(/g)) {
    const rest = code.slice(index + `$wpdb->${method}(`.length);
    if (!/^\s*\$wpdb->prepare\(/.test(rest)) report(index, `$wpdb->${method} without $wpdb->prepare`);
  }
  for (const { index } of code.matchAll(/->prepare\(/g)) {
    const [sql = ''] = splitAt(argumentsAt(code, index + '->prepare('.length), ',');
    for (const part of splitAt(sql, '.')) {
      // A list of placeholders as long as the values, and nothing else, is put together.
      if (
        !/^\s*(?:'(?:\\.|[^'])*'|"[^"$]*"|implode\( ', ', array_fill\( 0, count\( \$\w+ \), '%d' \) \))\s*$/.test(part)
      ) {
        report(index, `${part.trim().slice(0, 60)} in the text of a prepared statement`);
      }
    }
  }
}

function checkRoutes(code: string, report: Report): void {
  for (const { index } of code.matchAll(/\bregister_rest_route\(/g)) {
    const route = argumentsAt(code, index + 'register_rest_route('.length);
    if (!/'permission_callback'\s*=>\s*array\( self::class, '\w+' \)/.test(route)) {
      report(index, 'a route without a permission_callback that says by its name who may call it');
    }
  }
}

/** Requests wp-admin posts by itself: who, and a nonce; or its name says that anyone may. */
function checkFormHandlers(code: string, report: Report): void {
  for (const { index, 1: name } of code.matchAll(/'(?:admin_post_|wp_ajax_)'[^;]*?array\( self::class, '(\w+)' \)/g)) {
    if (name!.startsWith('anyone_')) continue;
    const start = code.indexOf(`function ${name}(`);
    const body = start === -1 ? '' : code.slice(start, code.indexOf('\n\t}', start));
    if (!body.includes('current_user_can(')) report(index, `${name} does not ask what the person may do`);
    if (!/check_admin_referer\(|check_ajax_referer\(/.test(body)) report(index, `${name} checks no nonce`);
  }
}

/** Every call that translates: which one, the texts as they are quoted, and the text domain. */
export function* translationCalls(code: string) {
  for (const { index, 0: call, 1: name } of code.matchAll(TRANSLATIONS)) {
    if (/[\w$>]/.test(code[index - 1] ?? '') || /function\s+$/.test(code.slice(0, index))) continue;
    const parts = splitAt(argumentsAt(code, index + call.length), ',').map((part) => part.trim());
    yield { index, name: name!, texts: parts.slice(0, name!.startsWith('_n') ? 2 : 1), domain: parts.at(-1)! };
  }
}

function checkTranslations(code: string, report: Report): void {
  for (const { index, name, texts, domain } of translationCalls(code)) {
    if (domain !== `'${DOMAIN}'`) report(index, `${name} without the text domain ${DOMAIN}`);
    if (!texts.every((text) => /^'(?:\\.|[^'])*'$/.test(text)))
      report(index, `${name} of something that is no plain text`);
  }
}

function checkVersions(files: ReadonlyMap<string, string>): Finding[] {
  const main = files.get('creator-hq.php') ?? '';
  const readme = files.get('readme.txt') ?? '';
  const found = (pattern: RegExp, text: string) => pattern.exec(text)?.[1]?.trim();
  const wanted = found(/^ \* Version:\s+(.+)$/m, main);
  const claims: [string, string, string | undefined, string | undefined][] = [
    ['creator-hq.php', 'CREATOR_HQ_VERSION', found(/'CREATOR_HQ_VERSION', '([^']+)'/, main), wanted],
    ['readme.txt', 'Stable tag', found(/^Stable tag: (.+)$/m, readme), wanted],
    ['readme.txt', 'Requires PHP', found(/^Requires PHP: (.+)$/m, readme), found(/^ \* Requires PHP:\s+(.+)$/m, main)],
    [
      'readme.txt',
      'Requires at least',
      found(/^Requires at least: (.+)$/m, readme),
      found(/^ \* Requires at least:\s+(.+)$/m, main),
    ],
    ['creator-hq.php', 'Requires at least', found(/^ \* Requires at least:\s+(.+)$/m, main), TRIED_WORDPRESS.from],
    ['readme.txt', 'Tested up to', found(/^Tested up to: (.+)$/m, readme), TRIED_WORDPRESS.to],
  ];
  return claims
    .filter(([, , says, shall]) => says === undefined || says !== shall)
    .map(([file, name, says, shall]) => ({
      file,
      line: 1,
      text: `${name} is ${says}; elsewhere it is ${shall}`,
    }));
}

/** Comments become spaces: lines and offsets stay. What stands in quotes is not touched. */
function withoutComments(source: string): string {
  return source.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (found) =>
    found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found,
  );
}

/** The text between the parenthesis before `start` and its closing one. */
function argumentsAt(code: string, start: number): string {
  let depth = 1;
  for (let at = start; at < code.length; at = skipQuoted(code, at)) {
    if ('([{'.includes(code[at]!)) depth += 1;
    else if (')]}'.includes(code[at]!)) depth -= 1;
    if (depth === 0) return code.slice(start, at);
  }
  return code.slice(start);
}

/** Splits at a character that stands in no quotes and no parentheses; a dot between digits stays. */
function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at = skipQuoted(text, at)) {
    const letter = text[at]!;
    if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    else if (letter === separator && depth === 0 && text[at + 1] !== separator && text[at - 1] !== separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** The place after this letter, or after the quotes that begin here. */
function skipQuoted(text: string, at: number): number {
  const quote = text[at];
  if (quote !== "'" && quote !== '"') return at + 1;
  let end = at + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

if (import.meta.main) {
  const files = new Map<string, string>();
  for (const [name, bytes] of await pluginSources()) files.set(name, Buffer.from(bytes).toString('utf8'));
  const findings = checkPlugin(files);
  for (const { file, line, text } of findings) {
    console.log(`${path.join('wordpress-plugin', file)}:${line}: ${text}`);
  }
  if (findings.length > 0) process.exitCode = 1;
}
