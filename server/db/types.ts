// Written by scripts/schema.ts from the migrated database. Do not edit.

import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Parsed when read. Written as JSON text: `pg` would turn a bare array into a PostgreSQL array. */
type Json = ColumnType<unknown, string, string>;
type NullableJson = ColumnType<unknown, string | null | undefined, string | null>;
type DefaultedJson = ColumnType<unknown, string | undefined, string>;

export interface AddressChangesTable {
  creator_id: string;
  id: string;
  contact_id: string;
  to_contact_id: string | null;
  email: string;
  is_typo: boolean;
  code_hash: string;
  tries: Generated<number>;
  asked_at: Date;
  changed_at: Date | null;
  told_at: Date | null;
  undone_at: Date | null;
}

export interface AdminVisitsTable {
  creator_id: string;
  id: string;
  admin_id: string | null;
  admin_name: string;
  reason: string;
  return_to: string | null;
  started_at: Date;
  until: Date;
  ended_at: Date | null;
}

export interface AnsweredPeopleTable {
  creator_id: string;
  automation_id: string;
  person_id: string;
  interaction_id: string;
  answered_at: Date;
}

export interface ApiKeysTable {
  creator_id: string;
  id: string;
  key_hash: string;
  prefix: string;
  created_at: Date;
  created_by: string | null;
  last_used_at: Date | null;
  plugin_version: string | null;
  site_url: string | null;
  ended_at: Date | null;
}

export interface ApiTokensTable {
  creator_id: string;
  id: string;
  user_id: string;
  name: string;
  token_hash: string;
  prefix: string;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

export interface AppLinkChangesTable {
  creator_id: string;
  id: string;
  app_link_id: string;
  address: string;
  changed_at: Date;
  changed_by: string;
}

export interface AppLinksTable {
  creator_id: string;
  id: string;
  version: Generated<number>;
  name: string;
  address: string;
  opens_app: boolean;
  begins_at: Date | null;
  ends_at: Date | null;
  elsewhere: string | null;
  created_at: Date;
  updated_at: Date;
  campaign: Generated<string>;
  slug: string | null;
  products_abroad: DefaultedJson;
}

export interface AuditLogTable {
  id: string;
  at: Date;
  admin_id: string | null;
  admin_name: string;
  creator_id: string | null;
  visit_id: string | null;
  what: string;
  detail: Generated<string>;
}

export interface AutomationPostsTable {
  creator_id: string;
  automation_id: string;
  post_id: string;
  attached_at: Date;
}

export interface AutomationsTable {
  creator_id: string;
  id: string;
  connection_id: string;
  name: string;
  post_id: string | null;
  words: string[];
  mode: 'whole_word' | 'contains' | 'exact' | 'all_words' | 'any_comment';
  excluded_words: Generated<string[]>;
  typo_tolerance: Generated<boolean>;
  priority: Generated<number>;
  message_text: string;
  buttons: DefaultedJson;
  public_replies: Generated<string[]>;
  repeat_after_minutes: Generated<number | null>;
  version: Generated<number>;
  switched_on_at: Date | null;
  switched_on_by: string | null;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
  trigger: Generated<'comment' | 'live_comment' | 'story_reply' | 'story_mention' | 'direct_message'>;
  scope: Generated<'one' | 'any' | 'next' | 'caption'>;
  caption_words: Generated<string[]>;
  keyword_ids: Generated<string[]>;
  reply_id: string | null;
  variants: DefaultedJson;
  variant_winner: string | null;
  translations: DefaultedJson;
  card: NullableJson;
  opening: NullableJson;
  follow_ask: NullableJson;
  email_ask: NullableJson;
  follow_up: NullableJson;
  prepared_as: string | null;
  attached_at: Date | null;
  variants_since: Date | null;
  variant_looks: Generated<number>;
  variant_decided_at: Date | null;
  variant_tried: NullableJson;
  when_link_breaks: Generated<'send' | 'hold' | 'swap'>;
  link_instead: string | null;
  draft: NullableJson;
  draft_version: Generated<number>;
  bytes: GeneratedAlways<number>;
}

export interface BlogPostsTable {
  creator_id: string;
  site_id: string;
  wordpress_id: number;
  url: string;
  url_key: string;
  title: string;
  picture_url: string | null;
  categories: Json;
  recipe: NullableJson;
  published_at: Date;
  changed_at: Date;
  synced_at: Date;
  gone_at: Date | null;
  has_given: boolean;
  recipe_id: string | null;
  amazon_links: Generated<string[]>;
  links_problem: string | null;
  lock: NullableJson;
}

export interface BroadcastsTable {
  creator_id: string;
  id: string;
  kind: 'broadcast' | 'digest' | 'correction';
  state: Generated<'draft' | 'scheduled' | 'gathering' | 'sending' | 'paused' | 'done' | 'cancelled'>;
  version: Generated<number>;
  design: Json;
  segment: string | null;
  because: string | null;
  asked_by: string | null;
  asked_at: Date | null;
  changed_by: string;
  changed_at: Date;
  send_at: Date | null;
  gathered_to: string | null;
  gathered_at: Date | null;
  finished_at: Date | null;
  figures: NullableJson;
  counted_at: Date | null;
  is_watched: Generated<boolean>;
  recipe_id: string | null;
  page_key: string | null;
  daily_limit: number | null;
  next_at: Date | null;
}

export interface CallsUnderWayTable {
  batch_id: string;
  delivery_ids: string[];
}

export interface CatchUpsTable {
  creator_id: string;
  id: string;
  post_id: string | null;
  people: number;
  started_at: Date;
  started_by: string | null;
  cancelled_at: Date | null;
}

export interface CheckoutsTable {
  creator_id: string;
  id: string;
  plan_id: string;
  billing_interval: 'month' | 'year';
  session_id: string | null;
  url: string | null;
  state: Generated<'open' | 'over'>;
  begun_at: Date;
}

export interface ClicksTable {
  creator_id: string;
  id: string;
  link_id: string;
  delivery_id: string | null;
  clicked_at: Date;
  not_counted_because: string | null;
  times: Generated<number>;
  mail_id: string | null;
  channel: string | null;
  app: string | null;
  country: string | null;
}

export interface CommentReadingsTable {
  creator_id: string;
  post_id: string;
  connection_id: string;
  next_at: Date;
  read_to: Date | null;
  cursor: string | null;
  started_at: Date | null;
  reads_whole: Generated<boolean>;
  listed_so_far: Generated<number>;
  whole_at: Date | null;
  listed: number | null;
  platform_counted: number | null;
  seen: number | null;
  failures: Generated<number>;
  found_before: Generated<number>;
}

export interface ConfirmationsTable {
  creator_id: string;
  id: string;
  contact_id: string;
  token_hash: string;
  tripwire_hash: string;
  created_at: Date;
  expires_at: Date;
  tripped_at: Date | null;
  tripped_network: string | null;
  opened_at: Date | null;
  confirmed_at: Date | null;
}

export interface ConnectionsTable {
  creator_id: string;
  id: string;
  platform: 'instagram' | 'facebook';
  account_id: string;
  shard: GeneratedAlways<number>;
  app_scoped_id: string | null;
  facebook_user_id: string | null;
  page_id: string | null;
  username: string;
  name: string | null;
  avatar_url: string | null;
  followers_count: number | null;
  account_type: string | null;
  missing_permissions: Generated<string[]>;
  missing_webhooks: Generated<string[]>;
  webhooks_checked_at: Date | null;
  webhooks_repaired_at: Date | null;
  checked_at: Date | null;
  figures_refreshed_at: Date | null;
  requires_auth_at: Date | null;
  requires_auth_reason: string | null;
  barred_until: Date | null;
  barred_count: Generated<number>;
  connected_at: Date;
  connected_by: string | null;
  disconnected_at: Date | null;
  disconnected_reason: string | null;
  posts_synced_at: Date | null;
  posts_tried_at: Date | null;
  posts_fully_synced_at: Date | null;
  webhooks_paused_at: Date | null;
  stories_tried_at: Date | null;
  stories_read_at: Date | null;
  lives_tried_at: Date | null;
  policy_blocked: Generated<boolean>;
  policy_reason: string | null;
  policy_changed_at: Date | null;
}

export interface ConsentsTable {
  creator_id: string;
  id: string;
  connection_id: string | null;
  person_id: string | null;
  email: string;
  wording: string;
  place: string;
  language: string | null;
  automation_id: string | null;
  agreed_at: Date;
  post_id: string | null;
  contact_id: string | null;
  purpose: Generated<string>;
  act: Generated<string>;
  how: string | null;
  form_id: string | null;
  form_version: number | null;
  page_url: string | null;
}

export interface ContactChangesTable {
  creator_id: string;
  id: string;
  connection_id: string;
  person_id: string;
  what: 'taken_over' | 'handed_back' | 'blocked' | 'unblocked';
  until: Date | null;
  changed_at: Date;
  changed_by: string | null;
}

export interface ContactTagsTable {
  creator_id: string;
  tag_id: string;
  contact_id: string;
  source: 'team' | 'form' | 'file' | 'tool';
  given_at: Date;
}

export interface ContactsTable {
  creator_id: string;
  id: string;
  email: string | null;
  email_key: string | null;
  gmail_mailbox: string | null;
  name: string | null;
  name_key: string | null;
  name_last: GeneratedAlways<string | null>;
  language: string | null;
  newsletter: Generated<'none' | 'unconfirmed' | 'confirmed' | 'unsubscribed' | 'bounced' | 'complained'>;
  newsletter_at: Date | null;
  confirmed_at: Date | null;
  asked_at: Date | null;
  asked_count: Generated<number>;
  saved_count: Generated<number>;
  last_saved_at: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
  source: 'blog' | 'dm' | 'file' | 'tool' | 'team';
  joined_to: string | null;
  has_people: Generated<boolean>;
  has_joined: Generated<boolean>;
  newsletter_of_all: Generated<string>;
  taken_out: DefaultedJson;
  has_pass: Generated<boolean>;
}

export interface ConversationsTable {
  creator_id: string;
  id: string;
  connection_id: string;
  automation_id: string;
  interaction_id: string;
  person_id: string;
  state: 'opening' | 'follow' | 'email' | 'delivered' | 'ended';
  ended_because: string | null;
  plan: Json;
  follow_asks: Generated<number>;
  email_hints: Generated<number>;
  given_email: string | null;
  suggested_email: string | null;
  pending_delivery_id: string | null;
  delivered_at: Date | null;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface ConversionsTable {
  creator_id: string;
  id: string;
  address: string;
  app_link_id: string;
  is_on: Generated<boolean>;
  created_at: Date;
}

export interface CreatorSecretsTable {
  creator_id: string;
  id: string;
  secret: string;
  made_at: Date;
}

export interface CreatorsTable {
  id: string;
  handle: string;
  created_at: Generated<Date>;
  created_by: string | null;
  billing_email: string | null;
  delete_requested_at: Date | null;
  delete_requested_by: string | null;
  delete_at: Date | null;
  takeover_minutes: Generated<number | null>;
  facebook_addon: Generated<boolean>;
  history_from: Date | null;
  texts_cleared_to: Date | null;
  time_zone: string | null;
  first_link_seen_at: Date | null;
}

export interface CredentialsTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Date | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  password: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface DataDeletionsTable {
  confirmation_code: string;
  platform_user_id: string | null;
  requested_at: Date;
  finished_at: Date | null;
}

export interface DataIntegrationsTable {
  creator_id: string;
  id: string;
  tool: 'kit' | 'mailchimp';
  secret: string;
  account_name: string;
  target_id: string | null;
  target_name: string | null;
  state: 'on' | 'off' | 'reconnect';
  because: string | null;
  failures: Generated<number>;
  paused_until: Date | null;
  recent_calls: DefaultedJson;
  hook_id: string | null;
  hook_secret: string | null;
  hook_token: string;
  asked_at: Date;
  connected_at: Date;
  connected_by: string | null;
  refresh_secret: string | null;
  expires_at: Date | null;
}

export interface DeliveriesTable {
  creator_id: string;
  id: string;
  connection_id: string;
  interaction_id: string;
  automation_id: string | null;
  kind: 'private_reply' | 'message' | 'public_reply';
  lane: 'private_replies' | 'live_replies' | 'messages' | 'public_replies' | 'reads';
  recipient: string;
  content: Json;
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'expired' | 'cancelled'>;
  priority: Generated<number>;
  due_at: Date;
  expires_at: Date;
  attempts: Generated<number>;
  uncertain: Generated<boolean>;
  called_at: Date | null;
  finished_at: Date | null;
  platform_message_id: string | null;
  recipient_person_id: string | null;
  read_at: Date | null;
  failure_reason: string | null;
  failure_detail: string | null;
  created_at: Date;
  clicked_at: Date | null;
  conversation_id: string | null;
  variant: string | null;
  sent_by: string | null;
  catch_up_id: string | null;
  held_from: Date | null;
  listed_as: GeneratedAlways<string>;
  given_up_at: GeneratedAlways<Date | null>;
  called_off: string | null;
}

export interface DiscountCodesTable {
  creator_id: string;
  id: string;
  code: string;
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
  duration: string;
  months: number | null;
  most_uses: number | null;
  last_day: string | null;
  over_at: Date | null;
  new_only: boolean;
  tier_id: string | null;
  made_at: Date;
  closed_at: Date | null;
  uses: Generated<number>;
  stripe_coupon_id: string | null;
}

export interface EmailTemplateVersionsTable {
  creator_id: string;
  type: string;
  version: number;
  design: Json;
  published_at: Date;
  published_by: string;
}

export interface EmailTemplatesTable {
  creator_id: string;
  type: string;
  version: Generated<number>;
  draft: NullableJson;
  draft_version: Generated<number>;
}

export interface EmailedLinksTable {
  token_hash: string;
  purpose: 'confirm_email' | 'reset_password' | 'sign_up';
  user_id: string | null;
  created_at: Date;
  expires_at: Date;
  email: string | null;
}

export interface ErasedPeopleTable {
  creator_id: string;
  connection_id: string;
  person_hash: string;
  erased_at: Date;
  erased_by: string | null;
  stopped_at: Date | null;
  email_asked_at: Date | null;
}

export interface EventLogTable {
  slot: Generated<number>;
  id: Generated<number>;
  shard: number;
  received_at: Date;
  body: string;
}

export interface EventLog0Table {
  slot: Generated<number>;
  id: Generated<number>;
  shard: number;
  received_at: Date;
  body: string;
}

export interface EventLog1Table {
  slot: Generated<number>;
  id: Generated<number>;
  shard: number;
  received_at: Date;
  body: string;
}

export interface EventLog2Table {
  slot: Generated<number>;
  id: Generated<number>;
  shard: number;
  received_at: Date;
  body: string;
}

export interface EventLogPositionsTable {
  shard: number;
  done_to: Generated<number>;
}

export interface FanCheckoutsTable {
  creator_id: string;
  id: string;
  email: string;
  email_key: string;
  tier_price_id: string;
  session_id: string | null;
  url: string | null;
  state: Generated<'open' | 'over' | 'paid'>;
  begun_at: Date;
  site_id: string | null;
  start: string | null;
  to_path: Generated<string>;
  goes_by_path: Generated<boolean>;
  contact_id: string | null;
  code_id: string | null;
  friend_device: string | null;
}

export interface FanDevicesTable {
  creator_id: string;
  id: string;
  contact_id: string | null;
  site_id: string | null;
  secret_hash: string;
  entered_at: Date;
  seen_at: Date;
  ended_at: Date | null;
  asks_from: Date | null;
  told_at: Date | null;
}

export interface FanEntriesTable {
  creator_id: string;
  id: string;
  contact_id: string | null;
  site_id: string | null;
  code_hash: string;
  tries: Generated<number>;
  start: string | null;
  to_path: string;
  goes_by_path: boolean;
  asked_at: Date;
  grant_hash: string | null;
  granted_at: Date | null;
  email: string | null;
  delivery_id: string | null;
}

export interface FansTable {
  creator_id: string;
  contact_id: string;
  customers: Generated<string[]>;
  fetches_begun: Generated<number>;
  fetch_written: Generated<number>;
  synced_at: Date | null;
  blocked_at: Date | null;
}

export interface FeedbackEventsTable {
  source: string;
  id: string;
  what: string;
  received_at: Date;
}

export interface FlagValuesTable {
  flag: string;
  creator_id: string | null;
  is_on: boolean;
  changed_at: Date;
}

export interface FollowerDaysTable {
  creator_id: string;
  connection_id: string;
  day: string;
  followers: number;
}

export interface FollowerLimitsTable {
  creator_id: string;
  checked_on: string;
  crossed_at: Date | null;
  mails: Generated<number>;
  accepted_at: Date | null;
  limited_since: Date | null;
  forecast_on: string | null;
  foretold_at: Date | null;
}

export interface FormsTable {
  creator_id: string;
  id: string;
  key: string;
  kind: 'save' | 'signup' | 'gate';
  name: string;
  design: Json;
  wordings: Json;
  version: number;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
}

export interface FreeOpensTable {
  creator_id: string;
  contact_id: string;
  month: string;
  site_id: string;
  post_id: number;
  opened_at: Date;
  until: Date;
}

export interface GiftsTable {
  creator_id: string;
  id: string;
  tier_id: string;
  months: number;
  amount: number;
  currency: string;
  giver_email: string;
  email: string;
  words: string;
  begins_at: Date;
  begun_at: Date;
  session_id: string | null;
  state: Generated<'open' | 'over' | 'paid'>;
  payment_intent: string | null;
  contact_id: string | null;
  thanked_at: Date | null;
  told_at: Date | null;
  withdraws_at: Date | null;
}

export interface IdempotencyKeysTable {
  creator_id: string;
  id: string;
  caller_id: string;
  key_hash: string;
  request_hash: string;
  created_at: Date;
  committed: Generated<boolean>;
  answer: string | null;
}

export interface IgnoredEventsTable {
  day: string;
  what: string;
  count: Generated<number>;
}

export interface ImportRowsTable {
  creator_id: string;
  import_id: string;
  line: number;
  cells: NullableJson;
  email: string | null;
  email_key: string | null;
  email_hash: string | null;
  gmail_mailbox: string | null;
  name: string | null;
  name_key: string | null;
  said: string | null;
  agreed_at: Date | null;
  is_role: Generated<boolean>;
  suggestion: string | null;
  verdict: string | null;
  why: string | null;
  outcome: string | null;
  contact_id: string | null;
  consent_id: string | null;
  before: NullableJson;
  fingerprint: string | null;
  undone: boolean | null;
  is_cleared: Generated<boolean>;
  made_at: Date;
}

export interface ImportsTable {
  creator_id: string;
  id: string;
  state: Generated<'reading' | 'ready' | 'running' | 'done' | 'cancelled' | 'failed'>;
  is_read: Generated<boolean>;
  file_name: string;
  tool: string | null;
  columns: DefaultedJson;
  uses: DefaultedJson;
  has_header: Generated<boolean>;
  row_count: Generated<number>;
  parsed_to: Generated<number>;
  done_to: Generated<number>;
  done_count: Generated<number>;
  counts: NullableJson;
  result: NullableJson;
  agreed: string | null;
  wants_newsletter: Generated<boolean>;
  attested: Generated<boolean>;
  made_by: string | null;
  made_at: Date;
  run_at: Date | null;
  finished_at: Date | null;
  undo_until: Date | null;
  undo_began_at: Date | null;
  undone_at: Date | null;
  undone: NullableJson;
  failure: string | null;
}

export interface IngredientWordsTable {
  creator_id: string;
  id: string;
  kind: 'unit' | 'food' | 'brand' | 'preparation' | 'ignore' | 'alias';
  name: string;
  means: Generated<string>;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

export interface IntegrationContactsTable {
  creator_id: string;
  integration_id: string;
  contact_id: string;
  remote_id: string | null;
  state: string;
  sent: string | null;
  failure: string | null;
  due_at: Date;
  sent_at: Date | null;
}

export interface IntegrationEventsTable {
  creator_id: string;
  integration_id: string;
  event_id: string;
  read_at: Date;
}

export interface InteractionsTable {
  creator_id: string;
  id: string;
  connection_id: string;
  kind: 'comment' | 'live_comment' | 'story_reply' | 'story_mention' | 'direct_message' | 'button_tap';
  platform_id: string;
  post_id: string | null;
  parent_id: string | null;
  person_id: string;
  username: string | null;
  text: Generated<string>;
  occurred_at: Date;
  received_at: Date;
  outcome: 'replied' | 'waiting' | 'skipped' | 'missed' | 'failed' | 'expired';
  reason: string;
  automation_id: string | null;
  matched_words: Generated<string[]>;
  waiting_until: Date | null;
  outcome_at: Date;
  found_by_reading: Generated<boolean>;
  listed_as: GeneratedAlways<string>;
  counted_on: string | null;
  is_test: Generated<boolean>;
}

export interface InvitesTable {
  creator_id: string;
  id: string;
  email: string;
  role: 'owner' | 'collaborator';
  token_hash: string;
  invited_by: string | null;
  sent_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  declined_at: Date | null;
  revoked_at: Date | null;
}

export interface JobsTable {
  name: string;
  payload: DefaultedJson;
  creator_id: string | null;
  created_at: Generated<Date>;
  due_at: Date;
  lease_id: string | null;
  again: Generated<boolean>;
  last_succeeded_at: Date | null;
  last_failed_at: Date | null;
  last_failure: string | null;
  failures_in_a_row: Generated<number>;
  held_until: Date | null;
  held_because: string | null;
}

export interface JoinsTable {
  creator_id: string;
  id: string;
  contact_id: string;
  other_contact_id: string | null;
  connection_id: string | null;
  person_id: string | null;
  what: 'joined' | 'parted' | 'dismissed';
  why: string;
  before: DefaultedJson;
  made_at: Date;
  made_by: string | null;
  parted_at: Date | null;
}

export interface KeywordsTable {
  creator_id: string;
  id: string;
  name: string;
  words: string[];
  mode: 'whole_word' | 'contains' | 'exact' | 'all_words';
  excluded_words: Generated<string[]>;
  typo_tolerance: Generated<boolean>;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
  bytes: GeneratedAlways<number>;
}

export interface LaneStatesTable {
  creator_id: string;
  connection_id: string;
  lane: string;
  closed_until: Date | null;
  closed_reason: string | null;
  updated_at: Date;
}

export interface LinkDaysTable {
  creator_id: string;
  link_id: string;
  day: string;
  channel: string;
  app: string;
  country: string;
  told: string;
  people: number;
}

export interface LinkDomainsTable {
  creator_id: string;
  id: string;
  host: string;
  token: string;
  state: Generated<'waiting' | 'works' | 'lost'>;
  problem: string | null;
  failed_since: Date | null;
  checked_at: Date | null;
  due_at: Date;
  created_at: Date;
}

export interface LinkHostsTable {
  host: string;
  next_at: Date;
}

export interface LinkUsesTable {
  creator_id: string;
  automation_id: string | null;
  link_id: string;
  app_link_id: string | null;
}

export interface LinksTable {
  creator_id: string;
  id: string;
  code: string;
  automation_id: string | null;
  url: string;
  created_at: Date;
  recipe_id: string | null;
  part_of: string | null;
  part: string | null;
  app_link_id: string | null;
  meal_plan_id: string | null;
}

export interface MailChecksTable {
  name: 'relay' | 'spf' | 'round_trip';
  state: 'fine' | 'waiting' | 'trouble';
  says: string;
  checked_at: Date;
  token: string | null;
  sent_at: Date | null;
}

export interface MailServersTable {
  creator_id: string;
  id: string;
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  username: string;
  password: string;
  changed_at: Date;
  failing_since: Date | null;
  failure: string | null;
  failures: Generated<number>;
  paused_until: Date | null;
  needs_owner: Generated<boolean>;
}

export interface MailsTable {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  html: string;
  text: string;
  state: Generated<'queued' | 'sent' | 'failed'>;
  created_at: Date;
  last_failure: string | null;
  finished_at: Date | null;
  unsubscribe_url: string | null;
  about_creator_id: string | null;
  from_name: string | null;
  reply_to: string | null;
}

export interface MealPlansTable {
  creator_id: string;
  id: string;
  version: Generated<number>;
  name: string;
  note: string;
  picture_url: string | null;
  kind: 'week' | 'free';
  starts_on: string | null;
  sections: Json;
  meals: Json;
  changes: Json;
  list_code: string;
  created_at: Date;
  updated_at: Date;
  bytes: GeneratedAlways<number>;
}

export interface MemberMoveRowsTable {
  creator_id: string;
  move_id: string;
  line: number;
  cells: Json;
  email: string | null;
  email_key: string | null;
  name: string | null;
  tier_name: Generated<string>;
  tier_id: string | null;
  billing_interval: string | null;
  paid_until: Date | null;
  verdict: string;
  why: string | null;
  pass_id: string | null;
  mailed_at: Date | null;
  made_at: Date;
  contact_id: string | null;
}

export interface MemberMovesTable {
  creator_id: string;
  id: string;
  state: Generated<'ready' | 'running' | 'done' | 'undone'>;
  file_name: string;
  tool: string | null;
  columns: Json;
  uses: Json;
  tiers: DefaultedJson;
  row_count: number;
  done_to: Generated<number>;
  made_by: string | null;
  made_at: Date;
  finished_at: Date | null;
}

export interface MembershipEndsTable {
  creator_id: string;
  way: 'leave' | 'close';
  asked_at: Date;
  asked_by: string | null;
  called_off_at: Date | null;
  many: number;
  done: Generated<number>;
  done_at: Date | null;
}

export interface MembershipSettingsTable {
  creator_id: string;
  free_readers: Generated<boolean>;
  late_days: Generated<number>;
  free_opens: Generated<number>;
}

export interface MembershipsTable {
  creator_id: string;
  id: string;
  user_id: string;
  role: 'owner' | 'collaborator';
  created_at: Generated<Date>;
}

export interface MoneyLinesTable {
  creator_id: string;
  id: string;
  at: Date;
  category: string;
  amount: number;
  stripe_fee: number;
  our_fee: number;
  net: number;
  currency: string;
  is_ours: boolean;
  charge: string | null;
  contact_id: string | null;
}

export interface MoneySumsTable {
  creator_id: string;
  month: string;
  currency: string;
  figure: string;
  amount: number;
}

export interface NewsletterSettingsTable {
  creator_id: string;
  writer: Generated<'here' | 'kit' | 'mailchimp'>;
  weekly: Generated<string>;
  weekly_day: Generated<number>;
  weekly_hour: Generated<number>;
  weekly_since: Date | null;
  weekly_ran_at: Date | null;
  welcome: Generated<boolean>;
  seasons: DefaultedJson;
}

export interface NoMailListsTable {
  id: string;
  position: Generated<number>;
  database: string;
  listed_at: Date | null;
  newsletters_wait: Generated<boolean>;
}

export interface NotMeAddressesTable {
  email_hash: string;
  creator_id: string;
  since: Date;
}

export interface NoticesSentTable {
  creator_id: string;
  user_id: string;
  about: string;
  sent_at: Date;
}

export interface NotificationChoicesTable {
  creator_id: string;
  user_id: string;
  connection_trouble: Generated<boolean>;
  invites: Generated<boolean>;
  weekly_figures: Generated<boolean>;
  broken_links: Generated<boolean>;
  new_access: Generated<boolean>;
}

export interface OauthAttemptsTable {
  state_hash: string;
  user_id: string;
  session_id: string;
  creator_id: string | null;
  login: 'instagram' | 'facebook' | 'kit';
  code_verifier: string | null;
  return_to: string | null;
  created_at: Date;
  expires_at: Date;
}

export interface OpeningTestsTable {
  creator_id: string;
  app: string;
  system: string;
  target: string;
  worked: boolean;
  rule: string;
  tested_at: Date;
}

export interface OutcomeCountsTable {
  creator_id: string;
  counted_by: 'post' | 'automation' | 'day' | 'post_day' | 'automation_day';
  counted_id: string;
  counted: string;
  reason: string;
  count: number;
}

export interface OutcomeDeltasTable {
  creator_id: string;
  id: GeneratedAlways<number>;
  post_id: string | null;
  automation_id: string | null;
  day: string | null;
  counted: string;
  reason: string;
  change: number;
  counted_on: string | null;
}

export interface OutgoingEndpointsTable {
  creator_id: string;
  id: string;
  url: string;
  secret: string;
  types: string[];
  created_at: Date;
  created_by: string | null;
  switched_off_at: Date | null;
  switched_off_because: string | null;
  failing_since: Date | null;
  last_delivered_at: Date | null;
  old_secret: string | null;
  old_secret_until: Date | null;
}

export interface OutgoingEventsTable {
  creator_id: string;
  id: Generated<string>;
  endpoint_id: string;
  type: 'interaction' | 'delivery' | 'contact' | 'click' | 'member' | 'test';
  data: Json;
  happened_at: Date;
  state: Generated<'queued' | 'delivered' | 'failed'>;
  due_at: Date;
  expires_at: Date;
  attempts: Generated<number>;
  log: DefaultedJson;
}

export interface OwnMessagesTable {
  creator_id: string;
  connection_id: string;
  platform_id: string;
  person_id: string;
  text: Generated<string>;
  sent_at: Date;
}

export interface ParkedEventsTable {
  id: GeneratedAlways<number>;
  shard: number;
  received_at: Date;
  body: string;
  error: string;
  parked_at: Generated<Date>;
}

export interface PassChangesTable {
  creator_id: string;
  id: string;
  contact_id: string;
  at: Date;
  what: string;
  detail: Generated<string>;
}

export interface PassCountsTable {
  creator_id: string;
  counted: string;
  of: string;
  day: string;
  n: number;
  amount: number;
}

export interface PassedOpensTable {
  creator_id: string;
  passed_id: string;
  device_id: string;
  opened_at: Date;
  joined_at: Date | null;
}

export interface PassedRecipesTable {
  creator_id: string;
  id: string;
  contact_id: string;
  site_id: string;
  post_id: number;
  link_hash: string;
  month: string;
  made_at: Date;
  opened_at: Date | null;
  ended_at: Date | null;
}

export interface PassesTable {
  creator_id: string;
  id: string;
  contact_id: string;
  tier_id: string;
  source: 'given' | 'gift' | 'stripe';
  begins_at: Date;
  ends_at: Date | null;
  ended_at: Date | null;
  note: string | null;
  stripe_subscription_id: string | null;
  stripe_price_id: string | null;
  status: string | null;
  billing_interval: string | null;
  amount: number | null;
  currency: string | null;
  paid_until: Date | null;
  renews_at: Date | null;
  cancel_at: Date | null;
  late_since: Date | null;
  trial_end: Date | null;
  withdraws_at: Date | null;
  late_mails: Generated<number>;
  told_charge: string | null;
  is_refunded: Generated<boolean>;
  schedule_id: string | null;
  next_stripe_price_id: string | null;
  next_at: Date | null;
  discount: string | null;
  moves_to: string | null;
  moves_told_at: Date | null;
  move_mailed_at: Date | null;
  move_id: string | null;
  closed_at: Date | null;
  charged: number | null;
  left_because: 'price' | 'use' | 'content' | 'trouble' | 'other' | null;
}

export interface PastSubscriptionsTable {
  creator_id: string;
  stripe_subscription_id: string;
  plan_id: string;
  billing_interval: 'month' | 'year';
  status: 'canceled' | 'incomplete_expired';
  began_at: Date;
  ended_at: Date;
}

export interface PayoutsTable {
  creator_id: string;
  id: string;
  amount: number;
  currency: string;
  status: string;
  arrives_at: Date;
  made_at: Date;
  failure: string | null;
}

export interface PeopleTable {
  creator_id: string;
  connection_id: string;
  id: string;
  username: string | null;
  last_wrote_at: Date | null;
  first_seen_at: Date;
  name: string | null;
  picture_url: string | null;
  follows: boolean | null;
  followers: number | null;
  verified: boolean | null;
  profile_at: Date | null;
  stopped_at: Date | null;
  taken_over_until: Date | null;
  blocked_at: Date | null;
  email: string | null;
  email_asked_at: Date | null;
  thanked_at: Date | null;
  last_seen_at: Date | null;
  name_key: string | null;
  name_last: GeneratedAlways<string | null>;
  profile_tried_at: Date | null;
  contact_id: string | null;
}

export interface PlanPricesTable {
  plan_id: string;
  billing_interval: 'month' | 'year';
  cents: number;
  currency: Generated<string>;
  stripe_price_id: string | null;
  since: Date;
  until: Date | null;
}

export interface PlansTable {
  id: string;
  name: string;
  tagline: Generated<string>;
  features: Generated<string[]>;
  position: Generated<number>;
  trial_days: Generated<number>;
  on_sale: Generated<boolean>;
}

export interface PlatformPausesTable {
  platform: string;
  paused_at: Date | null;
}

export interface PostPicturesTable {
  creator_id: string;
  post_id: string;
  source: string;
  content_type: string;
  bytes: Buffer;
  kept_at: Date;
}

export interface PostsTable {
  creator_id: string;
  id: string;
  connection_id: string;
  caption: Generated<string>;
  media_type: string | null;
  product_type: string | null;
  permalink: string | null;
  picture_url: string | null;
  comments_count: number | null;
  like_count: number | null;
  posted_at: Date;
  synced_at: Date;
  gone_at: Date | null;
  caption_key: Generated<string>;
  offered_at: Date | null;
  reading_planned: Generated<boolean>;
  asked_word: string | null;
  tested_until: Date | null;
}

export interface PreparedCandidatesTable {
  creator_id: string;
  automation_id: string;
  post_id: string;
  found_at: Date;
}

export interface PriceMovesTable {
  creator_id: string;
  stripe_price_id: string;
  cents: number;
  told_at: Date;
  mailed_at: Date | null;
}

export interface ProcessReportsTable {
  process_id: string;
  seen_at: Date;
  report: Json;
}

export interface PublishedMealPlansTable {
  creator_id: string;
  meal_plan_id: string;
  content: Json;
  published_at: Date;
  bytes: GeneratedAlways<number>;
}

export interface QueueControlsTable {
  creator_id: string;
  connection_id: string;
  paused_at: Date | null;
  slowed_to_percent: number | null;
  slowed_until: Date | null;
  sorted: Generated<'deadline' | 'newest'>;
  first_post_id: string | null;
  changed_by: string | null;
  changed_at: Date;
}

export interface QueueForecastsTable {
  creator_id: string;
  connection_id: string;
  forecast: Json;
  made_at: Date;
}

export interface ReaderMailsTable {
  creator_id: string;
  id: string;
  contact_id: string;
  kind: string;
  about: NullableJson;
  question: string | null;
  submission_id: string | null;
  recipient_domain: string;
  state: Generated<'waiting' | 'sending' | 'accepted' | 'delivered' | 'deferred' | 'bounced' | 'complained' | 'held' | 'suppressed' | 'failed' | 'cancelled' | 'expired'>;
  created_at: Date;
  due_at: Date;
  lease_id: string | null;
  attempts: Generated<number>;
  unnoted: Generated<number>;
  last_failure: string | null;
  finished_at: Date | null;
  reported: string | null;
  reported_at: Date | null;
  part_of: string | null;
  lane: Generated<number>;
  clicked_at: Date | null;
}

export interface ReadingStatesTable {
  creator_id: string;
  connection_id: string;
  held_up: boolean;
  repaired_at: Date | null;
}

export interface RealMetaTable {
  only_row: Generated<boolean>;
  first_at: Date;
}

export interface RecipeImportPagesTable {
  creator_id: string;
  import_id: string;
  place: number;
  url: string;
  state: Generated<'waiting' | 'made' | 'updated' | 'same' | 'no_recipe' | 'not_read'>;
  because: string | null;
  tries: Generated<number>;
  recipe_id: string | null;
  version: number | null;
  found_at: Date;
  undone: boolean | null;
}

export interface RecipeImportsTable {
  creator_id: string;
  id: string;
  site: string;
  state: Generated<'running' | 'paused' | 'done' | 'failed'>;
  way: 'plugin' | 'wprm' | 'sitemap' | null;
  failure: string | null;
  made_at: Date;
  finished_at: Date | null;
  undo_began_at: Date | null;
  undone_at: Date | null;
}

export interface RecipeIngredientsTable {
  creator_id: string;
  recipe_id: string;
  list_code: string;
  servings: number | null;
  minutes: number | null;
  measures: string;
  language: string;
  lines: Json;
  steps: Generated<string[]>;
  line_count: number;
  to_check: number;
  foods: string;
  version: Generated<number>;
  updated_at: Date;
  deleted_recipe: NullableJson;
  bytes: GeneratedAlways<number>;
}

export interface RecipeReadingsTable {
  creator_id: string;
  recipe_id: string;
  way: 'plugin' | 'page' | 'guard';
  lines: Json;
  read_at: Date;
}

export interface RecipeSyncsTable {
  creator_id: string;
  recipe_id: string;
  id: string;
  version_before: number;
  version_after: number;
  made_by: 'plugin' | 'guard' | 'import';
  made_at: Date;
  changed: number;
  added: number;
  removed: number;
  waiting: number;
  before: Json;
}

export interface RecipesTable {
  creator_id: string;
  id: string;
  name: string;
  url: string;
  url_key: string;
  picture_url: string | null;
  keyword_ideas: Generated<string[]>;
  message_text: Generated<string>;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
  bytes: GeneratedAlways<number>;
  post_gone_at: Date | null;
  has_page: Generated<boolean>;
}

export interface RepliesTable {
  creator_id: string;
  id: string;
  name: string;
  kind: 'public_reply' | 'message';
  texts: string[];
  translations: DefaultedJson;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
  bytes: GeneratedAlways<number>;
}

export interface ReportedLinksTable {
  creator_id: string;
  link_id: string;
  times: Generated<number>;
  reasons: Generated<string[]>;
  last_reported_at: Date | null;
  stopped_at: Date | null;
  stops_all: Generated<boolean>;
  why: Generated<string>;
}

export interface RetentionChoicesTable {
  creator_id: string;
  history_days: number | null;
  texts_days: number | null;
  webhook_log_days: number | null;
  changed_at: Date;
  changed_by: string | null;
}

export interface SavedRecipesTable {
  creator_id: string;
  id: string;
  contact_id: string;
  address_key: string;
  url: string;
  title: string;
  picture_url: string | null;
  recipe: NullableJson;
  times: Generated<number>;
  first_saved_at: Date;
  last_saved_at: Date;
  page_key: GeneratedAlways<string | null>;
}

export interface ScriptPagesTable {
  creator_id: string;
  site_id: string;
  url_key: string;
  url: string;
  form_keys: string[] | null;
  page: NullableJson;
  read_at: Date;
}

export interface SegmentsTable {
  creator_id: string;
  id: string;
  name: string;
  segment: string;
  created_at: Date;
}

export interface SendersTable {
  creator_id: string;
  name: string | null;
  address: string | null;
  reply_to: string | null;
  postal_address: Generated<string>;
  updated_at: Date;
}

export interface SendingDomainsTable {
  creator_id: string;
  id: string;
  domain: string;
  selector: string;
  private_key: string;
  public_key: string;
  state: Generated<'waiting' | 'verified' | 'shaky'>;
  seen: NullableJson;
  added_at: Date;
  checked_at: Date | null;
  due_at: Date;
  missing_since: Date | null;
  verified_at: Date | null;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  current_creator_id: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  admin_visit_id: string | null;
}

export interface ShardLeasesTable {
  shard: number;
  holder: string | null;
  fence: Generated<number>;
  expires_at: Generated<Date>;
}

export interface ShopPagesTable {
  creator_id: string;
  id: string;
  shop: string;
  list_kind: 'recipe' | 'plan';
  list_id: string;
  hash: string;
  list: Json;
  is_usual: boolean;
  state: 'waiting' | 'ready' | 'refused';
  url: string | null;
  lines: DefaultedJson;
  made_at: Date | null;
  ends_at: Date | null;
  used_at: Date;
  try_at: Date;
  failing_since: Date | null;
}

export interface ShopSettingsTable {
  creator_id: string;
  id: string;
  version: Generated<number>;
  shops: DefaultedJson;
  amazon_tags: DefaultedJson;
  instacart_secret: string | null;
  instacart_key_end: string | null;
  instacart_partner_id: string | null;
  instacart_problem: string | null;
  disclosure: Generated<string>;
  measures: Generated<'us' | 'uk' | 'metric' | 'au'>;
  country: string | null;
  pantry: DefaultedJson;
  amazon_channels: NullableJson;
  amazon_by_country: Generated<boolean>;
  amazon_more_tags: DefaultedJson;
}

export interface SiteProbesTable {
  creator_id: string;
  site_id: string;
  probed_at: Date;
  shows: 'inline' | 'fragment';
  finding: string;
  page_url: string | null;
  words: number;
  seen: number;
  ways: number;
  leaks: string[];
  members_see: boolean;
  cache: string | null;
}

export interface SitesTable {
  creator_id: string;
  id: string;
  place: string;
  url: string;
  kind: Generated<'wordpress' | 'script'>;
  is_live: boolean;
  key_id: string | null;
  plugin_version: string | null;
  wordpress_version: string | null;
  php_version: string | null;
  cards: Generated<string[]>;
  caches: Generated<string[]>;
  outbox_depth: number | null;
  cron_is_healthy: boolean | null;
  signing_key: string | null;
  old_signing_key: string | null;
  first_heard_at: Date;
  last_heard_at: Date;
  is_known_copy: Generated<boolean>;
  posts_waiting: number | null;
  asks_from: Date | null;
  next_signing_key: string | null;
  dead_signing_key: string | null;
  key_made_at: Generated<Date>;
  call_trouble: string | null;
  clock_off_s: number | null;
  stack: string | null;
  posts_locked: number | null;
  posts_public: number | null;
  checks_from: Date | null;
  rest_is_off: Generated<boolean>;
}

export interface SponsorPinsTable {
  creator_id: string;
  id: string;
  version: Generated<number>;
  foods: string[];
  food_keys: string[];
  recipe_ids: string[] | null;
  product: string;
  upcs: Generated<string[]>;
  asins: DefaultedJson;
  brand: Generated<string>;
  disclosure: string;
  from_day: string;
  to_day: string;
  time_zone: string;
  begins_at: Date;
  ends_at: Date;
  proof_code: string;
  proof_ended_at: Date | null;
  days: DefaultedJson;
  pages_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface StoriesTable {
  creator_id: string;
  id: string;
  connection_id: string;
  kind: 'story' | 'live';
  video: Generated<boolean>;
  caption: Generated<string>;
  permalink: string | null;
  posted_at: Date;
  expires_at: Date | null;
  ended_at: Date | null;
  seen_at: Date | null;
  insights: NullableJson;
  insights_at: Date | null;
}

export interface StoryPicturesTable {
  creator_id: string;
  story_id: string;
  content_type: string;
  bytes: Buffer;
}

export interface StripeAccountsTable {
  creator_id: string;
  account_id: string;
  state: string;
  needs: Generated<string[]>;
  due_at: Date | null;
  is_filled_in: Generated<boolean>;
  made_at: Date;
  checked_at: Date;
  last_line: string | null;
  balance: NullableJson;
  balance_at: Date | null;
  compared_at: Date | null;
  left_at: Date | null;
  open_disputes: DefaultedJson;
  differs_since: Date | null;
}

export interface StripeCallsTable {
  key: string;
  creator_id: string | null;
  verb: string;
  params: Json;
  state: Generated<'planned' | 'done' | 'refused' | 'unknown'>;
  stripe_id: string | null;
  problem: string | null;
  planned_at: Date;
  settled_at: Date | null;
  told_at: Date | null;
  account: string | null;
  is_followed: Generated<boolean>;
}

export interface StripeCustomersTable {
  creator_id: string;
  customer_id: string;
  fetches_begun: Generated<number>;
  fetch_written: Generated<number>;
  synced_at: Date | null;
  repaired_at: Date | null;
}

export interface StripeEventsTable {
  id: string;
  type: string;
  received_at: Date;
}

export interface SubmissionsTable {
  creator_id: string;
  id: string;
  attempt: string;
  form_id: string;
  form_version: number;
  site_id: string | null;
  contact_id: string | null;
  result: 'on_its_way' | 'please_confirm' | 'already_sent' | 'later';
  is_test: boolean;
  wants_newsletter: boolean;
  page_url: string;
  address_key: string | null;
  network: string | null;
  network_until: Date | null;
  submitted_at: Date;
  received_at: Date;
}

export interface SubscriptionsTable {
  creator_id: string;
  id: string;
  plan_id: string;
  billing_interval: Generated<'month' | 'year'>;
  status: 'active' | 'canceled' | 'past_due' | 'incomplete' | 'incomplete_expired' | 'trialing' | 'unpaid' | 'paused';
  cancel_at: Date | null;
  canceled_at: Date | null;
  stripe_subscription_id: string;
  created_at: Generated<Date>;
  stripe_price_id: string | null;
  current_period_end: Date | null;
  trial_end: Date | null;
  late_since: Date | null;
  schedule_id: string | null;
  next_plan_id: string | null;
  next_interval: 'month' | 'year' | null;
  next_at: Date | null;
  pay_needed: string | null;
  retry_at: Date | null;
  late_mails: Generated<number>;
  trial_mails: Generated<number>;
  given_until: Date | null;
}

export interface SuppressionsTable {
  creator_id: string;
  email_hash: string;
  reason: 'bounced' | 'complained' | 'not_me' | 'unsubscribed' | 'erased' | 'team';
  since: Date;
  note: string | null;
  id: Generated<string>;
  contact_id: string | null;
}

export interface TagsTable {
  creator_id: string;
  id: string;
  name: string;
  created_at: Date;
}

export interface TierPricesTable {
  creator_id: string;
  id: string;
  tier_id: string;
  billing_interval: 'month' | 'year';
  amount: number;
  since: Date;
  until: Date | null;
  stripe_price_id: string | null;
}

export interface TiersTable {
  creator_id: string;
  id: string;
  name: string;
  made_at: Date;
  description: Generated<string>;
  currency: Generated<string>;
  trial_days: Generated<number>;
  archived_at: Date | null;
  rank: Generated<number>;
  picture_url: string | null;
}

export interface TokensTable {
  creator_id: string;
  id: string;
  kind: 'FACEBOOK_BUSINESS_USER' | 'FACEBOOK_BUSINESS_PAGE' | 'INSTAGRAM_BUSINESS_USER';
  subject_id: string;
  secret: string;
  scopes: Generated<string[]>;
  issued_at: Date;
  expires_at: Date | null;
  refreshed_at: Date | null;
  invalid_at: Date | null;
  invalid_reason: string | null;
}

export interface TriesTable {
  key: string;
  count: number;
  ends_at: Date;
}

export interface TwoFactorsTable {
  id: string;
  user_id: string;
  secret: string;
  backup_codes: string;
  verified: Generated<boolean>;
  failed_verification_count: Generated<number>;
  locked_until: Date | null;
}

export interface UnreadMessagesTable {
  creator_id: string;
  connection_id: string;
  mid: string;
  standby: boolean;
  received_at: Date;
  next_at: Date;
  failures: Generated<number>;
}

export interface UsersTable {
  id: string;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  is_admin: Generated<boolean>;
  two_factor_enabled: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface WakingPostsTable {
  creator_id: string;
  post_id: string;
  found_at: Date;
  seen_at: Date;
  comments: number;
  usual: number;
  asking: number;
  dismissed_at: Date | null;
}

export interface WatchedLinksTable {
  creator_id: string;
  id: string;
  url: string;
  url_hash: string;
  host: string;
  state: Generated<'unchecked' | 'fine' | 'failing' | 'broken'>;
  problem: string | null;
  failed_since: Date | null;
  broken_since: Date | null;
  checked_at: Date | null;
  next_check_at: Date;
  busy: Generated<number>;
  first_look: NullableJson;
  etag: string | null;
  last_modified: string | null;
  certificate_ends_at: Date | null;
  mailed_at: Date | null;
}

export interface WelcomeMailsTable {
  creator_id: string;
  id: string;
  position: number;
  days: Generated<number>;
  hour: Generated<number>;
  version: Generated<number>;
  design: Json;
  changed_by: string;
  changed_at: Date;
}

export interface WelcomeRunsTable {
  creator_id: string;
  contact_id: string;
  position: Generated<number>;
  began_at: Date;
  last_at: Date;
  next_at: Date;
  ended_at: Date | null;
  because: string | null;
}

export interface WorkerHeartbeatsTable {
  worker_id: string;
  seen_at: Date;
}

/** Every table, for Kysely. */
export interface Tables {
  address_changes: AddressChangesTable;
  admin_visits: AdminVisitsTable;
  answered_people: AnsweredPeopleTable;
  api_keys: ApiKeysTable;
  api_tokens: ApiTokensTable;
  app_link_changes: AppLinkChangesTable;
  app_links: AppLinksTable;
  audit_log: AuditLogTable;
  automation_posts: AutomationPostsTable;
  automations: AutomationsTable;
  blog_posts: BlogPostsTable;
  broadcasts: BroadcastsTable;
  calls_under_way: CallsUnderWayTable;
  catch_ups: CatchUpsTable;
  checkouts: CheckoutsTable;
  clicks: ClicksTable;
  comment_readings: CommentReadingsTable;
  confirmations: ConfirmationsTable;
  connections: ConnectionsTable;
  consents: ConsentsTable;
  contact_changes: ContactChangesTable;
  contact_tags: ContactTagsTable;
  contacts: ContactsTable;
  conversations: ConversationsTable;
  conversions: ConversionsTable;
  creator_secrets: CreatorSecretsTable;
  creators: CreatorsTable;
  credentials: CredentialsTable;
  data_deletions: DataDeletionsTable;
  data_integrations: DataIntegrationsTable;
  deliveries: DeliveriesTable;
  discount_codes: DiscountCodesTable;
  email_template_versions: EmailTemplateVersionsTable;
  email_templates: EmailTemplatesTable;
  emailed_links: EmailedLinksTable;
  erased_people: ErasedPeopleTable;
  event_log: EventLogTable;
  event_log_0: EventLog0Table;
  event_log_1: EventLog1Table;
  event_log_2: EventLog2Table;
  event_log_positions: EventLogPositionsTable;
  fan_checkouts: FanCheckoutsTable;
  fan_devices: FanDevicesTable;
  fan_entries: FanEntriesTable;
  fans: FansTable;
  feedback_events: FeedbackEventsTable;
  flag_values: FlagValuesTable;
  follower_days: FollowerDaysTable;
  follower_limits: FollowerLimitsTable;
  forms: FormsTable;
  free_opens: FreeOpensTable;
  gifts: GiftsTable;
  idempotency_keys: IdempotencyKeysTable;
  ignored_events: IgnoredEventsTable;
  import_rows: ImportRowsTable;
  imports: ImportsTable;
  ingredient_words: IngredientWordsTable;
  integration_contacts: IntegrationContactsTable;
  integration_events: IntegrationEventsTable;
  interactions: InteractionsTable;
  invites: InvitesTable;
  jobs: JobsTable;
  joins: JoinsTable;
  keywords: KeywordsTable;
  lane_states: LaneStatesTable;
  link_days: LinkDaysTable;
  link_domains: LinkDomainsTable;
  link_hosts: LinkHostsTable;
  link_uses: LinkUsesTable;
  links: LinksTable;
  mail_checks: MailChecksTable;
  mail_servers: MailServersTable;
  mails: MailsTable;
  meal_plans: MealPlansTable;
  member_move_rows: MemberMoveRowsTable;
  member_moves: MemberMovesTable;
  membership_ends: MembershipEndsTable;
  membership_settings: MembershipSettingsTable;
  memberships: MembershipsTable;
  money_lines: MoneyLinesTable;
  money_sums: MoneySumsTable;
  newsletter_settings: NewsletterSettingsTable;
  no_mail_lists: NoMailListsTable;
  not_me_addresses: NotMeAddressesTable;
  notices_sent: NoticesSentTable;
  notification_choices: NotificationChoicesTable;
  oauth_attempts: OauthAttemptsTable;
  opening_tests: OpeningTestsTable;
  outcome_counts: OutcomeCountsTable;
  outcome_deltas: OutcomeDeltasTable;
  outgoing_endpoints: OutgoingEndpointsTable;
  outgoing_events: OutgoingEventsTable;
  own_messages: OwnMessagesTable;
  parked_events: ParkedEventsTable;
  pass_changes: PassChangesTable;
  pass_counts: PassCountsTable;
  passed_opens: PassedOpensTable;
  passed_recipes: PassedRecipesTable;
  passes: PassesTable;
  past_subscriptions: PastSubscriptionsTable;
  payouts: PayoutsTable;
  people: PeopleTable;
  plan_prices: PlanPricesTable;
  plans: PlansTable;
  platform_pauses: PlatformPausesTable;
  post_pictures: PostPicturesTable;
  posts: PostsTable;
  prepared_candidates: PreparedCandidatesTable;
  price_moves: PriceMovesTable;
  process_reports: ProcessReportsTable;
  published_meal_plans: PublishedMealPlansTable;
  queue_controls: QueueControlsTable;
  queue_forecasts: QueueForecastsTable;
  reader_mails: ReaderMailsTable;
  reading_states: ReadingStatesTable;
  real_meta: RealMetaTable;
  recipe_import_pages: RecipeImportPagesTable;
  recipe_imports: RecipeImportsTable;
  recipe_ingredients: RecipeIngredientsTable;
  recipe_readings: RecipeReadingsTable;
  recipe_syncs: RecipeSyncsTable;
  recipes: RecipesTable;
  replies: RepliesTable;
  reported_links: ReportedLinksTable;
  retention_choices: RetentionChoicesTable;
  saved_recipes: SavedRecipesTable;
  script_pages: ScriptPagesTable;
  segments: SegmentsTable;
  senders: SendersTable;
  sending_domains: SendingDomainsTable;
  sessions: SessionsTable;
  shard_leases: ShardLeasesTable;
  shop_pages: ShopPagesTable;
  shop_settings: ShopSettingsTable;
  site_probes: SiteProbesTable;
  sites: SitesTable;
  sponsor_pins: SponsorPinsTable;
  stories: StoriesTable;
  story_pictures: StoryPicturesTable;
  stripe_accounts: StripeAccountsTable;
  stripe_calls: StripeCallsTable;
  stripe_customers: StripeCustomersTable;
  stripe_events: StripeEventsTable;
  submissions: SubmissionsTable;
  subscriptions: SubscriptionsTable;
  suppressions: SuppressionsTable;
  tags: TagsTable;
  tier_prices: TierPricesTable;
  tiers: TiersTable;
  tokens: TokensTable;
  tries: TriesTable;
  two_factors: TwoFactorsTable;
  unread_messages: UnreadMessagesTable;
  users: UsersTable;
  verifications: VerificationsTable;
  waking_posts: WakingPostsTable;
  watched_links: WatchedLinksTable;
  welcome_mails: WelcomeMailsTable;
  welcome_runs: WelcomeRunsTable;
  worker_heartbeats: WorkerHeartbeatsTable;
}
