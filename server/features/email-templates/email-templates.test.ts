import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  discardEmailDraft,
  EMAIL_TYPES,
  type EmailBlock,
  type EmailDesign,
  type EmailTemplate,
  type EmailType,
  getEmailTemplate,
  listEmailSamples,
  listEmailTemplates,
  listEmailVersions,
  previewEmail,
  publishEmailDraft,
  resetEmailTemplate,
  saveEmailDraft,
  testEmail,
} from '#contract/email-templates.ts';
import { createForm } from '#contract/forms.ts';
import { MADE_FORMS } from '#contract/made-forms.ts';
import { createRecipe } from '#contract/recipes.ts';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { queueSave, sendDue } from '#server/features/reader-mails/testing/asked-reader.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app?.close());

async function ofNewCreator(type: EmailType = 'save-to-email') {
  const params = { creatorId: (await anna.createCreator()).id, type };
  const seenBy = ({ version, draftVersion }: EmailTemplate) => ({ version, draftVersion });
  const get = async () => (await anna.call(getEmailTemplate, { params })).body;
  return {
    params,
    get,
    async save(design: EmailDesign) {
      const seen = seenBy(await get());
      return (await anna.call(saveEmailDraft, { params, body: { ...seen, design } })).body;
    },
    publish: async () => anna.call(publishEmailDraft, { params, body: seenBy(await get()) }),
    reset: async () => anna.call(resetEmailTemplate, { params, body: seenBy(await get()) }),
    discard: async () => anna.call(discardEmailDraft, { params, body: seenBy(await get()) }),
    versions: async () => (await anna.call(listEmailVersions, { params })).body.items,
  };
}

const named = (design: EmailDesign, subject: string): EmailDesign => ({ ...design, subject });

describe('templates', () => {
  test('are there in all types before anybody changed one, and each could be published', async () => {
    const { params } = await ofNewCreator();
    const { items } = (await anna.call(listEmailTemplates, { params })).body;
    expect(items.map(({ type }: EmailTemplate) => type)).toEqual(Object.keys(EMAIL_TYPES));
    for (const { type, live, version, draft, published } of items) {
      expect({ version, draft, published }).toEqual({ version: 0, draft: null, published: null });
      const body = { design: live, sample: 'everyday' as const };
      const shown = (await anna.call(previewEmail, { params: { ...params, type }, body })).body;
      expect(shown).toMatchObject({ problems: [], warning: null });
    }
  });

  test('a draft waits beside what is sent until it is published; a discarded one is gone', async () => {
    const { get, save, publish, discard, versions } = await ofNewCreator();
    const { live } = await get();
    const saved = await save(named(live, 'For you'));
    expect(saved).toMatchObject({ version: 0, draftVersion: 1, draft: { base: 0, design: { subject: 'For you' } } });
    expect(saved.live.subject).toBe(live.subject);
    expect((await publish()).body).toMatchObject({ version: 1, draft: null, live: { subject: 'For you' } });
    await save(named(live, 'Never mind'));
    expect((await discard()).body).toMatchObject({ version: 1, draft: null, live: { subject: 'For you' } });
    expect((await publish()).body.code).toBe('changed_meanwhile');
    expect(await versions()).toMatchObject([{ version: 1, design: { subject: 'For you' } }]);
  });

  test('who did not see the newest is told so, and nothing changes', async () => {
    const { params, get, save, publish } = await ofNewCreator();
    const { live } = await get();
    await save(named(live, 'First'));
    const body = { version: 0, draftVersion: 0 };
    for (const endpoint of [publishEmailDraft, discardEmailDraft, resetEmailTemplate])
      expect((await anna.call(endpoint, { params, body })).body.code).toBe('changed_meanwhile');
    const late = { ...body, design: named(live, 'Late') };
    expect((await anna.call(saveEmailDraft, { params, body: late })).body.code).toBe('changed_meanwhile');
    await publish();
    const old = { ...late, draftVersion: 2 };
    expect((await anna.call(saveEmailDraft, { params, body: old })).body.code).toBe('changed_meanwhile');
    expect((await get()).live.subject).toBe('First');
  });

  test('of two people who save at once one is told', async () => {
    const { params, get } = await ofNewCreator();
    const { live } = await get();
    const answers = await Promise.all(
      ['One', 'Two'].map((subject) =>
        anna.call(saveEmailDraft, { params, body: { version: 0, draftVersion: 0, design: named(live, subject) } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('go back to the first one, and what was sent stays among the versions, of which 20 are kept', async () => {
    const { get, save, publish, reset, versions } = await ofNewCreator('confirmation');
    const { live } = await get();
    for (let at = 1; at <= 22; at++) {
      await save(named(live, `Number ${at}`));
      await publish();
    }
    expect((await versions()).map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: 20 }, (_, at) => 22 - at),
    );
    expect((await reset()).body).toMatchObject({ version: 23, published: null, live });
    expect((await versions())[0]).toMatchObject({ version: 22, design: { subject: 'Number 22' } });
  });

  test('are not published with an unknown field, which is named with its block', async () => {
    const { get, save, publish } = await ofNewCreator();
    const { live } = await get();
    const [first, ...rest] = live.blocks;
    const heading = {
      id: 'a',
      hideWhen: null,
      kind: 'heading' as const,
      text: 'Hi {nickname|you}',
      size: 'large' as const,
    };
    await save({ ...live, blocks: [first, heading, ...rest] });
    const { status, body } = await publish();
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { path: 'blocks.1.text', message: 'Block 2 (Heading): There is no field {nickname}.' },
    ]);
    expect((await get()).version).toBe(0);
  });
});

describe('a test', () => {
  test('goes to the team only, at most ten an hour, and its links change nothing', async () => {
    const { params, get } = await ofNewCreator();
    const { live: design } = await get();
    const send = (to: string) => anna.call(testEmail, { params, body: { design, sample: 'everyday', to } });
    const { team } = (await anna.call(listEmailSamples, { params })).body;
    expect(team).toEqual([anna.email]);
    expect((await send('reader@example.test')).body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'to' }] });
    expect((await send(anna.email)).body.message).toBe(`Test sent to ${anna.email}.`);
    const mails = await app.db.engine.selectFrom('mails').selectAll().where('kind', '=', 'test_email').execute();
    expect(mails).toMatchObject([
      { recipient: anna.email, subject: '[Test] Creamy Lemon Pasta', unsubscribe_url: null },
    ]);
    const links = [...mails[0]!.html.matchAll(/href="([^"]*)"/g)].map(([, link]) => new URL(link!).pathname);
    expect(new Set(links)).toEqual(new Set(['/lemon-pasta', '/e/sample']));
    const page = await app.visitor().send({ method: 'GET', url: '/e/sample' });
    expect(page.text).toContain('In a real email, this link works.');
    for (let at = 0; at < 8; at++) await send(anna.email);
    expect((await send(anna.email)).body.code).toBe('quota_reached');
  });
});

describe('readers', () => {
  test('get the published template, each creator’s own, in the colors and the language of their newest form', async () => {
    const [own, other] = [await ofNewCreator(), await ofNewCreator()];
    const mailTo = async ({ params: { creatorId } }: typeof own, name: string) => {
      const at = app.clock.now();
      const email = `${name.slice(0, 3)}-${creatorId}@example.test`;
      const contactId = await app.db.withCreator(creatorId, async (trx) => {
        const facts = { creatorId, email, name, language: 'en', source: 'blog', at } as const;
        return (await findOrMakeContact(trx, app.deps, facts)).id;
      });
      await queueSave(app, { creatorId, contactId });
      return (await sendDue(app)).find(({ recipient }) => recipient === email)!;
    };
    const { live } = await own.get();
    await own.save(named(live, '{recipe.title} for {first name}'));
    expect((await mailTo(own, 'Ada Lovelace')).subject).toBe('Bread');
    await own.publish();
    expect((await mailTo(own, 'Bea')).subject).toBe('Bread for Bea');
    expect((await mailTo(other, 'Cem')).subject).toBe('Bread');
    await own.reset();
    expect((await mailTo(own, 'Dora')).subject).toBe('Bread');

    const [made] = MADE_FORMS;
    const texts = [{ ...made!.design.texts[0]!, language: 'de' }];
    const design = { ...made!.design, texts, look: { ...made!.design.look, button: '#7a1f4a' } };
    await anna.call(createForm, { params: own.params, body: { kind: 'save', name: 'Plum', design } });
    expect((await own.get()).live).toMatchObject({ look: { button: '#7a1f4a' }, language: 'de' });
    const { html } = await mailTo(own, 'Eve');
    expect(html).toContain('bgcolor="#7a1f4a"');
    expect(html).toContain('Rezept öffnen');
    expect((await mailTo(other, 'Fay')).html).not.toContain('#7a1f4a');
  });
});

describe('a preview', () => {
  test('takes a recipe that was really saved and a contact, and those of nobody else', async () => {
    const { params, get } = await ofNewCreator();
    const { creatorId } = params;
    const { live: design } = await get();
    const { id: contactId, savedRecipeId } = await app.db.withCreator(creatorId, async (trx) => {
      const at = app.clock.now();
      const facts = {
        creatorId,
        email: 'ada@example.test',
        name: 'Ada Lovelace',
        language: 'en',
        source: 'blog',
        at,
      } as const;
      const { id } = await findOrMakeContact(trx, app.deps, facts);
      const saved = app.deps.ids.uuid(at);
      await trx
        .insertInto('saved_recipes')
        .values({
          ...{
            creator_id: creatorId,
            id: saved,
            contact_id: id,
            address_key: 'anna.example/soup',
            title: 'Soup | Anna',
          },
          url: 'https://anna.example/soup',
          recipe: JSON.stringify({
            name: 'Soup',
            anchor: null,
            ingredients: ['1 leek'],
            totalMinutes: null,
            yield: null,
          }),
          ...{ first_saved_at: at, last_saved_at: at },
        })
        .execute();
      return { id, savedRecipeId: saved };
    });
    expect((await anna.call(listEmailSamples, { params })).body).toMatchObject({
      savedRecipes: [{ id: savedRecipeId, title: 'Soup' }],
      contacts: [{ id: contactId, name: 'Ada Lovelace' }],
    });
    const filled = { design: named(design, '{recipe.title}, {first name}'), sample: 'everyday' as const };
    const body = { ...filled, savedRecipeId, contactId };
    const shown = (await anna.call(previewEmail, { params, body })).body;
    expect(shown).toMatchObject({ subject: 'Soup, Ada', text: expect.stringContaining('- 1 leek'), problems: [] });
    expect(shown.bytes).toBe(Buffer.byteLength(shown.html));
    const { params: foreign } = await ofNewCreator();
    for (const one of [{ savedRecipeId }, { contactId }])
      expect((await anna.call(previewEmail, { params: foreign, body: { ...filled, ...one } })).status).toBe(404);
  });

  test('lists the creator’s own recipes: those chosen in their order, else the newest', async () => {
    const { params } = await ofNewCreator();
    const ids: string[] = [];
    for (const name of ['Apple', 'Bread', 'Cake']) {
      const body = { name, url: `https://anna.example/${name}`, pictureUrl: null, keywordIdeas: [], messageText: '' };
      ids.push((await anna.call(createRecipe, { params, body })).body.id);
      app.clock.advance(1000);
    }
    const digest = { ...params, type: 'digest' as const };
    const { live } = (await anna.call(getEmailTemplate, { params: digest })).body;
    const titles = async (recipeIds: string[]) => {
      const blocks = live.blocks.map((block: EmailBlock) =>
        block.kind === 'recipes' ? { ...block, recipeIds, count: 2 } : block,
      );
      const body = { design: { ...live, blocks }, sample: 'everyday' as const };
      const { text } = (await anna.call(previewEmail, { params: digest, body })).body;
      return text.match(/anna\.example\/\w+/g)!.map((found: string) => found.split('/')[1]);
    };
    expect(await titles([])).toEqual(['Cake', 'Bread']);
    expect(await titles([ids[1]!, ids[0]!])).toEqual(['Bread', 'Apple']);
  });
});
