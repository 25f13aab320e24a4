import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archiveForm,
  createForm,
  type FormDesign,
  getForm,
  listForms,
  previewForm,
  updateForm,
} from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { listPrintedForms } from '#contract/plugin.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
});
afterAll(() => app?.close());

const design = MADE_FORMS[0]!.design;
const list = async () => (await anna.call(listForms, { params: { creatorId } })).body.items;
const make = async (name: string) =>
  (await anna.call(createForm, { params: { creatorId }, body: { kind: 'save', name, design } })).body;
const onBlog = async () => {
  const headers = { authorization: `Bearer ${key}` };
  return (await app.visitor().send({ method: 'GET', url: `/api/v1${listPrintedForms.path}`, headers })).body.forms;
};
const withLook = (look: object): FormDesign => ({ ...design, look: { ...design.look, ...look } as FormDesign['look'] });

describe('forms', () => {
  test('are three at the first look, of two browsers at once and of the blog', async () => {
    const other = await anna.createCreator();
    const params = { creatorId: other.id };
    const looks = await Promise.all(Array.from({ length: 4 }, () => anna.call(listForms, { params })));
    for (const { body } of looks) expect(body.items).toHaveLength(3);
    expect((await onBlog()).map(({ kind }: { kind: string }) => kind)).toEqual(['save', 'save', 'signup']);
    expect(await list()).toHaveLength(3);
  });

  test('are made, changed and archived, and the blog has what is not archived', async () => {
    const made = await make('Pasta');
    expect(made).toMatchObject({ kind: 'save', name: 'Pasta', version: 1, submissions: 0 });
    expect(made.key).toMatch(/^[0-9A-Za-z]{22}$/);
    const params = { creatorId, formId: made.id };
    const body = { name: 'Soup', design, version: 1 };
    expect((await anna.call(updateForm, { params, body })).body).toMatchObject({ name: 'Soup', version: 2 });
    expect((await anna.call(updateForm, { params, body })).body.code).toBe('changed_meanwhile');
    expect(await onBlog()).toContainEqual(expect.objectContaining({ key: made.key, name: 'Soup', version: 2 }));
    expect((await anna.call(archiveForm, { params })).status).toBe(200);
    expect((await anna.call(getForm, { params })).status).toBe(404);
    expect((await anna.call(archiveForm, { params })).status).toBe(404);
    expect((await anna.call(updateForm, { params, body: { ...body, version: 2 } })).status).toBe(404);
    expect(await onBlog()).not.toContainEqual(expect.objectContaining({ key: made.key }));
  });

  test('keep the words of each version that readers said yes to', async () => {
    const made = await make('Words');
    const texts = [{ ...design.texts[0]!, newsletter: 'Yes, every Friday' }];
    const params = { creatorId, formId: made.id };
    await anna.call(updateForm, { params, body: { name: 'Words', design: { ...design, texts }, version: 1 } });
    const row = await app.db.engine
      .selectFrom('forms')
      .select('wordings')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(row.wordings).toEqual({ 1: { en: design.texts[0]!.newsletter }, 2: { en: 'Yes, every Friday' } });
  });

  test.each([
    ['text on its background', withLook({ text: '#999999', background: '#ffffff' }), 'text', '#767676'],
    ['what the button says', withLook({ button: '#ffcc00', buttonText: '#ffffff' }), 'buttonText', null],
  ])('are refused when %s is hard to read, with the nearest color that works', async (_, spoilt, field, nearest) => {
    const answer = await anna.call(createForm, {
      params: { creatorId },
      body: { kind: 'save', name: 'No', design: spoilt },
    });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: `design.look.${field}` }] } });
    const [color] = /#[0-9a-f]{6}/.exec(answer.body.errors[0].message)!;
    if (nearest !== null) expect(color).toBe(nearest);
    const mended = withLook({ ...spoilt.look, [field]: color });
    const body = { kind: 'save' as const, name: 'Yes', design: mended };
    expect((await anna.call(createForm, { params: { creatorId }, body })).status).toBe(200);
  });

  test('are refused with a button too low for a finger', async () => {
    const body = { kind: 'save' as const, name: 'No', design: withLook({ buttonHeight: 30 }) };
    const answer = await anna.call(createForm, { params: { creatorId }, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].message).toContain('44 px');
  });

  test('can be looked at before they are saved', async () => {
    const texts = [design.texts[0]!, { ...design.texts[0]!, language: 'de', button: 'Schick es mir' }];
    const answer = await anna.call(previewForm, {
      params: { creatorId },
      body: { kind: 'save', design: { ...design, texts } },
    });
    expect(answer.body.languages.map(({ language }: { language: string }) => language)).toEqual(['en', 'de']);
    expect(answer.body.languages[1].html).toContain('Schick es mir');
  });
});
