import * as z from 'zod/mini';
import { readAmazon } from '#contract/amazon.ts';
import { type AppLink, AppLinkInput, ProductAbroad } from '#contract/app-links.ts';
import { completeLink } from '#contract/links.ts';

/** An app link as it is typed: times without a zone are of this device, and what is empty is none. */
export const TypedAppLink = z.object({
  ...{
    name: AppLinkInput.shape.name,
    address: AppLinkInput.shape.address,
    campaign: z.string(),
    opensApp: z.boolean(),
  },
  ...{ beginsAt: z.string(), endsAt: z.string(), elsewhere: z.string(), slug: z.string() },
  /** Its word begins with `amazon-`, if it leads there. */
  saysAmazon: z.boolean(),
  productsAbroad: z.array(ProductAbroad),
});
export type TypedAppLink = z.infer<typeof TypedAppLink>;

export const FRESH: TypedAppLink = {
  ...{ name: '', address: '', campaign: '', opensApp: true, beginsAt: '', endsAt: '', elsewhere: '', slug: '' },
  ...{ saysAmazon: true, productsAbroad: [] },
};

const SAYS_AMAZON = 'amazon-';

export function typedOf(link: AppLink): TypedAppLink {
  const { name, address, campaign, opensApp, beginsAt, endsAt, elsewhere, slug, productsAbroad } = link;
  return {
    ...{ name, address, campaign, opensApp, productsAbroad, beginsAt: local(beginsAt), endsAt: local(endsAt) },
    ...{ elsewhere: elsewhere ?? '', slug: slug ?? '', saysAmazon: slug === null || slug.startsWith(SAYS_AMAZON) },
  };
}

export function inputOf({ beginsAt, endsAt, elsewhere, slug, saysAmazon, ...typed }: TypedAppLink): AppLinkInput {
  const at = (time: string) => (time === '' ? null : new Date(time).toISOString());
  const word = slug.trim();
  const isSaid = word === '' || !saysAmazon || !leadsToAmazon(typed.address) || word.startsWith(SAYS_AMAZON);
  return {
    ...{ ...typed, beginsAt: at(beginsAt), endsAt: at(endsAt), elsewhere: elsewhere.trim() || null },
    slug: (isSaid ? word : `${SAYS_AMAZON}${word}`) || null,
  };
}

export function leadsToAmazon(address: string): boolean {
  return readAmazon(completeLink(address)) !== null;
}

/** As `datetime-local` has it. */
function local(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
