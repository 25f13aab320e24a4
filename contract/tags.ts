/** Tags: words that a creator gives to contacts, to find them again. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id } from '#contract/shapes.ts';

export const TAG_LETTERS = 60;

export const TagName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter a tag.'),
    z.maxLength(TAG_LETTERS, `A tag can have at most ${TAG_LETTERS} characters.`),
  );

export const Tag = z.object({
  id: Id,
  name: z.string(),
  /** Contacts that have it. */
  count: z.number(),
});
export type Tag = z.infer<typeof Tag>;

const TagParams = z.object({ creatorId: Id, tagId: Id });

export const listTags = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/contact-tags',
  access: 'creator',
  summary: 'Tags by name, with how many contacts have each',
  params: CreatorParams,
  response: z.object({ items: atMost(QUOTAS.tags.most, Tag) }),
});

export const createTag = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contact-tags',
  access: 'creator',
  quotas: ['tags'],
  makes: true,
  summary: 'Create a tag',
  params: CreatorParams,
  body: z.object({ name: TagName }),
  response: Tag,
  errors: ['invalid_input', 'already_exists'],
});

export const renameTag = endpoint({
  method: 'PATCH',
  path: '/creators/:creatorId/contact-tags/:tagId',
  access: 'creator',
  summary: 'Rename a tag; contacts keep it',
  params: TagParams,
  body: z.object({ name: TagName }),
  response: Tag,
  errors: ['not_found', 'invalid_input', 'already_exists'],
});

export const deleteTag = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/contact-tags/:tagId',
  access: 'creator',
  summary: 'Delete a tag and take it away from every contact',
  params: TagParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

/** So many contacts change their tags in one call. */
export const MOST_TAGGED = 100;

const Names = z._default(z.array(TagName).check(z.maxLength(20, 'At most 20 tags at a time.')), []);

export const tagContacts = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/contact-tags/changes',
  access: 'creator',
  quotas: ['tags', 'contact_changes'],
  summary: 'Add tags to contacts and remove some, by name; a tag that doesn’t exist yet is created',
  params: CreatorParams,
  body: z.object({
    contactIds: z
      .array(z.string().check(z.minLength(1), z.maxLength(120)))
      .check(z.minLength(1), z.maxLength(MOST_TAGGED)),
    give: Names,
    take: Names,
  }),
  /** Those who were there still. */
  response: z.object({ changed: z.number() }),
  errors: ['not_found', 'invalid_input'],
});
