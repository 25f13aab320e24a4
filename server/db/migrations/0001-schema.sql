-- The schema of the first release. Later changes are migrations of their own; schema.sql shows what all of them come to.

create sequence event_log_ids;

-- People and how they sign in. Sign-in (better-auth) works through the engine role; see server/features/people.
create table users (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  is_admin boolean not null default false,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email)
);
comment on table users is 'logins: name, address | team | with the user';
alter table users enable row level security;
create policy engine on users for all to creator_hq_engine
  using (true)
  with check (true);
grant select (id, name, email, image) on users to creator_hq_app;

create table creators (
  id uuid not null,
  handle text not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  billing_email text,
  delete_requested_at timestamptz,
  delete_requested_by uuid,
  delete_at timestamptz,
  -- How long a creator's own answer keeps automations quiet; null until she hands back.
  takeover_minutes integer default 720,
  -- The Facebook Addon: whether Page comments and Page messages are answered. Pages connected before go on as they did.
  facebook_addon boolean not null default false,
  -- What happened before is deleted: comments of that time are not read from the platform again.
  history_from timestamptz,
  -- Texts of before are cleared.
  texts_cleared_to timestamptz,
  constraint creators_pkey primary key (id),
  constraint creators_takeover_minutes_check check (takeover_minutes > 0),
  constraint creators_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint creators_delete_requested_by_fkey foreign key (delete_requested_by) references users(id) on delete set null
);
comment on table creators is 'handle, billing address, settings | creator | until deleted';
create unique index creators_by_handle on creators (lower(handle));
create index creators_to_delete on creators (delete_at) where (delete_at is not null);
call protect_tenant_table('creators', 'id');
create trigger delete_of_creator after delete on creators for each row execute function delete_of_creator();
grant select, update on creators to creator_hq_app;

-- An admin inside a creator account. Over when ended, when the hour is over, or with the session.
create table admin_visits (
  creator_id uuid not null,
  id uuid not null,
  admin_id uuid,
  admin_name text not null,
  reason text not null,
  return_to text,
  started_at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  constraint admin_visits_pkey primary key (creator_id, id),
  constraint admin_visits_admin_id_fkey foreign key (admin_id) references users(id) on delete set null,
  constraint admin_visits_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table admin_visits is 'support visits: who, when, why | support | 2 years (`KEEP_AUDIT_LOG_DAYS`), at most with the creator';
-- Every request asks for the visit of its session.
create unique index admin_visits_by_id on admin_visits (id);
call protect_tenant_table('admin_visits');
grant select on admin_visits to creator_hq_app;

-- Who was answered by which automation and when: keeps a person from being answered twice.
create table answered_people (
  creator_id uuid not null,
  automation_id uuid not null,
  person_id text not null,
  interaction_id uuid not null,
  answered_at timestamptz not null,
  constraint answered_people_pkey primary key (creator_id, person_id, automation_id)
) with (autovacuum_analyze_scale_factor=0.2, fillfactor=85);
comment on table answered_people is 'which automation answered whom | followers | with the contact';
alter table answered_people alter column creator_id set statistics 25, alter column automation_id set statistics 25, alter column person_id set statistics 25, alter column interaction_id set statistics 25, alter column answered_at set statistics 25;
call protect_tenant_table('answered_people');
grant delete, insert, select, update on answered_people to creator_hq_app;

-- Keys of the WordPress plugin. The key itself is shown once; here is its hash.
create table api_keys (
  creator_id uuid not null,
  id uuid not null,
  key_hash text not null,
  prefix text not null,
  created_at timestamptz not null,
  created_by uuid,
  last_used_at timestamptz,
  plugin_version text,
  site_url text,
  ended_at timestamptz,
  constraint api_keys_pkey primary key (creator_id, id),
  constraint api_keys_key_hash_key unique (key_hash),
  constraint api_keys_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint api_keys_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table api_keys is 'hash of the WordPress plugin''s key | team | 90 days after its end';
create unique index api_keys_current on api_keys (creator_id) where (ended_at is null);
call protect_tenant_table('api_keys');
grant delete, insert, select, update on api_keys to creator_hq_app;

-- Other tools act for one person in one creator, within the scopes she gave.
create table api_tokens (
  creator_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  token_hash text not null,
  prefix text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_tokens_pkey primary key (creator_id, id),
  constraint api_tokens_token_hash_key unique (token_hash),
  constraint api_tokens_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint api_tokens_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table api_tokens is 'hashes of API tokens | team | 90 days after their end';
create index api_tokens_of_person on api_tokens (user_id);
call protect_tenant_table('api_tokens');
grant delete, insert, select, update on api_tokens to creator_hq_app;

-- What admins did. No foreign keys: the log outlives whom it names.
create table audit_log (
  id uuid not null,
  at timestamptz not null,
  admin_id uuid,
  admin_name text not null,
  creator_id uuid,
  visit_id uuid,
  what text not null,
  detail text not null default '',
  constraint audit_log_pkey primary key (id)
);
comment on table audit_log is 'what admins did, with the address called | support, followers | 2 years (`KEEP_AUDIT_LOG_DAYS`); reasons and addresses cleared with the creator or contact';
create index audit_log_by_creator on audit_log (creator_id, at desc, id desc) where (creator_id is not null);
create index audit_log_by_visit on audit_log (visit_id) where (visit_id is not null);
create index audit_log_newest on audit_log (at desc, id desc);
revoke delete, update on audit_log from creator_hq_engine;

-- A connection is one connected platform account (an Instagram professional account, a Facebook Page).
create table connections (
  creator_id uuid not null,
  id uuid not null,
  platform text not null,
  -- Instagram: the professional account id (17841…), equal to a webhook's entry.id. Facebook: the Page id.
  account_id text not null,
  -- Which of the 16 shards works its events and lanes; server/engine/shards.ts computes the same.
  shard smallint not null generated always as (((('x' || substr(md5(account_id), 1, 1)))::bit(4))::integer) stored,
  -- Instagram Login's second, app-scoped id; deauthorize and data-deletion calls name it.
  app_scoped_id text,
  -- Facebook Login: the person who granted the Page, by her app-scoped id.
  facebook_user_id text,
  -- The Page whose token speaks for this account; null for an account connected by Instagram Login.
  page_id text,
  username text not null,
  name text,
  avatar_url text,
  followers_count bigint,
  account_type text,
  missing_permissions text[] not null default '{}'::text[],
  missing_webhooks text[] not null default '{}'::text[],
  webhooks_checked_at timestamptz,
  -- Meta had unsubscribed us in silence and we subscribed again.
  webhooks_repaired_at timestamptz,
  -- The last health check, whether it came to something or not.
  checked_at timestamptz,
  figures_refreshed_at timestamptz,
  -- Meta refuses the token: nothing is sent until the creator signs in again.
  requires_auth_at timestamptz,
  requires_auth_reason text,
  -- Meta barred the account from messaging for a while.
  barred_until timestamptz,
  barred_count integer not null default 0,
  connected_at timestamptz not null,
  connected_by uuid,
  disconnected_at timestamptz,
  disconnected_reason text,
  posts_synced_at timestamptz,
  posts_tried_at timestamptz,
  -- When the list of posts was last read to its end.
  posts_fully_synced_at timestamptz,
  -- Meta's own pauses, and ours for an outage: banners tell of them, what came meanwhile is answered afterwards.
  webhooks_paused_at timestamptz,
  stories_tried_at timestamptz,
  stories_read_at timestamptz,
  lives_tried_at timestamptz,
  -- Meta bars a Page for its policies until it says otherwise; unlike `barred_until` no time tells when that ends.
  policy_blocked boolean not null default false,
  policy_reason text,
  -- When Meta last said either: webhooks overtake each other
  policy_changed_at timestamptz,
  constraint connections_pkey primary key (creator_id, id),
  constraint connections_platform_check check (platform in ('instagram', 'facebook')),
  constraint connections_connected_by_fkey foreign key (connected_by) references users(id) on delete set null,
  constraint connections_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table connections is 'accounts at Meta: ids, handle, name, picture address | creator | account, or until they ask Meta for deletion';
-- Deauthorize and data-deletion calls name a person, never a creator.
create index connections_by_app_scoped_id on connections (app_scoped_id) where (app_scoped_id is not null);
create index connections_by_check on connections (checked_at nulls first) where (disconnected_at is null);
create index connections_by_facebook_user on connections (facebook_user_id) where (facebook_user_id is not null);
-- The engine knows connections by their own id, and reads the automations of each when it first hears of it.
create unique index connections_by_id on connections (id);
-- An account answers for one creator at a time: a webhook names the account, never the creator.
create unique index connections_one_creator_each on connections (platform, account_id) where (disconnected_at is null);
call protect_tenant_table('connections');
grant delete, insert, select, update on connections to creator_hq_app;

create table automations (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  name text not null,
  -- One post, or any post of the connection when null.
  post_id text,
  words text[] not null,
  mode text not null,
  excluded_words text[] not null default '{}'::text[],
  typo_tolerance boolean not null default true,
  priority integer not null default 0,
  message_text text not null,
  -- Up to three: [{"title": "Get the recipe", "url": "https://…", "code": "…"}], the code being that of its row in links
  buttons jsonb not null default '[]'::jsonb,
  public_replies text[] not null default '{}'::text[],
  -- How long the same person is not answered again; null means every comment is answered.
  repeat_after_minutes integer default 1440,
  version integer not null default 1,
  switched_on_at timestamptz,
  switched_on_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  trigger text not null default 'comment',
  -- `one` post, story or live (`post_id`); `any`; the `next` post (becomes `one` when it is there); posts whose
  -- `caption` has one of `caption_words`.
  scope text not null default 'any',
  caption_words text[] not null default '{}'::text[],
  -- Libraries it uses besides its own words and replies.
  keyword_ids uuid[] not null default '{}'::uuid[],
  reply_id uuid,
  -- Further wordings of the message, tried side by side with `message_text`: [{"id": "b", "text": "…"}]
  variants jsonb not null default '[]'::jsonb,
  -- The wording that won the comparison; null while it runs, 'a' is `message_text`.
  variant_winner text,
  -- The message for followers who wrote one of these words: [{"language": "es", "words": [], "messageText": "…", "publicReplies": []}]
  translations jsonb not null default '[]'::jsonb,
  -- {"title": "…", "subtitle": "…", "imageUrl": "https://…"}; shown above the link buttons
  card jsonb,
  -- The steps around the delivery; null is left out. {"text": "…", "buttonTitle": "…"}
  opening jsonb,
  follow_ask jsonb,
  -- {"text": "…", "consent": "…"}
  email_ask jsonb,
  -- {"text": "…", "afterMinutes": 60}
  follow_up jsonb,
  -- It waited for the next post and became one for `post_id`; null for one that was made for its post.
  prepared_as text,
  -- Comments from before are not answered by themselves.
  attached_at timestamptz,
  -- Messages from before do not count: the wordings were others, or the creator began anew.
  variants_since timestamptz,
  -- How often it was tested which is better; see server/features/figures/comparison.ts.
  variant_looks smallint not null default 0,
  -- When the comparison ended by itself
  variant_decided_at timestamptz,
  -- People and taps by wording, and how many messages the automation had sent: {"tried": [...], "messages": 0}
  variant_tried jsonb,
  -- When a link of it is broken: the messages go out all the same, wait, or lead to `link_instead`.
  when_link_breaks text not null default 'send',
  link_instead text,
  draft jsonb,
  -- Grows with every draft that is saved, published or discarded: two people at one draft hear of each other.
  draft_version integer not null default 0,
  bytes integer not null generated always as (((((((((text_bytes(words) + text_bytes(excluded_words)) + text_bytes(caption_words)) + text_bytes(public_replies)) + octet_length(message_text)) + octet_length((buttons)::text)) + octet_length((variants)::text)) + octet_length((translations)::text)) + COALESCE(octet_length((draft)::text), 0))) stored,
  constraint automations_pkey primary key (creator_id, id),
  constraint automations_mode_check check (mode in ('whole_word', 'contains', 'exact', 'all_words', 'any_comment')),
  constraint automations_prepared_as_check check (prepared_as = 'next'),
  constraint automations_scope_check check (scope in ('one', 'any', 'next', 'caption')),
  constraint automations_trigger_check check (trigger in ('comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message')),
  constraint automations_when_link_breaks_check check (when_link_breaks in ('send', 'hold', 'swap')),
  constraint one_post check ((scope = 'one') = (post_id is not null)),
  constraint swap_names_link check (when_link_breaks <> 'swap' or link_instead is not null),
  constraint automations_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint automations_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint automations_switched_on_by_fkey foreign key (switched_on_by) references users(id) on delete set null
);
comment on table automations is 'the creator''s words and answers | nobody | account';
create index automations_by_connection on automations (connection_id) where (archived_at is null);
create index automations_by_post on automations (creator_id, post_id) where (archived_at is null);
create index automations_waiting on automations (connection_id) where ((scope in ('next', 'caption')) and (switched_on_at is not null) and (archived_at is null));
call protect_tenant_table('automations');
grant delete, insert, select, update on automations to creator_hq_app;

-- Posts that an automation of scope `caption` has found.
create table automation_posts (
  creator_id uuid not null,
  automation_id uuid not null,
  post_id text not null,
  attached_at timestamptz not null,
  constraint automation_posts_pkey primary key (creator_id, automation_id, post_id),
  constraint automation_posts_creator_id_automation_id_fkey foreign key (creator_id, automation_id) references automations(creator_id, id) on delete cascade,
  constraint automation_posts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table automation_posts is 'automation and post | nobody | account';
call protect_tenant_table('automation_posts');
grant delete, insert, select, update on automation_posts to creator_hq_app;

create table calls_under_way (
  batch_id uuid not null,
  delivery_ids uuid[] not null,
  constraint calls_under_way_pkey primary key (batch_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
comment on table calls_under_way is 'ids of messages being sent | nobody | moments';

-- Answers sent afterwards to people who had asked before; the browser gives the id, so that a second try is the same one.
create table catch_ups (
  creator_id uuid not null,
  id uuid not null,
  -- Null: across posts
  post_id text,
  people integer not null,
  started_at timestamptz not null,
  started_by uuid,
  cancelled_at timestamptz,
  constraint catch_ups_pkey primary key (creator_id, id),
  constraint catch_ups_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint catch_ups_started_by_fkey foreign key (started_by) references users(id) on delete set null
);
comment on table catch_ups is 'catch-ups: how many, when, by whom | team | activity';
call protect_tenant_table('catch_ups');
grant delete, insert, select, update on catch_ups to creator_hq_app;

create table clicks (
  creator_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  delivery_id uuid,
  clicked_at timestamptz not null,
  -- Why a click does not count (a previewer, a bot, a HEAD request); null for a person's.
  not_counted_because text,
  -- A row for every tap was as many rows as a stranger liked to make. One row now stands for the taps of a network in a minute.
  times integer not null default 1,
  constraint clicks_pkey primary key (creator_id, id),
  constraint clicks_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table clicks is 'that a link was opened, how often in that minute; no address, no device | nobody | activity';
create index clicks_by_delivery on clicks (creator_id, delivery_id) where (delivery_id is not null);
create index clicks_by_link on clicks (creator_id, link_id, clicked_at);
create index clicks_without_message on clicks (clicked_at) where (delivery_id is null);
call protect_tenant_table('clicks');
grant delete, insert, select, update on clicks to creator_hq_app;

-- How far the comments of a post have been read at the platform.
create table comment_readings (
  creator_id uuid not null,
  post_id text not null,
  connection_id uuid not null,
  next_at timestamptz not null,
  -- Everything written before this is known; null until one reading went through.
  read_to timestamptz,
  -- A reading under way: where it goes on, when it began, what it listed so far.
  cursor text,
  started_at timestamptz,
  reads_whole boolean not null default false,
  listed_so_far integer not null default 0,
  -- What the last reading to the first comment came to.
  whole_at timestamptz,
  listed integer,
  platform_counted integer,
  seen integer,
  -- Readings in a row that failed
  failures smallint not null default 0,
  -- Of the comments found by reading (interactions.found_by_reading), those whose rows are deleted.
  found_before integer not null default 0,
  constraint comment_readings_pkey primary key (creator_id, post_id),
  constraint comment_readings_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint comment_readings_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table comment_readings is 'how far a post''s comments were read | nobody | with the post';
create index comment_readings_by_connection on comment_readings (creator_id, connection_id);
create index comment_readings_due on comment_readings (next_at);
call protect_tenant_table('comment_readings');
grant delete, insert, select, update on comment_readings to creator_hq_app;

-- The wording somebody agreed to, where, and when. Rows stay as they are.
create table consents (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid,
  person_id text,
  email text not null,
  wording text not null,
  -- instagram_message, facebook_message, blog …
  place text not null,
  language text,
  automation_id uuid,
  agreed_at timestamptz not null,
  -- The post under which somebody gave her address.
  post_id text,
  constraint consents_pkey primary key (creator_id, id),
  constraint consents_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table consents is 'address, wording, when and where | followers | with the contact; wording and time stay as evidence, without the person';
create index consents_by_automation on consents (creator_id, automation_id, agreed_at) where (automation_id is not null);
create index consents_by_email on consents (creator_id, email);
create index consents_by_person on consents (creator_id, connection_id, person_id) where (person_id is not null);
create index consents_by_post on consents (creator_id, post_id, agreed_at) where (post_id is not null);
call protect_tenant_table('consents');
grant delete, insert, select, update on consents to creator_hq_app;

-- What people of the team did with a contact; what she did herself is in interactions.
create table contact_changes (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  person_id text not null,
  what text not null,
  -- Of a take-over; null: until handed back
  until timestamptz,
  changed_at timestamptz not null,
  changed_by uuid,
  constraint contact_changes_pkey primary key (creator_id, id),
  constraint contact_changes_what_check check (what in ('taken_over', 'handed_back', 'blocked', 'unblocked')),
  constraint contact_changes_changed_by_fkey foreign key (changed_by) references users(id) on delete set null,
  constraint contact_changes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table contact_changes is 'who took over, handed back, blocked | followers, team | activity';
create index contact_changes_by_person on contact_changes (creator_id, connection_id, person_id, changed_at);
create index contact_changes_by_time on contact_changes (creator_id, changed_at);
call protect_tenant_table('contact_changes');
grant delete, insert, select, update on contact_changes to creator_hq_app;

-- A message that is a short sequence: where one person stands in it. See docs/conversations.md for the states.
create table conversations (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  automation_id uuid not null,
  -- What began it
  interaction_id uuid not null,
  -- Of the comment at first; that of her tap once she tapped, should Meta give another there.
  person_id text not null,
  state text not null,
  -- Why it ended: clicked, no_tap, no_answer, stopped, taken_over, follow_up_sent …
  ended_because text,
  -- What was promised when it began: a later change of the automation does not change a conversation under way.
  plan jsonb not null,
  follow_asks smallint not null default 0,
  -- How often she was told that what she wrote is no address
  email_hints smallint not null default 0,
  -- The address she wrote while we ask whether she meant another
  given_email text,
  suggested_email text,
  -- The message that is on its way; until it has arrived, a second tap changes nothing.
  pending_delivery_id uuid,
  delivered_at timestamptz,
  -- When the state times out
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint conversations_pkey primary key (creator_id, id),
  constraint conversations_state_check check (state in ('opening', 'follow', 'email', 'delivered', 'ended')),
  constraint conversations_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint conversations_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
) with (fillfactor=80);
comment on table conversations is 'state of a message sequence | followers | activity; their words as texts';
create index conversations_by_interaction on conversations (creator_id, interaction_id);
create index conversations_by_person on conversations (creator_id, automation_id, person_id);
create index conversations_open on conversations (connection_id, person_id) where (state in ('opening', 'follow', 'email'));
create index conversations_timing_out on conversations (expires_at) where (state in ('opening', 'follow', 'email'));
call protect_tenant_table('conversations');
grant delete, insert, select, update on conversations to creator_hq_app;

create table credentials (
  id uuid not null,
  user_id uuid not null,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint credentials_pkey primary key (id),
  constraint credentials_provider_id_account_id_key unique (provider_id, account_id),
  constraint credentials_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table credentials is 'password hashes | team | with the user';
create index credentials_by_user on credentials (user_id);

-- Meta's data-deletion callback promises a page that tells the status.
create table data_deletions (
  confirmation_code text not null,
  -- Forgotten when the deletion is done.
  platform_user_id text,
  requested_at timestamptz not null,
  finished_at timestamptz,
  constraint data_deletions_pkey primary key (confirmation_code)
);
comment on table data_deletions is 'confirmation codes of Meta''s deletion requests | followers, creator | Meta''s id until done (minutes); the bare code for good, for its page';

-- One outbound call. States: queued → sending → sent | failed | expired | cancelled; back to queued for another try.
create table deliveries (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  interaction_id uuid not null,
  automation_id uuid,
  kind text not null,
  lane text not null,
  -- comment id for replies, the person's id for messages
  recipient text not null,
  content jsonb not null,
  state text not null default 'queued',
  priority smallint not null default 0,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  attempts smallint not null default 0,
  -- An earlier call ended without an answer: it may have reached the follower.
  uncertain boolean not null default false,
  called_at timestamptz,
  finished_at timestamptz,
  -- Meta's message id or comment id
  platform_message_id text,
  -- The follower's id in the conversation that a private reply opened
  recipient_person_id text,
  read_at timestamptz,
  failure_reason text,
  failure_detail text,
  created_at timestamptz not null,
  -- The first click of a person on a link of this message.
  clicked_at timestamptz,
  conversation_id uuid,
  -- Which wording she got: 'a' is the automation's own text
  variant text,
  -- Written by a person of this team
  sent_by uuid,
  catch_up_id uuid,
  -- When it would have gone out, were its link not broken; null: it is not held back.
  held_from timestamptz,
  listed_as text not null generated always as (
case
    when (state = 'sending') then 'sent'
    else state
end) stored,
  given_up_at timestamptz generated always as (
case
    when (state in ('failed', 'expired')) then finished_at
    else null::timestamptz
end) stored,
  -- What may have arrived and is not to be sent any more: it is looked for, and does not go out when it is not found. Why.
  called_off text,
  constraint deliveries_pkey primary key (id, creator_id),
  constraint deliveries_kind_check check (kind in ('private_reply', 'message', 'public_reply')),
  constraint deliveries_lane_check check (lane in ('private_replies', 'live_replies', 'messages', 'public_replies', 'reads')),
  constraint deliveries_state_check check (state in ('queued', 'sending', 'sent', 'failed', 'expired', 'cancelled')),
  constraint deliveries_sent_by_fkey foreign key (sent_by) references users(id) on delete set null
) with (autovacuum_analyze_scale_factor=0.2, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=5000, fillfactor=42);
comment on table deliveries is 'what was sent to whom, when, Meta''s answer | followers | activity; words as texts';
create index deliveries_by_catch_up on deliveries (creator_id, catch_up_id) where (catch_up_id is not null);
create index deliveries_by_conversation on deliveries (creator_id, conversation_id) where (conversation_id is not null);
create index deliveries_by_interaction on deliveries (creator_id, interaction_id);
-- The chat that a private reply opened is hers, also should Meta call her by another id there.
create index deliveries_by_person on deliveries (connection_id, recipient_person_id) where (recipient_person_id is not null);
create index deliveries_called on deliveries (connection_id, lane, called_at) where (called_at is not null);
create index deliveries_compared on deliveries (creator_id, automation_id, created_at) where (variant is not null);
-- Counting what failed in the last day must not read the history.
create index deliveries_given_up on deliveries (given_up_at) where (given_up_at is not null);
create index deliveries_held on deliveries (creator_id) where ((held_from is not null) and (listed_as = 'queued'));
create index deliveries_queued on deliveries (connection_id, lane, priority desc, expires_at, id) where (listed_as = 'queued');
-- An echo may be of a message whose call went unanswered.
create index deliveries_uncertain on deliveries (connection_id) where (uncertain and (listed_as = 'queued'));
alter table deliveries alter column creator_id set statistics 25, alter column id set statistics 25, alter column connection_id set statistics 25, alter column interaction_id set statistics 25, alter column automation_id set statistics 25, alter column kind set statistics 25, alter column lane set statistics 25, alter column recipient set statistics 25, alter column content set statistics 0, alter column state set statistics 25, alter column priority set statistics 25, alter column due_at set statistics 25, alter column expires_at set statistics 25, alter column attempts set statistics 25, alter column uncertain set statistics 25, alter column called_at set statistics 25, alter column finished_at set statistics 25, alter column platform_message_id set statistics 25, alter column recipient_person_id set statistics 25, alter column read_at set statistics 25, alter column failure_reason set statistics 25, alter column failure_detail set statistics 0, alter column created_at set statistics 25, alter column clicked_at set statistics 25, alter column conversation_id set statistics 25, alter column variant set statistics 25, alter column sent_by set statistics 25, alter column catch_up_id set statistics 25, alter column held_from set statistics 25, alter column listed_as set statistics 25, alter column given_up_at set statistics 25;
call protect_tenant_table('deliveries');
create trigger count_clicked after update of clicked_at on deliveries for each row when (((old.clicked_at is null) and (new.clicked_at is not null))) execute function count_reached_delivery('clicked');
create trigger count_opened after update of read_at on deliveries for each row when (((old.read_at is null) and (new.read_at is not null) and (new.kind <> 'public_reply'))) execute function count_reached_delivery('opened');
create trigger creators_exist after insert on deliveries referencing new table as new_rows for each statement execute function creators_exist();
grant delete, insert, select, update on deliveries to creator_hq_app;

-- Links that we mailed: confirm an address, set a new password. Each works once.
create table emailed_links (
  -- SHA-256 of the link's token: who reads this table cannot use the links.
  token_hash text not null,
  purpose text not null,
  -- Null for an address that nobody has: asking costs the same time whether it is known or not.
  user_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Of a link to sign up only: nobody has the address yet.
  email text,
  constraint emailed_links_pkey primary key (token_hash),
  constraint emailed_links_check check ((purpose = 'sign_up') = (email is not null)),
  constraint emailed_links_purpose_check check (purpose in ('confirm_email', 'reset_password', 'sign_up')),
  constraint emailed_links_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table emailed_links is 'hashes of mailed links | team | hours; for sign-up seven days, with the address';
create index emailed_links_by_user on emailed_links (user_id);

-- Who was erased: a receipt without the person, and what keeps a late webhook from bringing her back.
create table erased_people (
  creator_id uuid not null,
  connection_id uuid not null,
  -- See erased_hash
  person_hash text not null,
  erased_at timestamptz not null,
  erased_by uuid,
  -- Outlive the rest, so that she is neither written to nor asked for her address again.
  stopped_at timestamptz,
  email_asked_at timestamptz,
  constraint erased_people_pkey primary key (creator_id, connection_id, person_hash),
  constraint erased_people_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint erased_people_erased_by_fkey foreign key (erased_by) references users(id) on delete set null
);
comment on table erased_people is 'hash of an erased person''s id, their STOP, that they were asked for an address | nobody | account: keeps late webhooks out and STOP in force';
call protect_tenant_table('erased_people');
grant delete, insert, select, update on erased_people to creator_hq_app;

-- Webhooks that were acknowledged and not yet worked off. A row lives for milliseconds; see server/events.
create table event_log (
  slot smallint not null default ((EXTRACT(minute from now()))::integer % 3),
  -- Commits in this order: see there.
  id bigint not null default nextval('event_log_ids'::regclass),
  shard smallint not null,
  received_at timestamptz not null,
  body text not null,
  constraint event_log_pkey1 primary key (shard, id, slot)
) partition by list (slot);
comment on table event_log is 'webhooks to process, as received | followers | moments; up to 15 minutes after';

create table event_log_0 partition of event_log for values in ('0') with (autovacuum_enabled=false);
grant truncate on event_log_0 to creator_hq_engine;

create table event_log_1 partition of event_log for values in ('1') with (autovacuum_enabled=false);
grant truncate on event_log_1 to creator_hq_engine;

create table event_log_2 partition of event_log for values in ('2') with (autovacuum_enabled=false);
grant truncate on event_log_2 to creator_hq_engine;

create table event_log_positions (
  shard smallint not null,
  -- Everything of the shard up to this id is worked off.
  done_to bigint not null default 0,
  constraint event_log_positions_pkey primary key (shard)
) with (fillfactor=50);
comment on table event_log_positions is 'progress in the event log | nobody | for good';

-- A flag's value for everyone (creator_id null) or one creator; what is not here is off.
create table flag_values (
  flag text not null,
  creator_id uuid,
  is_on boolean not null,
  changed_at timestamptz not null,
  constraint flag_values_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table flag_values is 'feature flags | nobody | account';
create unique index flag_values_once on flag_values (flag, creator_id) NULLS not DISTINCT;

-- Calls of the API that were made with an Idempotency-Key, so that the same call again makes nothing twice
-- (server/http/once.ts). A day old they go.
create table idempotency_keys (
  creator_id uuid not null,
  id uuid not null,
  -- The token that called, or the person in the browser
  caller_id uuid not null,
  -- SHA-256: of the key, and of method, address and body
  key_hash text not null,
  request_hash text not null,
  created_at timestamptz not null,
  -- What was asked for stands in the database
  committed boolean not null default false,
  -- What was answered, sealed: it may hold a secret that is shown once. Null while the call is under way, and when its end was lost
  answer text,
  constraint idempotency_keys_pkey primary key (creator_id, id),
  constraint idempotency_keys_creator_id_caller_id_key_hash_key unique (creator_id, caller_id, key_hash),
  constraint idempotency_keys_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table idempotency_keys is 'sealed answers of calls that created something | team | a day or two';
create index idempotency_keys_by_age on idempotency_keys (created_at);
call protect_tenant_table('idempotency_keys');
grant delete, insert, select, update on idempotency_keys to creator_hq_app;

-- What is acknowledged but not ours to answer, counted by what it was (unknown account, unknown field …).
create table ignored_events (
  day date not null,
  what text not null,
  count bigint not null default 0,
  constraint ignored_events_pkey primary key (day, what)
);
comment on table ignored_events is 'counts of skipped events by kind | nobody | for good';

-- One thing a follower did, with the one outcome it came to.
create table interactions (
  creator_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  kind text not null,
  -- Comment id, message mid, or the key made of a postback's parts: what makes it one interaction.
  platform_id text not null,
  post_id text,
  parent_id text,
  person_id text not null,
  username text,
  text text not null default '',
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  outcome text not null,
  reason text not null,
  automation_id uuid,
  matched_words text[] not null default '{}'::text[],
  waiting_until timestamptz,
  outcome_at timestamptz not null,
  -- A comment that no webhook told of: our reading of the post found it.
  found_by_reading boolean not null default false,
  -- The outcome under which lists find an interaction. What is going out at this moment is listed as what it becomes nearly
  -- always: writing down that it arrived then touches no index.
  listed_as text not null generated always as (
case
    when (reason = 'sending') then 'replied'
    else outcome
end) stored,
  constraint interactions_pkey primary key (id, creator_id),
  constraint interactions_kind_check check (kind in ('comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message', 'button_tap')),
  constraint interactions_outcome_check check (outcome in ('replied', 'waiting', 'skipped', 'missed', 'failed', 'expired'))
) with (autovacuum_analyze_scale_factor=0.2, fillfactor=50);
comment on table interactions is 'who commented, wrote, tapped; words; outcome | followers | activity: 3 years (`KEEP_HISTORY_DAYS`); words 2 years (`KEEP_TEXTS_DAYS`)';
create index interactions_by_automation on interactions (creator_id, automation_id, received_at desc, id desc) where (automation_id is not null);
create index interactions_by_kind on interactions (creator_id, kind, received_at desc, id desc) where (kind <> 'comment');
create index interactions_by_outcome on interactions (creator_id, listed_as, received_at desc, id desc);
create index interactions_by_person on interactions (creator_id, person_id, occurred_at desc, id desc);
create index interactions_by_post on interactions (creator_id, post_id, received_at desc, id desc) where (post_id is not null);
create index interactions_found on interactions (creator_id, post_id) where found_by_reading;
create index interactions_newest on interactions (creator_id, received_at desc, id desc);
create unique index interactions_once on interactions (connection_id, platform_id);
alter table interactions alter column creator_id set statistics 25, alter column id set statistics 25, alter column connection_id set statistics 25, alter column kind set statistics 25, alter column platform_id set statistics 25, alter column post_id set statistics 25, alter column parent_id set statistics 25, alter column person_id set statistics 25, alter column username set statistics 25, alter column text set statistics 0, alter column occurred_at set statistics 25, alter column received_at set statistics 25, alter column outcome set statistics 25, alter column reason set statistics 25, alter column automation_id set statistics 25, alter column matched_words set statistics 0, alter column waiting_until set statistics 25, alter column outcome_at set statistics 25, alter column found_by_reading set statistics 25, alter column listed_as set statistics 25;
call protect_tenant_table('interactions');
create trigger count_changed after update on interactions referencing old table as old_rows new table as new_rows for each statement execute function count_changed_interactions();
create trigger count_deleted after delete on interactions referencing old table as old_rows for each statement execute function count_deleted_interactions();
create trigger count_new after insert on interactions referencing new table as new_rows for each statement execute function count_new_interactions();
create trigger creators_exist after insert on interactions referencing new table as new_rows for each statement execute function creators_exist();
grant delete, insert, select, update on interactions to creator_hq_app;

-- One open invite for an address and creator. The link's token is in the mail only; here is its hash.
create table invites (
  creator_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  token_hash text not null,
  invited_by uuid,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz,
  constraint invites_pkey primary key (creator_id, id),
  constraint invites_token_hash_key unique (token_hash),
  constraint invites_role_check check (role in ('owner', 'collaborator')),
  constraint invites_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint invites_invited_by_fkey foreign key (invited_by) references users(id) on delete set null
);
comment on table invites is 'team invites | team | 30 days after answered or expired';
create index invites_by_email on invites (email) where ((accepted_at is null) and (declined_at is null) and (revoked_at is null));
create unique index invites_open on invites (creator_id, email) where ((accepted_at is null) and (declined_at is null) and (revoked_at is null));
call protect_tenant_table('invites');
grant delete, insert, select, update on invites to creator_hq_app;

-- One queue for all work outside requests (server/jobs): what recurs, and what was asked for once and goes when it is done.
create table jobs (
  name text not null,
  -- Ids, not rows. Two jobs of one name with the same payload are one; what recurs has none.
  payload jsonb not null default '{}'::jsonb,
  -- The payload's creatorId, if it has one
  creator_id uuid,
  created_at timestamptz not null default now(),
  -- While it runs, when another worker may take it over
  due_at timestamptz not null,
  lease_id uuid,
  -- Asked for once more while it ran
  again boolean not null default false,
  last_succeeded_at timestamptz,
  last_failed_at timestamptz,
  last_failure text,
  failures_in_a_row integer not null default 0,
  held_until timestamptz,
  held_because text,
  constraint jobs_pkey primary key (name, payload),
  constraint jobs_payload_check check (octet_length(payload::text) <= 1000),
  constraint jobs_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
create index jobs_by_creator on jobs (creator_id) where (creator_id is not null);
create index jobs_due on jobs (name, due_at);
call protect_tenant_table('jobs');
grant insert, select, update on jobs to creator_hq_app;

-- Custom Keywords: named sets of words that any automation can listen for.
create table keywords (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  words text[] not null,
  mode text not null,
  excluded_words text[] not null default '{}'::text[],
  typo_tolerance boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  bytes integer not null generated always as ((text_bytes(words) + text_bytes(excluded_words))) stored,
  constraint keywords_pkey primary key (creator_id, id),
  constraint keywords_mode_check check (mode in ('whole_word', 'contains', 'exact', 'all_words')),
  constraint keywords_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table keywords is 'word lists | nobody | account';
create unique index keywords_by_name on keywords (creator_id, lower(name));
call protect_tenant_table('keywords');
grant delete, insert, select, update on keywords to creator_hq_app;

-- What a lane must remember over a restart: when Meta or the creator closed it.
create table lane_states (
  creator_id uuid not null,
  connection_id uuid not null,
  lane text not null,
  closed_until timestamptz,
  closed_reason text,
  updated_at timestamptz not null,
  constraint lane_states_pkey primary key (creator_id, connection_id, lane),
  constraint lane_states_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table lane_states is 'state of sending | nobody | account';
call protect_tenant_table('lane_states');
grant delete, insert, select, update on lane_states to creator_hq_app;

-- When a host may be asked next, by whomever: sites of creators are not ours to hurry.
create table link_hosts (
  host text not null,
  next_at timestamptz not null,
  constraint link_hosts_pkey primary key (host)
);
comment on table link_hosts is 'when a site may be checked next | nobody | for good';

-- Addresses that automations which are on send, each once however many send it.
create table watched_links (
  creator_id uuid not null,
  id uuid not null,
  url text not null,
  url_hash text not null,
  host text not null,
  -- `failing`: once; `broken`: again some time later
  state text not null default 'unchecked',
  -- What was found, of contract/link-guard.ts; null: nothing
  problem text,
  failed_since timestamptz,
  broken_since timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  -- Being looked at; a worker that died lets go of it by then.
  claimed_until timestamptz,
  -- How many asked for it in the last hour
  busy integer not null default 0,
  -- What was on the page when it was first seen: {"title": "…", "heading": "…", "recipe": true}
  first_look jsonb,
  etag text,
  last_modified text,
  certificate_ends_at timestamptz,
  mailed_at timestamptz,
  constraint watched_links_pkey primary key (creator_id, id),
  constraint watched_links_creator_id_url_hash_key unique (creator_id, url_hash),
  constraint broken_since_when check ((state = 'broken') = (broken_since is not null)),
  constraint watched_links_state_check check (state in ('unchecked', 'fine', 'failing', 'broken')),
  constraint watched_links_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table watched_links is 'whether sent addresses still respond | nobody | account';
create index watched_links_due on watched_links (next_check_at);
call protect_tenant_table('watched_links');
grant delete, insert, select, update on watched_links to creator_hq_app;

create table link_uses (
  creator_id uuid not null,
  automation_id uuid not null,
  link_id uuid not null,
  constraint link_uses_pkey primary key (creator_id, automation_id, link_id),
  constraint link_uses_creator_id_automation_id_fkey foreign key (creator_id, automation_id) references automations(creator_id, id) on delete cascade,
  constraint link_uses_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint link_uses_creator_id_link_id_fkey foreign key (creator_id, link_id) references watched_links(creator_id, id) on delete cascade
);
comment on table link_uses is 'automation and address | nobody | with the automation';
create index link_uses_by_link on link_uses (creator_id, link_id);
call protect_tenant_table('link_uses');
grant delete, insert, select, update on link_uses to creator_hq_app;

-- Short links: /l/{code}/{delivery}
create table links (
  creator_id uuid not null,
  id uuid not null,
  code text not null,
  automation_id uuid not null,
  url text not null,
  created_at timestamptz not null,
  -- Follows the recipe; `url` is where it leads now.
  recipe_id uuid,
  constraint links_pkey primary key (creator_id, id),
  constraint links_code_key unique (code),
  constraint links_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table links is 'addresses messages lead to | nobody | account';
create index links_by_automation on links (creator_id, automation_id);
create index links_by_recipe on links (creator_id, recipe_id) where (recipe_id is not null);
call protect_tenant_table('links');
grant delete, insert, select, update on links to creator_hq_app;

-- Mails to send, queued in the transaction of the change that causes them; see server/platforms/email.
create table mails (
  id uuid not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Empty once a mail server took it: the links in it are secrets.
  html text not null,
  text text not null,
  state text not null default 'queued',
  created_at timestamptz not null,
  due_at timestamptz not null,
  -- Who sends it now; a sender that dies lets it go when the lease ends.
  lease_id uuid,
  leased_until timestamptz,
  attempts integer not null default 0,
  last_failure text,
  finished_at timestamptz,
  -- Where mail programs unsubscribe the recipient with one click (RFC 8058); null: the mail is no subscription.
  unsubscribe_url text,
  -- A mail about a creator goes when she goes; null: it is about a person's own login.
  about_creator_id uuid,
  constraint mails_pkey primary key (id),
  constraint mails_state_check check (state in ('queued', 'sent', 'failed')),
  constraint mails_about_creator_id_fkey foreign key (about_creator_id) references creators(id) on delete cascade
);
comment on table mails is 'team mail: weekly figures, invites, warnings | team, creator | 30 days; with the creator those about them, except the last, about their deletion';
create index mails_by_creator on mails (about_creator_id) where (about_creator_id is not null);
create index mails_given_up on mails (finished_at) where (state = 'failed');
create index mails_newest on mails (created_at desc, id desc);
create index mails_to_send on mails (due_at) where (state = 'queued');

create table memberships (
  creator_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamptz not null default now(),
  constraint memberships_pkey primary key (creator_id, id),
  constraint memberships_user_id_creator_id_key unique (user_id, creator_id),
  constraint memberships_role_check check (role in ('owner', 'collaborator')),
  constraint memberships_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint memberships_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table memberships is 'who works in which account | team | until removed';
call protect_tenant_table('memberships');
grant select, update on memberships to creator_hq_app;

-- Mails about a thing that were sent, so that none is sent twice.
create table notices_sent (
  creator_id uuid not null,
  user_id uuid not null,
  about text not null,
  sent_at timestamptz not null,
  constraint notices_sent_pkey primary key (creator_id, user_id, about),
  constraint notices_sent_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint notices_sent_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table notices_sent is 'warnings already sent, to whom | team | account';
call protect_tenant_table('notices_sent');
grant select on notices_sent to creator_hq_app;

create table notification_choices (
  creator_id uuid not null,
  user_id uuid not null,
  connection_trouble boolean not null default true,
  invites boolean not null default true,
  weekly_figures boolean not null default true,
  broken_links boolean not null default true,
  -- Owners are told by mail of each new webhook address, API token and API key, unless they chose otherwise.
  new_access boolean not null default true,
  constraint notification_choices_pkey primary key (creator_id, user_id),
  constraint notification_choices_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint notification_choices_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table notification_choices is 'which mails a user wants | team | until removed from the team';
call protect_tenant_table('notification_choices');
grant delete, insert, select, update on notification_choices to creator_hq_app;

-- One row per sign-in at Meta under way.
create table oauth_attempts (
  -- SHA-256 over the state in the address and the secret in the browser's cookie: neither alone finds the row.
  state_hash text not null,
  user_id uuid not null,
  session_id uuid not null,
  creator_id uuid not null,
  login text not null,
  code_verifier text,
  return_to text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint oauth_attempts_pkey primary key (state_hash),
  constraint oauth_attempts_login_check check (login in ('instagram', 'facebook')),
  constraint oauth_attempts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint oauth_attempts_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table oauth_attempts is 'logins at Meta in progress | team | an hour after they end';

-- Comments counted by post, by automation and by day (UTC, of their arrival).
-- `counted` is an outcome, or 'opened' or 'clicked' (then without a reason).
create table outcome_counts (
  creator_id uuid not null,
  counted_by text not null,
  counted_id text not null,
  counted text not null,
  reason text not null,
  count bigint not null,
  constraint outcome_counts_pkey primary key (creator_id, counted_by, counted_id, counted, reason),
  -- `automation_day` and `post_day` are named `<id> <day>`: the day (UTC) on which the follower wrote.
  constraint outcome_counts_counted_by_check check (counted_by in ('post', 'automation', 'day', 'post_day', 'automation_day')),
  constraint outcome_counts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
) with (fillfactor=70);
comment on table outcome_counts is 'sums of outcomes by post, automation, day | nobody | account';
call protect_tenant_table('outcome_counts');
grant delete, insert, select, update on outcome_counts to creator_hq_app;

-- What is not yet added to outcome_counts. Triggers only append here: a counter that every batch of the engine
-- updates would make batches wait for each other. A job adds these up; readers add both.
create table outcome_deltas (
  creator_id uuid not null,
  id bigint not null generated always as identity,
  post_id text,
  automation_id uuid,
  day date,
  counted text not null,
  reason text not null,
  change integer not null,
  -- `day` is that of comments only; this one of everything that is counted.
  received_on date,
  constraint outcome_deltas_pkey primary key (creator_id, id)
) with (autovacuum_analyze_scale_factor=1, autovacuum_analyze_threshold=5000, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000);
comment on table outcome_deltas is 'changes not yet in the sums | nobody | seconds';
call protect_tenant_table('outcome_deltas');
grant delete, insert, select, update on outcome_deltas to creator_hq_app;

-- Where a creator wants to hear of what happens.
create table outgoing_endpoints (
  creator_id uuid not null,
  id uuid not null,
  url text not null,
  -- Sealed (server/platforms/secrets.ts): each request is signed with it.
  secret text not null,
  types text[] not null,
  created_at timestamptz not null,
  created_by uuid,
  switched_off_at timestamptz,
  -- Null: somebody of the team switched it off.
  switched_off_because text,
  -- Since when every try has failed
  failing_since timestamptz,
  last_delivered_at timestamptz,
  -- While the secret of a webhook is changed, requests are signed with the one before it too.
  old_secret text,
  old_secret_until timestamptz,
  constraint outgoing_endpoints_pkey primary key (creator_id, id),
  constraint old_secret_ends check ((old_secret is null) = (old_secret_until is null)),
  constraint outgoing_endpoints_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint outgoing_endpoints_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table outgoing_endpoints is 'addresses of other tools, sealed secrets | creator | until removed';
create index outgoing_endpoints_on on outgoing_endpoints (creator_id) where (switched_off_at is null);
call protect_tenant_table('outgoing_endpoints');
grant delete, insert, select, update on outgoing_endpoints to creator_hq_app;

-- One row per event and endpoint: queue and log in one.
create table outgoing_events (
  creator_id uuid not null,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  type text not null,
  data jsonb not null,
  happened_at timestamptz not null,
  state text not null default 'queued',
  -- The next try; while one is under way, when it counts as lost.
  due_at timestamptz not null,
  -- No try after this
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- [{"at": "…", "status": 500, "error": null, "ms": 120}], newest last
  log jsonb not null default '[]'::jsonb,
  constraint outgoing_events_pkey primary key (creator_id, id),
  constraint outgoing_events_state_check check (state in ('queued', 'delivered', 'failed')),
  constraint outgoing_events_type_check check (type in ('interaction', 'delivery', 'contact', 'click', 'test')),
  constraint outgoing_events_creator_id_endpoint_id_fkey foreign key (creator_id, endpoint_id) references outgoing_endpoints(creator_id, id) on delete cascade,
  constraint outgoing_events_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
) with (fillfactor=80);
comment on table outgoing_events is 'what other tools were sent, their answers | followers | 30 days (`KEEP_WEBHOOK_LOG_DAYS`)';
create index outgoing_events_due on outgoing_events (endpoint_id, due_at) where (state = 'queued');
create index outgoing_events_newest on outgoing_events (creator_id, endpoint_id, happened_at desc, id desc);
create index outgoing_events_old on outgoing_events (happened_at);
call protect_tenant_table('outgoing_events');
grant delete, insert, select, update on outgoing_events to creator_hq_app;

-- What the creator typed in the platform's own app, told to us as an echo.
create table own_messages (
  creator_id uuid not null,
  connection_id uuid not null,
  -- Meta's mid
  platform_id text not null,
  person_id text not null,
  text text not null default '',
  sent_at timestamptz not null,
  constraint own_messages_pkey primary key (creator_id, connection_id, platform_id),
  constraint own_messages_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table own_messages is 'what the creator wrote in Meta''s apps | followers | activity; words as texts';
create index own_messages_by_person on own_messages (creator_id, connection_id, person_id, sent_at);
create index own_messages_by_time on own_messages (creator_id, sent_at);
call protect_tenant_table('own_messages');
grant delete, insert, select, update on own_messages to creator_hq_app;

-- Events that could not be worked off, kept for a person to look at instead of holding up the others.
create table parked_events (
  id bigint not null generated always as identity,
  shard smallint not null,
  received_at timestamptz not null,
  body text not null,
  error text not null,
  parked_at timestamptz not null default now(),
  constraint parked_events_pkey primary key (id)
);
comment on table parked_events is 'webhooks that failed, as received | followers | 30 days (`KEEP_PARKED_EVENTS_DAYS`)';

-- A follower as one connection knows her.
create table people (
  creator_id uuid not null,
  connection_id uuid not null,
  -- Instagram-scoped id
  id text not null,
  username text,
  -- Her last message, tap or story reply: Meta lets us write for 24 hours from here.
  last_wrote_at timestamptz,
  first_seen_at timestamptz not null,
  name text,
  picture_url text,
  follows boolean,
  followers integer,
  verified boolean,
  profile_at timestamptz,
  -- She wrote STOP; START takes it back.
  stopped_at timestamptz,
  -- The creator answers herself; 'infinity' until she hands back.
  taken_over_until timestamptz,
  blocked_at timestamptz,
  email text,
  -- Asked once ever, whatever she said.
  email_asked_at timestamptz,
  -- When she was last thanked for a mention: at most once a day
  thanked_at timestamptz,
  last_seen_at timestamptz,
  -- The name as contract/matching folds it: "Zoë Müller" is found by "zoe mu". Null: not folded yet.
  name_key text,
  -- Its last word: she is found by "mu" too.
  name_last text generated always as ("substring"(name_key, '[^ ]+$')) stored,
  -- When her profile was last asked for, whatever came of it.
  profile_tried_at timestamptz,
  constraint people_pkey primary key (creator_id, connection_id, id)
) with (autovacuum_analyze_scale_factor=0.2);
comment on table people is 'contacts: Meta''s id, handle, name, picture address, follows or not, email | followers | until erased, or with the creator';
create index people_blocked on people (creator_id, last_seen_at desc, id desc) where (blocked_at is not null);
create index people_by_email on people (creator_id, email text_pattern_ops) where (email is not null);
create index people_by_following on people (creator_id, follows, last_seen_at desc, id desc) where (follows is not null);
create index people_by_last_name on people (creator_id, name_last text_pattern_ops) where (name_last is not null);
create index people_by_name on people (creator_id, name_key text_pattern_ops) where (name_key is not null);
create index people_by_username on people (creator_id, username text_pattern_ops);
create index people_newest on people (creator_id, last_seen_at desc, id desc);
create index people_stopped on people (creator_id, last_seen_at desc, id desc) where (stopped_at is not null);
create index people_taken_over on people (creator_id, last_seen_at desc, id desc) where (taken_over_until is not null);
create index people_to_fold on people (creator_id) where ((name is not null) and (name_key is null));
create index people_to_refresh on people (last_wrote_at) where (last_wrote_at is not null);
-- Filters that few people pass; what many pass is found soon enough along people_newest.
create index people_with_email on people (creator_id, last_seen_at desc, id desc) where (email is not null);
alter table people alter column creator_id set statistics 25, alter column connection_id set statistics 25, alter column id set statistics 25, alter column username set statistics 25, alter column last_wrote_at set statistics 25, alter column first_seen_at set statistics 25, alter column name set statistics 25, alter column picture_url set statistics 25, alter column follows set statistics 25, alter column followers set statistics 25, alter column verified set statistics 25, alter column profile_at set statistics 25, alter column stopped_at set statistics 25, alter column taken_over_until set statistics 25, alter column blocked_at set statistics 25, alter column email set statistics 25, alter column email_asked_at set statistics 25, alter column thanked_at set statistics 25, alter column last_seen_at set statistics 25, alter column name_key set statistics 25, alter column name_last set statistics 25, alter column profile_tried_at set statistics 25;
call protect_tenant_table('people');
create trigger creators_exist after insert on people referencing new table as new_rows for each statement execute function creators_exist();
create trigger keep_erased_away after insert on people referencing new table as new_rows for each statement execute function keep_erased_away();
grant delete, insert, select, update on people to creator_hq_app;

create table plans (
  id text not null,
  name text not null,
  -- Cents by billing interval, e.g. {"month": 2900, "year": 29000}; empty for a free plan.
  price jsonb not null default '{}'::jsonb,
  tagline text not null default '',
  features text[] not null default '{}'::text[],
  position integer not null default 0,
  constraint plans_pkey primary key (id)
);
comment on table plans is 'what is for sale | nobody | for good';
grant select on plans to creator_hq_app;

-- Whether a platform is paused as a whole: what is connected meanwhile must be paused too. One row for each platform, so
-- that a pause and a connecting account lock it and none slips through.
create table platform_pauses (
  platform text not null,
  paused_at timestamptz,
  constraint platform_pauses_pkey primary key (platform)
);
comment on table platform_pauses is 'whether a platform is paused | nobody | for good';

create table posts (
  creator_id uuid not null,
  -- Meta's media id: webhooks and interactions name posts by it, also before the first sync.
  id text not null,
  connection_id uuid not null,
  caption text not null default '',
  media_type text,
  product_type text,
  permalink text,
  picture_url text,
  comments_count bigint,
  like_count bigint,
  posted_at timestamptz not null,
  synced_at timestamptz not null,
  gone_at timestamptz,
  -- The caption as contract/matching folds it: "Crème brûlée" is found by "creme brulee".
  caption_key text not null default '',
  -- When automations that wait for a post were offered this one; null: not yet.
  offered_at timestamptz,
  -- Whether comment_readings has it: the few that it lacks are found without looking at all the others.
  reading_planned boolean not null default false,
  constraint posts_pkey primary key (creator_id, id),
  constraint posts_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint posts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table posts is 'captions, picture addresses, counts | creator | account, or until they ask Meta for deletion';
create index posts_by_connection on posts (creator_id, connection_id, posted_at desc);
create index posts_newest on posts (creator_id, posted_at desc, id desc);
create index posts_to_offer on posts (connection_id) where (offered_at is null);
create index posts_to_plan on posts (creator_id, id) where (not reading_planned);
call protect_tenant_table('posts');
grant delete, insert, select, update on posts to creator_hq_app;

-- Several posts or several automations fit: the creator is asked which.
create table prepared_candidates (
  creator_id uuid not null,
  automation_id uuid not null,
  post_id text not null,
  found_at timestamptz not null,
  constraint prepared_candidates_pkey primary key (creator_id, automation_id, post_id),
  constraint prepared_candidates_creator_id_automation_id_fkey foreign key (creator_id, automation_id) references automations(creator_id, id) on delete cascade,
  constraint prepared_candidates_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint prepared_candidates_creator_id_post_id_fkey foreign key (creator_id, post_id) references posts(creator_id, id) on delete cascade
);
comment on table prepared_candidates is 'posts an automation may belong to | nobody | with the automation';
create index prepared_candidates_by_post on prepared_candidates (creator_id, post_id);
call protect_tenant_table('prepared_candidates');
grant delete, insert, select, update on prepared_candidates to creator_hq_app;

-- Each process tells every few seconds how it is; its row goes with it, or a day after it fell silent.
create table process_reports (
  process_id uuid not null,
  seen_at timestamptz not null,
  -- `ProcessReport` in contract/admin.ts.
  report jsonb not null,
  constraint process_reports_pkey primary key (process_id)
);
comment on table process_reports is 'state of each process | nobody | a day';

-- The creator's hand on the queue of a connection. No row: full speed, by deadline.
create table queue_controls (
  creator_id uuid not null,
  connection_id uuid not null,
  paused_at timestamptz,
  -- Share of the platform's rate until then
  slowed_to_percent smallint,
  slowed_until timestamptz,
  sorted text not null default 'deadline',
  first_post_id text,
  changed_by uuid,
  changed_at timestamptz not null,
  constraint queue_controls_pkey primary key (creator_id, connection_id),
  constraint queue_controls_slowed_to_percent_check check (slowed_to_percent >= 1 and slowed_to_percent <= 99),
  constraint queue_controls_sorted_check check (sorted in ('deadline', 'newest')),
  constraint queue_controls_changed_by_fkey foreign key (changed_by) references users(id) on delete set null,
  constraint queue_controls_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint queue_controls_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table queue_controls is 'pauses and orders of the queue | team | account';
call protect_tenant_table('queue_controls');
grant delete, insert, select, update on queue_controls to creator_hq_app;

-- When each post's queue will be through, as the worker last worked it out (server/features/queue/forecast.ts).
create table queue_forecasts (
  creator_id uuid not null,
  connection_id uuid not null,
  forecast jsonb not null,
  made_at timestamptz not null,
  constraint queue_forecasts_pkey primary key (creator_id, connection_id),
  constraint queue_forecasts_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint queue_forecasts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table queue_forecasts is 'when the queue will end | nobody | until the next forecast';
call protect_tenant_table('queue_forecasts');
grant delete, insert, select, update on queue_forecasts to creator_hq_app;

-- What held up a connection when its comments were last read: when it is over, its posts are read at once.
create table reading_states (
  creator_id uuid not null,
  connection_id uuid not null,
  held_up boolean not null,
  repaired_at timestamptz,
  constraint reading_states_pkey primary key (creator_id, connection_id),
  constraint reading_states_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint reading_states_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table reading_states is 'what stopped reading | nobody | account';
call protect_tenant_table('reading_states');
grant delete, insert, select, update on reading_states to creator_hq_app;

-- One row, once this install was started with a Meta app: the demo does not come back by accident. See server/real-meta.ts.
create table real_meta (
  only_row boolean not null default true,
  first_at timestamptz not null,
  constraint real_meta_pkey primary key (only_row),
  constraint real_meta_only_row_check check (only_row)
);
comment on table real_meta is 'that a real Meta app was used, since when | nobody | for good';

-- Recipes, which own the address that messages lead to, and the guard that looks whether such addresses still answer.
create table recipes (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  -- The address without what does not tell pages apart; see server/features/recipes/address-key.ts
  url_key text not null,
  picture_url text,
  keyword_ideas text[] not null default '{}'::text[],
  message_text text not null default '',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  bytes integer not null generated always as (((octet_length(url) + octet_length(message_text)) + text_bytes(keyword_ideas))) stored,
  constraint recipes_pkey primary key (creator_id, id),
  constraint recipes_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table recipes is 'recipes messages lead to | nobody | account';
-- Of the hash: an address may be longer than an index takes.
create unique index recipes_by_address on recipes (creator_id, md5(url_key));
call protect_tenant_table('recipes');
grant delete, insert, select, update on recipes to creator_hq_app;

-- Custom Replies: texts with variants. Public replies are used by automations, messages are starting points for a text.
create table replies (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  -- They take turns without repeats.
  texts text[] not null,
  -- For followers whose words told an automation their language: [{"language": "es", "texts": ["…"]}]
  translations jsonb not null default '[]'::jsonb,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  bytes integer not null generated always as ((text_bytes(texts) + octet_length((translations)::text))) stored,
  constraint replies_pkey primary key (creator_id, id),
  constraint replies_kind_check check (kind in ('public_reply', 'message')),
  constraint replies_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table replies is 'text libraries | nobody | account';
create unique index replies_by_name on replies (creator_id, kind, lower(name));
call protect_tenant_table('replies');
grant delete, insert, select, update on replies to creator_hq_app;

-- How long a creator wants hers kept; null: as long as the operator keeps things (docs/privacy.md).
create table retention_choices (
  creator_id uuid not null,
  history_days integer,
  texts_days integer,
  webhook_log_days integer,
  changed_at timestamptz not null,
  changed_by uuid,
  constraint retention_choices_pkey primary key (creator_id),
  constraint retention_choices_history_days_check check (history_days > 0),
  constraint retention_choices_texts_days_check check (texts_days > 0),
  constraint retention_choices_webhook_log_days_check check (webhook_log_days > 0),
  constraint retention_choices_changed_by_fkey foreign key (changed_by) references users(id) on delete set null,
  constraint retention_choices_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table retention_choices is 'how long the creator keeps things | team | account';
call protect_tenant_table('retention_choices');
grant delete, insert, select, update on retention_choices to creator_hq_app;

create table sessions (
  id uuid not null,
  user_id uuid not null,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  current_creator_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  admin_visit_id uuid,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_key unique (token),
  constraint sessions_current_creator_id_fkey foreign key (current_creator_id) references creators(id) on delete set null,
  constraint sessions_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table sessions is 'sessions, with network address and browser | team | until ended';
create index sessions_by_user on sessions (user_id);

-- Who works a shard's events and lanes. The fence grows with every change of hands.
create table shard_leases (
  shard smallint not null,
  holder uuid,
  fence bigint not null default 0,
  expires_at timestamptz not null default '-infinity'::timestamptz,
  constraint shard_leases_pkey primary key (shard)
);
comment on table shard_leases is 'which worker does what | nobody | for good';

-- Stories and live videos: at Instagram for hours, here for good.
create table stories (
  creator_id uuid not null,
  -- Meta's media id; what interactions and automations call `post_id`
  id text not null,
  connection_id uuid not null,
  kind text not null,
  video boolean not null default false,
  caption text not null default '',
  permalink text,
  posted_at timestamptz not null,
  -- 24 hours after it went up; null for a live, which lasts as long as it lasts
  expires_at timestamptz,
  -- Null while it can be seen. Before `expires_at`: taken down.
  ended_at timestamptz,
  -- When Instagram last listed it; null for one that we only know from what followers wrote
  seen_at timestamptz,
  -- Instagram's own figures as they were last read; it forgets them when the story ends.
  insights jsonb,
  insights_at timestamptz,
  constraint stories_pkey primary key (creator_id, id),
  constraint stories_check check ((kind = 'live') = (expires_at is null)),
  constraint stories_kind_check check (kind in ('story', 'live')),
  constraint stories_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint stories_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table stories is 'stories and lives: caption, figures | creator | account, or until they ask Meta for deletion';
create index stories_newest on stories (creator_id, kind, posted_at desc, id desc);
create index stories_running on stories (connection_id) where (ended_at is null);
call protect_tenant_table('stories');
grant delete, insert, select, update on stories to creator_hq_app;

-- Our copy of the creator's own picture. The address that Instagram gives dies with the story.
create table story_pictures (
  creator_id uuid not null,
  story_id text not null,
  content_type text not null,
  bytes bytea not null,
  constraint story_pictures_pkey primary key (creator_id, story_id),
  constraint story_pictures_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint story_pictures_creator_id_story_id_fkey foreign key (creator_id, story_id) references stories(creator_id, id) on delete cascade
);
comment on table story_pictures is 'pictures of the creator''s stories | creator | 1 year (`KEEP_STORY_PICTURES_DAYS`); within the hour of the creator taking the story down';
call protect_tenant_table('story_pictures');
grant delete, insert, select, update on story_pictures to creator_hq_app;

create table subscriptions (
  creator_id uuid not null,
  id uuid not null,
  plan_id text not null,
  billing_interval text not null default 'month',
  status text not null,
  cancel_at timestamptz,
  canceled_at timestamptz,
  stripe_subscription_id text not null,
  created_at timestamptz not null default now(),
  constraint subscriptions_pkey primary key (creator_id, id),
  constraint subscriptions_creator_id_key unique (creator_id),
  constraint subscriptions_billing_interval_check check (billing_interval in ('month', 'year')),
  constraint subscriptions_status_check check (status in ('active', 'canceled', 'past_due', 'incomplete', 'incomplete_expired', 'trialing', 'unpaid')),
  constraint subscriptions_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint subscriptions_plan_id_fkey foreign key (plan_id) references plans(id)
);
comment on table subscriptions is 'the plan | creator | account';
call protect_tenant_table('subscriptions');
grant select on subscriptions to creator_hq_app;

create table tokens (
  creator_id uuid not null,
  id uuid not null,
  kind text not null,
  -- The person, Page or Instagram account the token speaks for, by Meta's id.
  subject_id text not null,
  -- AES-256-GCM: key id, nonce, ciphertext and tag, see server/platforms/secrets.
  secret text not null,
  scopes text[] not null default '{}'::text[],
  issued_at timestamptz not null,
  expires_at timestamptz,
  refreshed_at timestamptz,
  invalid_at timestamptz,
  invalid_reason text,
  constraint tokens_pkey primary key (creator_id, id),
  constraint tokens_creator_id_kind_subject_id_key unique (creator_id, kind, subject_id),
  constraint tokens_kind_check check (kind in ('FACEBOOK_BUSINESS_USER', 'FACEBOOK_BUSINESS_PAGE', 'INSTAGRAM_BUSINESS_USER')),
  constraint tokens_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table tokens is 'Meta''s tokens, encrypted | creator | until disconnected';
create index tokens_by_expiry on tokens (expires_at) where (invalid_at is null);
call protect_tenant_table('tokens');
grant delete, insert, select, update on tokens to creator_hq_app;

create unlogged table tries (
  key text not null,
  count integer not null,
  ends_at timestamptz not null,
  constraint tries_pkey primary key (key)
);
comment on table tries is 'attempts, by hash | nobody | minutes to a day';

create table two_factors (
  id uuid not null,
  user_id uuid not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  constraint two_factors_pkey primary key (id),
  constraint two_factors_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table two_factors is 'second factors, encrypted; backup codes, hashed | team | until turned off';
create unique index two_factors_by_user on two_factors (user_id);

-- Messages of which a webhook told no more than their id, until they were read at the platform (features/catch-up/unread-messages.ts).
create table unread_messages (
  creator_id uuid not null,
  connection_id uuid not null,
  mid text not null,
  -- Another app answers in that conversation
  standby boolean not null,
  received_at timestamptz not null,
  next_at timestamptz not null,
  failures smallint not null default 0,
  constraint unread_messages_pkey primary key (creator_id, connection_id, mid),
  constraint unread_messages_creator_id_connection_id_fkey foreign key (creator_id, connection_id) references connections(creator_id, id) on delete cascade,
  constraint unread_messages_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table unread_messages is 'ids of messages being read at Meta | nobody | a day at most';
create index unread_messages_due on unread_messages (next_at);
call protect_tenant_table('unread_messages');

create table verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint verifications_pkey primary key (id)
);
comment on table verifications is 'codes in progress | team | minutes';
create index verifications_by_identifier on verifications (identifier);

-- Old posts without an automation that people suddenly comment on. Gone when an automation answers or the spike is over.
create table waking_posts (
  creator_id uuid not null,
  post_id text not null,
  found_at timestamptz not null,
  -- When it was last found awake
  seen_at timestamptz not null,
  -- Of the last hours; how many are usual in as many hours; how many ask for something
  comments integer not null,
  usual real not null,
  asking integer not null,
  dismissed_at timestamptz,
  constraint waking_posts_pkey primary key (creator_id, post_id),
  constraint waking_posts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade,
  constraint waking_posts_creator_id_post_id_fkey foreign key (creator_id, post_id) references posts(creator_id, id) on delete cascade
);
comment on table waking_posts is 'old posts with new comments | nobody | with the post';
call protect_tenant_table('waking_posts');
grant delete, insert, select, update on waking_posts to creator_hq_app;

create table worker_heartbeats (
  worker_id uuid not null,
  seen_at timestamptz not null,
  constraint worker_heartbeats_pkey primary key (worker_id)
);
comment on table worker_heartbeats is 'live workers | nobody | for good';

create policy same_team on users for select to creator_hq_app
  using ((id IN ( SELECT m.user_id
   FROM memberships m
  WHERE (m.creator_id = ( SELECT current_creator_id() AS current_creator_id)))));

create view event_log_waiting as
 SELECT e.id,
    e.shard,
    e.received_at,
    e.body
   FROM (event_log_positions p
     JOIN event_log e ON (((e.shard = p.shard) AND (e.id > p.done_to))));

grant select, usage on sequence outcome_deltas_id_seq to creator_hq_app;

insert into event_log_positions (shard) select generate_series(0, 15);

insert into plans (id, name, price, tagline, features, position) values
  ('creator-plan', 'Creator', '{"year": 29000, "month": 2900}', 'For growing kitchens with any number of followers.', '{"Everything in Free","No follower limit","Priority in support"}', '1'),
  ('free-plan', 'Free', '{}', 'For creators with under 25K followers.', '{"Comment for DM on every post","All your words and replies","One team of any size"}', '0'),
  ('studio-plan', 'Studio', '{"year": 79000, "month": 7900}', 'For several brands and the people who run them.', '{"Everything in Creator","Several accounts under one roof","A person to call"}', '2');

insert into platform_pauses (platform, paused_at) values
  ('facebook', NULL),
  ('instagram', NULL);

insert into shard_leases (shard) select generate_series(0, 15);
