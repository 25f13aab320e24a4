/** Templates that mails are sent with. */
import type { Kysely } from 'kysely';
import type { EmailDesign, EmailType } from '#contract/email-templates.ts';
import type { Tables } from '#server/db/types.ts';
import { defaultDesign } from './default-designs.ts';
import { findLive, findOwnForms } from './queries.ts';
import { type CompiledTemplate, compileTemplate } from './rendering/render-mail.ts';

export type LiveTemplates = (creatorId: string, type: EmailType) => CompiledTemplate;

/** What is published does not change: each version is compiled once. */
const compiled = new Map<string, CompiledTemplate>();
const MOST_COMPILED = 500;

export async function findLiveTemplates(db: Kysely<Tables>, creatorIds: string[]): Promise<LiveTemplates> {
  const ids = [...new Set(creatorIds)];
  const [live, ownForms] = await Promise.all([findLive(db, ids), findOwnForms(db, ids)]);
  return (creatorId, type) => {
    const own = live.find((one) => one.creator_id === creatorId && one.type === type);
    const forms = ownForms.get(creatorId) ?? null;
    const key = own === undefined ? `${type} ${JSON.stringify(forms)}` : `${creatorId} ${type} ${own.version}`;
    return compileOnce(key, type, own?.design ?? defaultDesign(type, forms));
  };
}

/** @param key names the design: it never stands for another one */
export function compileOnce(key: string, type: EmailType, design: EmailDesign): CompiledTemplate {
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const template = compileTemplate(type, design);
  if (compiled.size >= MOST_COMPILED) compiled.delete(compiled.keys().next().value!);
  compiled.set(key, template);
  return template;
}

/** What mails of a type begin with that have a design of their own. */
export async function findLiveDesign(db: Kysely<Tables>, creatorId: string, type: EmailType): Promise<EmailDesign> {
  const [live, ownForms] = await Promise.all([findLive(db, [creatorId]), findOwnForms(db, [creatorId])]);
  return live.find((one) => one.type === type)?.design ?? defaultDesign(type, ownForms.get(creatorId) ?? null);
}
