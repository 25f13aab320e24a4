/** Links between pages lead to a file, and to a heading of it, that is there; so do pages that code speaks of. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** As GitHub makes them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link in the pages leads somewhere', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
  expect(pages.length).toBeGreaterThan(20);
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
      if (/^https?:/.test(link!)) return [];
      const [file, anchor] = link!.split('#');
      const target = file ? path.join(path.dirname(page), file) : page;
      if (!existsSync(path.join(root, target))) return [`${page}: ${link}`];
      return anchor && !anchorsOf(read(target)).includes(anchor) ? [`${page}: ${link}`] : [];
    }),
  );
  expect(dead).toEqual([]);
});

test('every page that code or another page speaks of is there', () => {
  const files = globSync(
    ['{bench,contract,deploy,e2e,scripts,server,simulators,web}/**/*.{ts,tsx,yaml}', '*.md', 'docs/**/*.md'],
    { cwd: root },
  );
  expect(files.length).toBeGreaterThan(100);
  const dead = files.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w/-]+\.md/g)].filter(([page]) => !existsSync(path.join(root, page))),
  );
  expect(dead.map(([page]) => page)).toEqual([]);
});
