import { expect, test } from 'vitest';
import { findOldWords, textsOf } from './words.ts';

const oldIn = (source: string, file = 'x.tsx') => findOldWords(file, source).map(({ line, old }) => `${line}: ${old}`);

test('finds old words wherever a person reads them, and says where', () => {
  expect(oldIn("const says = 'Ask her to comment again.';")).toEqual(['1: her']);
  expect(oldIn('const page = (\n  <p>\n    Erase <b>him</b> for good\n  </p>\n);')).toEqual(['3: him']);
  expect(oldIn('const button = <button title="Switch it off">x</button>;')).toEqual(['1: Switch it off']);
  expect(oldIn(`const says = (n: number) => \`\${n} people were told: she wrote\`;`)).toEqual(['1: she']);
  expect(oldIn(`throw new AppError('not_found', \`\${name}: nobody is like that\`);`, 'x.ts')).toEqual([
    '1: nobody',
    '1: is like that',
  ]);
});

test('a phrase that a line break or a variable splits is found', () => {
  expect(oldIn('const page = <p>You took\n  back the rest</p>;')).toEqual(['1: took back']);
  expect(oldIn('const page = <p>Automations keep{" "}\n  quiet</p>;')).toEqual([]);
});

test('leaves alone what no person reads', () => {
  expect(oldIn("// She answers him.\nimport her from 'her';\nconst her = { by: 'her' };")).toEqual([]);
  expect(oldIn("type Her = 'she was asked';", 'x.ts')).toEqual([]);
  expect(oldIn("deps.log.warn({ err }, 'a mail of hers could not be sent');", 'x.ts')).toEqual([]);
  expect(oldIn('await sql`select her from his where he is null`.execute(db);', 'x.ts')).toEqual([]);
});

test('leaves alone other languages', () => {
  expect(oldIn("const hint = 'No he encontrado ningún correo ahí.';")).toEqual([]);
});

test('reads texts between tags, attributes and templates as one', () => {
  const texts = textsOf('x.tsx', `const page = <p title="Turn on">Sent to\n  <b>{name}</b> and {\`\${n} more\`}</p>;`);
  expect(texts.map(({ text }) => text)).toEqual(['Turn on', 'Sent to', 'and', '{} more']);
});

test('a mail has curly quotes and apostrophes, a message in the creator’s name what people type', () => {
  const source = 'const says = "Here\'s your link.";';
  expect(oldIn(source, 'server/features/notices/mails.ts')).toEqual(["1: e's"]);
  expect(oldIn(source, 'server/engine/deciding/own-words.ts')).toEqual([]);
});
