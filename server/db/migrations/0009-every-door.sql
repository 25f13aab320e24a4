-- Automations for every way in: what a follower can do, where it is listened to, and the conversation that follows.
alter table automations
  add column trigger text not null default 'comment'
    check (trigger in ('comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message')),
  -- `one` post, story or live (`post_id`); `any`; the `next` post (becomes `one` when it is there); posts whose
  -- `caption` has one of `caption_words`.
  add column scope text not null default 'any' check (scope in ('one', 'any', 'next', 'caption')),
  add column caption_words text[] not null default '{}',
  -- Libraries it uses besides its own words and replies.
  add column keyword_ids uuid[] not null default '{}',
  add column reply_id uuid,
  -- Further wordings of the message, tried side by side with `message_text`: [{"id": "b", "text": "…"}]
  add column variants jsonb not null default '[]',
  -- The wording that won the comparison; null while it runs, 'a' is `message_text`.
  add column variant_winner text,
  -- The message for followers who wrote one of these words: [{"language": "es", "words": [], "messageText": "…", "publicReplies": []}]
  add column translations jsonb not null default '[]',
  -- {"title": "…", "subtitle": "…", "imageUrl": "https://…"}; shown above the link buttons
  add column card jsonb,
  -- The steps around the delivery; null is left out. {"text": "…", "buttonTitle": "…"}
  add column opening jsonb,
  add column follow_ask jsonb,
  -- {"text": "…", "consent": "…"}
  add column email_ask jsonb,
  -- {"text": "…", "afterMinutes": 60}
  add column follow_up jsonb;
update automations set scope = case when post_id is null then 'any' else 'one' end;
alter table automations add constraint one_post check ((scope = 'one') = (post_id is not null));

-- Posts that an automation of scope `caption` has found.
create table automation_posts (
  creator_id uuid not null references creators on delete cascade,
  automation_id uuid not null,
  post_id text not null,
  attached_at timestamptz not null,
  primary key (creator_id, automation_id, post_id),
  foreign key (creator_id, automation_id) references automations on delete cascade
);
call protect_tenant_table('automation_posts');

-- A message that is a short sequence: where one person stands in it. See docs/conversations.md for the states.
create table conversations (
  creator_id uuid not null references creators on delete cascade,
  id uuid not null,
  connection_id uuid not null,
  automation_id uuid not null,
  -- What began it
  interaction_id uuid not null,
  -- Of the comment at first; that of her tap once she tapped, should Meta give another there.
  person_id text not null,
  state text not null check (state in ('opening', 'follow', 'email', 'delivered', 'ended')),
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
  primary key (creator_id, id),
  foreign key (creator_id, connection_id) references connections on delete cascade
) with (fillfactor = 80);
create index conversations_open on conversations (connection_id, person_id) where state in ('opening', 'follow', 'email');
create index conversations_timing_out on conversations (expires_at) where state in ('opening', 'follow', 'email');
call protect_tenant_table('conversations');

alter table people
  add column name text,
  add column picture_url text,
  add column follows boolean,
  add column followers integer,
  add column verified boolean,
  add column profile_at timestamptz,
  -- She wrote STOP; START takes it back.
  add column stopped_at timestamptz,
  -- The creator answers herself; 'infinity' until she hands back.
  add column taken_over_until timestamptz,
  add column blocked_at timestamptz,
  add column email text,
  -- Asked once ever, whatever she said.
  add column email_asked_at timestamptz,
  -- When she was last thanked for a mention: at most once a day
  add column thanked_at timestamptz,
  add column last_seen_at timestamptz;

-- How long a creator's own answer keeps automations quiet; null until she hands back.
alter table creators add column takeover_minutes integer default 720 check (takeover_minutes > 0);

-- The wording somebody agreed to, where, and when. Rows stay as they are.
create table consents (
  creator_id uuid not null references creators on delete cascade,
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
  primary key (creator_id, id)
);
create index consents_by_email on consents (creator_id, email);
create index consents_by_person on consents (creator_id, connection_id, person_id) where person_id is not null;
call protect_tenant_table('consents');

alter table deliveries
  add column conversation_id uuid,
  -- Which wording she got: 'a' is the automation's own text
  add column variant text,
  -- Written by a person of this team
  add column sent_by uuid references users on delete set null;
-- An echo may be of a message whose call went unanswered.
create index deliveries_uncertain on deliveries (connection_id) where uncertain and state = 'queued';
create index deliveries_by_conversation on deliveries (creator_id, conversation_id) where conversation_id is not null;

-- What the creator typed in the platform's own app, told to us as an echo.
create table own_messages (
  creator_id uuid not null references creators on delete cascade,
  connection_id uuid not null,
  -- Meta's mid
  platform_id text not null,
  person_id text not null,
  text text not null default '',
  sent_at timestamptz not null,
  primary key (creator_id, connection_id, platform_id)
);
create index own_messages_by_person on own_messages (creator_id, connection_id, person_id, sent_at);
call protect_tenant_table('own_messages');
