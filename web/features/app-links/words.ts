import type { AmazonWarning } from '#contract/amazon-rules.ts';
import { APP_LINK_FIGURES_DAYS, type AppLink } from '#contract/app-links.ts';
import { numerals } from '#web/ui/numerals.ts';

export const APP_LINKS = {
  title: 'App Links',
  says: 'Short links that leave Instagram’s own browser and open the right app. Change where one leads at any time, wherever you shared it.',
  loading: 'Loading your links',
  failed: 'Couldn’t load your links',
  search: 'Search in your links',
  searchHint: 'Name, address or short link',
  add: 'New link',
  none: 'No links yet',
  noneSays:
    'Paste the address of a product, a video or a page. In Instagram, your short link opens the app it belongs to, so people are signed in and can buy.',
  notFound: 'No links match this search',
  showAll: 'Show all links',
  copy: 'Copy link',
  broken: 'Broken',
  edit: 'Edit ',
  people: (count: number) => `${numerals(count)} ${count === 1 ? 'person' : 'people'}`,
};

export const APP_LINK = {
  newTitle: 'New link',
  title: 'App link',
  address: 'Address',
  newSays: 'Paste where it should lead.',
  name: 'Name',
  nameHint: 'Shown to people in Instagram before the app opens.',
  opensApp: 'Open the app',
  opensAppHint: 'Out of the browser that Instagram, TikTok and others have of their own.',
  begins: 'Starts',
  ends: 'Ends',
  slug: 'Word in the address',
  slugHint: 'With your own host, in place of letters and digits.',
  elsewhere: 'Before and after, lead to',
  elsewhereHint: 'Empty: a page says that the link isn’t there.',
  campaign: 'Campaign (UTM)',
  campaignHint:
    'Added to the address for your website’s statistics, but never at Amazon. {channel} becomes the place where it was followed.',
  save: 'Save changes',
  make: 'Make link',
  reading: 'Reading the address…',
  opens: (app: string) => `Opens the ${app} app.`,
  opensBrowser: 'Opens in the phone’s own browser.',
  host: 'It leads to',
  looksLikeAmazon: 'This reads like Amazon’s address, and isn’t Amazon.',
  tag: (tag: string) => `Its tag is ${tag}.`,
  undecided: 'You haven’t decided yet where links to Amazon carry your tag. Choose it in Recipe settings.',
  nameIt: (name: string) => `Name it “${name}”`,
  share: 'Share it',
  place: 'Where you share it',
  qr: 'QR code',
  figures: `Last ${APP_LINK_FIGURES_DAYS} days`,
  figuresLoading: 'Loading the figures',
  figuresFailed: 'Couldn’t load the figures',
  noFigures: 'No one followed it yet.',
  people: 'People',
  opened: 'The app opened',
  stayed: 'It didn’t open',
  heard: 'Phones tell whether the app opened; some stay silent.',
  byPlace: 'By place',
  byApp: 'By app',
  byCountry: 'By country',
  noPlace: 'No place in the link',
  noApp: 'Their own browser',
  otherApp: 'Another app',
  noCountry: 'Not known',
  changes: 'Where it led before',
  until: (name: string) => `until ${name} changed it`,
  takeBack: 'Lead there again',
};

export const APP_LINK_STATES: Record<AppLink['state'], { label: string; tone: 'info' | 'neutral' } | null> = {
  on: null,
  to_come: { label: 'Starts later', tone: 'info' },
  ended: { label: 'Ended', tone: 'neutral' },
};

export const AMAZON_WARNING_WORDS: Record<AmazonWarning, string> = {
  tag_missing: 'It has no tag: you wouldn’t earn from it.',
  tag_not_yours: 'This tag isn’t one of yours.',
  tag_of_elsewhere: 'This tag is of another country’s Amazon.',
  cannot_see: 'We can’t see the tag in a short address of Amazon.',
};
