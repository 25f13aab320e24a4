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
  noneOfThese: 'No such links',
  filter: 'Show',
  filters: { '': 'All links', amazon: 'Amazon', broken: 'Broken', ended: 'Ended' },
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
  saysAmazon: 'Begin it with amazon-',
  saysAmazonHint: 'Amazon wants people to see that a link leads there.',
  elsewhere: 'Before and after, lead to',
  elsewhereHint: 'Empty: a page says that the link isn’t there.',
  campaign: 'Campaign (UTM)',
  campaignHint:
    'Added to the address for your website’s statistics, but never at Amazon. {channel} becomes the place where it was followed, {post} and {word} what the message answered.',
  save: 'Save changes',
  make: 'Make link',
  reading: 'Reading the address…',
  opens: (app: string) => `Opens the ${app} app.`,
  opensBrowser: 'Opens in the phone’s own browser.',
  host: 'It leads to',
  isShortened: 'This is a short link of another service: we can’t see where it leads, and it may end.',
  looksLikeAmazon: 'This reads like Amazon’s address, and isn’t Amazon.',
  tag: (tag: string) => `Its tag is ${tag}.`,
  undecided: 'You haven’t decided yet where links to Amazon carry your tag.',
  decide: 'Choose it in Recipe settings',
  tagButton: (tag: string, replaces: boolean) => (replaces ? `Replace it with ${tag}` : `Add ${tag}`),
  disclosure: 'Say it wherever you share this link. Our page that opens the app says it, too.',
  noDisclosure:
    'Say that you earn from it wherever you share this link. Amazon’s own words, until you set yours in Recipe settings:',
  /** As the Associates Program Operating Agreement, section 5, wants it [D]. */
  associate: 'As an Amazon Associate I earn from qualifying purchases.',
  copyDisclosure: 'Copy these words',
  productThere: (marketplace: string) => `The product at ${marketplace}`,
  productThereHint:
    'Its address or number (ASIN) there. Empty: people of that country are led to a search for its name.',
  nameIt: (name: string) => `Name it “${name}”`,
  share: 'Share it',
  place: 'Where you share it',
  qr: 'QR code',
  download: (kind: 'png' | 'svg') => `Download ${kind.toUpperCase()}`,
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
  byPost: 'By post, in messages',
  byWord: 'By word, in messages',
  byDoor: 'By kind of message',
  byDay: 'By day',
  noPost: 'No post',
  noWord: 'No word',
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

export const OPENING_TEST = {
  title: 'Try it on your phone',
  says: 'Scan this with your phone, send the address to yourself in Instagram, TikTok or another app, and tap it there. The page asks whether the app opened.',
  qr: 'QR code that leads to the test of this link',
  loading: 'Loading the tests',
  failed: 'Couldn’t load the tests',
  of: (target: string | null) => (target === null ? 'Leaving the app' : `Opening the ${target} app`),
  worked: (rule: string, when: string) => `Worked ${when}${rule === '' ? '' : ` (${rule})`}`,
  failedThen: (rule: string, when: string) => `Didn’t work ${when}${rule === '' ? '' : ` (${rule})`}`,
  notTested: 'Not tested',
  app: 'In',
};

export const OLD_POSTS = {
  open: 'Old blog posts',
  title: 'Links in old blog posts',
  says: 'Links to Amazon in your posts can be app links, too. Your posts aren’t changed: the short links are put in while a page is shown, and you can go back at any time.',
  loading: 'Loading the links in your posts',
  failed: 'Couldn’t load the links in your posts',
  noBlog: 'Connect your blog first',
  noBlogSays: 'With our WordPress plugin, your posts’ links to Amazon become app links without editing a post.',
  connect: 'Connect your blog',
  progress: 'Progress',
  read: (posts: number) => `${numerals(posts)} ${posts === 1 ? 'post was' : 'posts were'} read.`,
  waiting: (posts: number) => `${numerals(posts)} more to read.`,
  found: (found: number, on: number) =>
    `${numerals(found)} ${found === 1 ? 'link' : 'links'} to Amazon, ${numerals(on)} shown as short links.`,
  nothing: (posts: number) =>
    posts === 0
      ? 'Your blog tells us of its posts once our plugin is up to date there. That takes a few minutes.'
      : 'There are no links to Amazon in your posts. New posts are read when you publish them.',
  making: 'Making short links',
  make: (count: number) => `Make ${numerals(count)} short ${count === 1 ? 'link' : 'links'}`,
  undoAll: 'Show all old links',
  undoTitle: 'Show all old links again?',
  undoSays: 'Your blog shows the links as they’re written in your posts. The short links stay and can be shown again.',
  keep: 'Keep short links',
  showAll: 'Show all short links',
  undo: 'Show old link',
  show: 'Show short link',
  problems: (count: number) =>
    count === 1 ? 'One post couldn’t be read in full' : `${numerals(count)} posts couldn’t be read in full`,
  sample: 'For example',
  newLink: 'a new short link',
  all: 'All links',
  search: 'Search in these links',
  notFound: 'No links match this search.',
  inPosts: (title: string, posts: number) =>
    posts === 1 ? `In “${title}”` : `In “${title}” and ${numerals(posts - 1)} more`,
  states: { found: 'Not yet', on: 'Short link', off: 'Old link', refused: 'Left as it is' },
};
