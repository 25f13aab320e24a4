/** Texts of Recipe settings. */
import type { AmazonRule } from '#contract/amazon-rules.ts';
import type { LinkChannel } from '#contract/link-channels.ts';
import type { BuiltInShop, MeasuresChoice } from '#contract/shops.ts';

export const RECIPE_SETTINGS = {
  title: 'Recipe settings',
  description: 'Where your shopping lists can be bought, and what they go by.',
  loading: 'Loading your recipe settings',
  failed: 'Couldn’t load your recipe settings',
  save: 'Save changes',
};

export const SHOPS = {
  title: 'Shops',
  says: 'The first one that delivers to the shopper’s country is the main button. Every list can also be printed.',
  test: 'Test',
  testing: 'Testing…',
  saveFirst: 'Save to test it.',
  lookAtIt: 'Open the page',
  works: 'Works',
  troubled: 'Doesn’t work',
  add: 'Add a shop by its search',
  addSays:
    'Works in any country: search for something in the shop, copy the address, and put {words} in place of what you searched for.',
  name: 'Shop',
  address: 'Search address',
  addressHint: 'Like https://shop.example/search?q={words}',
  countries: 'Delivers to',
  everywhere: 'Everywhere',
  addCountry: 'Add a country',
  remove: (name: string) => `Remove ${name}`,
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  unnamed: 'New shop',
  full: 'You have ten shops of your own, the limit.',
};

export const SHOP_NAMES: Record<BuiltInShop, string> = {
  instacart: 'Instacart',
  amazon: 'Amazon',
};

export const SHOP_NOTES = {
  instacart: 'One page with everything. US and Canada.',
  instacartNeedsKey: 'Needs an API key, below.',
  amazon: 'Item by item, with your tag.',
  amazonNeedsTag: 'Needs a tag, below.',
  search: 'Item by item.',
};

export const TAGS = {
  title: 'Amazon tags',
  says: 'Of each Amazon you’re a partner of. Shoppers go to the one of their country; without a tag there, Amazon isn’t offered. If you have several of one, the main one is added to links without a tag.',
  marketplace: 'Amazon',
  tag: 'Tag',
  tagHint: 'Like annacooks-20',
  add: 'Add a tag',
  isMain: 'Main tag',
  makeMain: 'Make this the main one',
  none: 'No tags yet.',
};

export const AMAZON_LINKS = {
  title: 'Links to Amazon',
  says: 'What happens to your tag, by where a link is followed. It counts for links you sent before, too.',
  undecided: 'You haven’t decided yet, so your links lead where you made them lead.',
  contradict:
    'Public sources contradict each other about tags in messages, email and QR codes. Your agreement with Amazon decides; we give no legal advice.',
  choose: 'Choose…',
  byCountry: 'Send shoppers to the Amazon of their country',
  byCountryHint: 'Where you have a tag: to the product you chose there, or to a search for the same words.',
  save: 'Save rules',
  saved: 'Rules saved',
  loading: 'Loading your rules for Amazon',
  failed: 'Couldn’t load your rules for Amazon',
};

export const CHANNEL_NAMES: Record<LinkChannel, string> = {
  dm: 'Private messages',
  mail: 'Email',
  blog: 'Blog',
  bio: 'Profile',
  qr: 'QR codes',
  story: 'Stories',
  other: 'Anywhere else',
};

export const AMAZON_RULE_NAMES: Record<AmazonRule, string> = {
  with_tag: 'With your tag',
  without_tag: 'Without a tag',
  not_at_all: 'No links to Amazon',
};

export const LISTS = {
  title: 'Lists',
  disclosure: 'Disclosure',
  disclosureHint:
    'Printed on every list that has a paid link, for example: As an Amazon Associate I earn from qualifying purchases.',
  measures: 'Cups and spoons',
  measuresHint: 'For recipes that don’t say whose they are.',
  country: 'Country',
  countryHint: 'For shoppers whose country we don’t know.',
  noCountry: 'None',
  pantry: 'Shoppers have these at home',
  pantryHint: 'They start unchecked. Water, salt and pepper always do.',
};

export const MEASURES: Record<MeasuresChoice, string> = {
  us: 'US (cup 237 ml)',
  uk: 'UK (cup 250 ml, pint 568 ml)',
  metric: 'Metric (cup 250 ml)',
  au: 'Australia (tablespoon 20 ml)',
};

export const INSTACART = {
  title: 'Instacart',
  says: 'Your own key of the Instacart Developer Platform, and your partner id there.',
  installation: 'Lists use the key of this installation. You can use one of your own instead.',
  own: (end: string) => `Your key is set; it ends with ${end}.`,
  none: 'No key is set, so Instacart isn’t offered.',
  problem: 'Instacart doesn’t work',
  pages: (count: string) => `Pages in use: ${count}.`,
  renews: 'They renew themselves; the next one',
  key: 'API key',
  keyHint: 'From docs.instacart.com, Developer Platform. It’s never shown again.',
  newKey: 'Replace the key',
  ownKey: 'Use your own key',
  saveKey: 'Save key',
  cancel: 'Cancel',
  removeKey: 'Remove the key',
  keepKey: 'Keep it',
  removeQuestion: 'Remove your Instacart key?',
  removeSays: 'Pages that were made go on working until they end.',
  partner: 'Partner id',
  partnerHint: 'The number Impact gives you. It’s added to every page, also those made earlier.',
  savePartner: 'Save partner id',
  saved: 'Saved',
  ownersOnly: 'Only people who may connect accounts can change this.',
};

export const BLOG_BUTTON = {
  title: 'Shop button on your blog',
  says: 'On WordPress, turn it on in the plugin’s settings. On any other blog, paste this where the button goes: it shows once the recipe on that page has a shopping list.',
  copy: 'Copy snippet',
};

export const LINK_DOMAINS = {
  title: 'Your own address for links',
  says: 'Short links begin with your own host, like go.yourblog.com/lemon-pasta, in place of ours.',
  loading: 'Loading your hosts',
  failed: 'Couldn’t load your hosts',
  host: 'Host',
  hostHint: 'A part of your domain that you use for nothing else.',
  add: 'Add host',
  waiting: 'Waiting',
  works: 'Works',
  lost: 'Stopped working',
  check: 'Check host',
  looked: 'Last checked',
  entry: 'At your DNS provider, add a CNAME entry for',
  target: 'with the target',
  copyTarget: 'Copy target',
  removed: 'Host removed',
  keep: 'Keep it',
  remove: 'Remove host',
  removeLabel: (host: string) => `Remove ${host}`,
  removeTitle: (host: string) => `Remove ${host}?`,
  removeSays: 'Links that you shared with this host stop working. Those with our address go on.',
};
