import { ADS_WORDING, type FormDesign } from '#contract/forms.ts';
import type { SuppressionReason } from '#contract/suppressions.ts';

export const SAVE_TO_EMAIL = {
  title: 'Save to Email',
  description: 'Readers of your blog email themselves a recipe, and join your list if they like.',
  setUp: 'Set it up',
  doneOf: (done: number, all: number) => `${done} of ${all} done`,
  forms: 'Forms',
  emails: 'Emails',
  newsletter: 'Newsletter',
  sending: 'Sending',
  newForm: 'New form',
  newFormNames: { save: 'New form', gate: 'Subscribers only' },
  loading: 'Loading your forms',
  failed: 'Couldn’t load your forms',
  submissions: (count: number) =>
    count === 0 ? 'No submissions in the last 28 days' : `${count.toLocaleString('en-US')} in the last 28 days`,
  save: 'Save a recipe',
  signup: 'Newsletter sign-up',
  gate: 'Subscribers only',
  noForms: 'No forms yet',
  noFormsSay: 'Create one, then place it on your blog.',
} as const;

export const SAVE_FIGURES = {
  title: 'Last 28 days',
  saves: 'Saves',
  readers: 'Readers',
  subscribers: 'New subscribers',
  mostSaved: 'Saved most',
  by: (readers: number) => (readers === 1 ? '1 reader' : `${readers.toLocaleString('en-US')} readers`),
} as const;

/** What a form for subscribers only begins with. */
export const GATE_TEXTS = {
  heading: 'Keep reading for free',
  description: 'Enter your email, and the rest of this recipe opens right here.',
  button: 'Show me the recipe',
  thanks: 'It’s open. Please confirm: we sent you an email.',
  newsletter: 'Yes, send me new recipes',
} satisfies Partial<FormDesign['texts'][number]>;

/** The way to the first save. */
export const STEPS = {
  connect: {
    title: 'Connect your blog',
    says: 'Install the WordPress plugin and paste in your API key. Another blog? Copy the form’s snippet instead.',
    download: 'Get plugin',
    action: 'Get your API key',
  },
  design: {
    title: 'Make the form yours',
    says: 'Your words and colors. Three forms are ready to start from.',
    action: 'Edit the form',
  },
  try: {
    title: 'Save one yourself',
    says: 'Add the block “Save recipe” to a post (or the shortcode [creator_hq_save]), open it and email it to yourself.',
    action: 'Open your blog',
  },
} as const;

export const FORM_EDITOR = {
  back: 'Save to Email',
  form: 'Form',
  notFound: 'Form not found',
  notFoundSays: 'It may have been archived, or the address is incomplete.',
  seeAll: 'See all forms',
  loading: 'Loading the form',
  failed: 'Couldn’t load the form',
  save: 'Save changes',
  preview: 'Preview',
  texts: 'Texts',
  language: 'Language',
  name: 'Name',
  nameHint: 'Only you see it.',
  heading: 'Heading',
  descriptionLabel: 'Description',
  emailLabel: 'Label of the email field',
  firstName: 'Ask for the first name',
  firstNameLabel: 'Label of the first name',
  button: 'Button',
  thanks: 'After it’s sent',
  newsletter: 'Newsletter',
  newsletterWording: 'What readers say yes to',
  newsletterWordingHint: 'Kept word for word with each yes.',
  tags: 'Tags',
  tagsSay: 'Given to the contact of everyone who uses this form, to find them again.',
  ownTags: 'Tags of this form',
  categoryTags: 'Tag with the post’s categories',
  categoryTagsHint: 'Like “Category: Pasta”. Renamed on your blog, it’s renamed here.',
  ads: 'Ad network',
  adsSay:
    'Raptive and Mediavine can pay more for readers they recognize. Readers who check a box of its own are recognized by a code made from their address, unless their browser or your consent banner objects. It never goes to anyone else, not even to us.',
  adsBox: 'Show a box for it',
  adsHint: `Empty: “${ADS_WORDING}”. Kept word for word with each yes.`,
  privacy: 'Link to your privacy policy',
  look: 'Look',
  layout: 'Layout',
  colors: 'Colors',
  background: 'Background',
  text: 'Text',
  buttonColor: 'Button',
  buttonText: 'Button text',
  font: 'Font',
  corners: 'Corners (px)',
  confirm: 'Confirming the newsletter',
  gateSays:
    'Lock posts on your blog with the block “Only for subscribers”. Readers check the box to read on, and confirm within 7 days.',
  throwAway: 'Accept addresses that work only for a few minutes',
  link: 'Its own page',
  linkSays: 'For your profile, or anywhere you can put a link.',
  copyLink: 'Copy link',
  openLink: 'Open the page',
  archive: 'Archive form',
  archiveTitle: (name: string) => `Archive “${name}”?`,
  archiveSays: 'It leaves your blog within minutes. Everything readers submitted stays.',
  keep: 'Keep form',
  archived: 'Form archived',
} as const;

export const ANOTHER_BLOG = {
  title: 'Another blog',
  says: 'Squarespace, Wix, Ghost or your own: paste this into the template of your posts. On WordPress, use the plugin.',
  copy: 'Copy snippet',
  address: 'Address of one recipe on your blog',
  addressHint: 'Once the snippet is on it. We then know your blog, and readers can use the form there.',
  check: 'Look for the form',
  ingredients: (count: number) => (count === 1 ? '· 1 ingredient' : `· ${count.toLocaleString('en-US')} ingredients`),
  websites: 'Works on',
  remove: 'Remove',
  removeSite: (name: string) => `Remove ${name}`,
  removed: 'Blog removed',
} as const;

type Choice<Value extends string> = readonly { value: Value; label: string; hint?: string }[];

export const NEWSLETTER: Choice<FormDesign['newsletter']> = [
  { value: 'off', label: 'No box', hint: 'Readers only get the recipe.' },
  { value: 'unticked', label: 'A box to check', hint: 'Readers choose. Works everywhere.' },
  { value: 'ticked', label: 'A checked box', hint: 'In the EU and the UK this doesn’t count as a yes.' },
];

export const LAYOUTS: Choice<FormDesign['layout']> = [
  { value: 'stacked', label: 'Stacked' },
  { value: 'inline', label: 'In one line' },
  { value: 'button', label: 'A button that opens it' },
];

export const LOOKS: Choice<FormDesign['look']['kind']> = [
  { value: 'own', label: 'Its own colors and font' },
  { value: 'theme', label: 'Your blog’s font and colors', hint: 'Only the button has a color of its own.' },
];

export const CONFIRM: Choice<FormDesign['confirm']> = [
  { value: 'mail', label: 'One tap in the email' },
  { value: 'mail_and_press', label: 'A tap and a button', hint: 'Readers press a button on the page that opens.' },
  { value: 'none', label: 'Not at all', hint: 'Mistyped and fake addresses get on your list.' },
];

export const FONTS = { system: 'Plain', serif: 'Serif', rounded: 'Rounded' } as const;

export const SENDING = {
  title: 'Sending',
  description: 'Who emails to your readers come from.',
  loading: 'Loading your sender',
  failed: 'Couldn’t load your sender',
  ownersOnly: 'Only owners can change this.',
  sender: 'Sender',
  senderSays: 'Your address is used once its domain is verified below.',
  readersSee: 'Readers see now:',
  answersGoTo: (address: string) => `Answers go to ${address}.`,
  name: 'Name',
  nameHint: 'Left empty, the name of your account.',
  address: 'Email address',
  addressHint: 'At your own domain, like hello@annaskitchen.com.',
  replyTo: 'Answers go to',
  replyToHint: 'Left empty, your email address.',
  postalAddress: 'Postal address',
  postalAddressHint: 'Newsletters must show one in many countries.',
  save: 'Save sender',
  saved: 'Sender saved',
  domains: 'Domains',
  domainsSay: 'Two records in your domain’s DNS show mail services that these emails are really yours.',
  noDomains: 'No domain yet. Add yours, then paste two records where you bought it.',
  newDomain: 'Domain',
  newDomainHint: 'The part after the @ of your address.',
  add: 'Add domain',
  added: 'Domain added',
  removed: 'Domain removed',
  states: {
    waiting: {
      label: 'Waiting',
      says: 'Paste both records into your domain’s DNS. We look every minute for the first hour.',
    },
    verified: { label: 'Verified', says: 'Emails are signed for this domain. Leave the records where they are.' },
    shaky: {
      label: 'Records missing',
      says: 'Its key was there and can’t be found anymore. Until it’s back, recipes come from the shared address.',
    },
  },
  dkim: 'Key (DKIM)',
  dmarc: 'Policy (DMARC)',
  host: 'Host name',
  wholeName: (name: string) => `Some providers want the whole name: ${name}`,
  value: 'Value',
  copy: 'Copy',
  check: 'Check again',
  checked: 'Checked',
  remove: 'Remove',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeSays: 'Emails come from the shared address afterward. Added again, it gets a new key.',
  keep: 'Keep domain',
} as const;

export const MAIL_SERVER = {
  title: 'Mail server',
  says: 'What your emails to readers leave through. With your own, bounced emails come back to your address.',
  shared: 'Your emails leave through the shared mail server.',
  own: (host: string, port: number, user: string) => `Your emails leave through ${host}, port ${port}, as ${user}.`,
  trouble: 'It doesn’t take your emails',
  since: 'Since',
  emailsWait: 'They wait, and none is lost.',
  useOwn: 'Use your own',
  change: 'Change',
  remove: 'Remove',
  removeTitle: 'Remove your mail server?',
  removeSays: 'Emails leave through the shared one afterward. Those that wait do, too.',
  keep: 'Keep it',
  removed: 'Mail server removed',
  host: 'Server',
  security: 'Encryption',
  securities: {
    tls: 'TLS',
    starttls: 'STARTTLS',
    none: 'None (private networks)',
  },
  port: 'Port',
  user: 'User name',
  password: 'Password',
  passwordHint: 'Many mail services want one made for apps here.',
  passwordStays: 'Left empty, it stays as it is.',
  testSays: (email: string) => `We’ll first send a test email to ${email}. If the server takes it, it’s on.`,
  save: 'Send test and turn on',
  cancel: 'Cancel',
  saved: 'Your mail server is on',
  savedSays: (email: string) => `The test email is on its way to ${email}.`,
} as const;

export const SUPPRESSIONS = {
  title: 'Blocked addresses',
  says: 'Erased or blocked, an address stays away even if it’s in a file you import. For that we keep a fingerprint of it.',
  address: 'Address to look for',
  addressHint: 'The whole address. Left empty, the whole list.',
  wrong: 'Enter an email address like name@example.com.',
  find: 'Find',
  loading: 'Loading blocked addresses',
  failed: 'Couldn’t load blocked addresses',
  none: 'No blocked addresses yet. Addresses that bounce or mark an email as spam are added here.',
  notThere: (address: string) => `${address} isn’t blocked.`,
  add: 'Block address',
  added: 'Address blocked',
  onlyHash: 'Only a fingerprint is kept',
  reasons: {
    bounced: { label: 'Bounced', says: 'Emails came back.' },
    complained: { label: 'Marked as spam', says: 'They get no emails.' },
    not_me: { label: 'Not theirs', says: 'They said they never gave you this address.' },
    unsubscribed: { label: 'Unsubscribed', says: 'No newsletter. They get recipes they ask for.' },
    erased: { label: 'Erased', says: 'No newsletter until they sign up again.' },
    team: { label: 'Blocked by your team', says: 'They get no emails.' },
  } satisfies Record<SuppressionReason, { label: string; says: string }>,
  tookBack: 'Unblocked because:',
  takeBack: 'Unblock',
  takeBackAsk: 'Unblock this address?',
  takeBackSays: 'They can get recipes they ask for again, and your newsletter once they sign up for it again.',
  note: 'Why',
  noteHint: 'For example that they asked you to.',
  keep: 'Keep blocked',
  taken: 'Address unblocked',
} as const;

export const SECOND_SITE = {
  title: (name: string) => `${name} uses your API key too`,
  unnamed: 'A second site',
  says: 'Did your blog move there, or is it a copy? Until you say so, saves there are tests and email only your team.',
  action: 'Say which',
} as const;
