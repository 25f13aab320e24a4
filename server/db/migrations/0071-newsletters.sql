-- What of newsletters a creator chose. Without a row: sent from here.
create table newsletter_settings (
  creator_id uuid not null,
  -- Who sends newsletters: `here`, or a tool, beside which nothing of ours goes out.
  writer text not null default 'here',
  constraint newsletter_settings_pkey primary key (creator_id),
  constraint newsletter_settings_writer_check check (writer in ('here', 'kit', 'mailchimp')),
  constraint newsletter_settings_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table newsletter_settings is 'who sends newsletters | nobody | with the creator';
call protect_tenant_table('newsletter_settings');
grant select, insert, update on newsletter_settings to creator_hq_app;

-- One mail to many.
create table broadcasts (
  creator_id uuid not null,
  id uuid not null,
  kind text not null,
  state text not null default 'draft',
  -- Of every change of what it says or who gets it.
  version integer not null default 1,
  design jsonb not null,
  -- Null: everybody who said yes.
  segment text,
  -- Why it paused or is a draft again, in a sentence.
  because text,
  asked_by text,
  asked_at timestamptz,
  changed_by text not null,
  changed_at timestamptz not null,
  send_at timestamptz,
  -- The contact up to which its mails are there; `gathered_at` when all are.
  gathered_to uuid,
  gathered_at timestamptz,
  finished_at timestamptz,
  -- BroadcastFigures of contract/newsletters.ts, and when they were counted.
  figures jsonb,
  counted_at timestamptz,
  -- Stops by itself at too many complaints; once.
  is_watched boolean not null default true,
  constraint broadcasts_pkey primary key (creator_id, id),
  constraint broadcasts_kind_check check (kind in ('broadcast', 'digest', 'correction')),
  constraint broadcasts_state_check check (state in ('draft', 'scheduled', 'gathering', 'sending', 'paused', 'done', 'cancelled')),
  constraint broadcasts_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table broadcasts is 'newsletters: what they say, who gets them, figures, who wrote them | team | with the creator';
create index broadcasts_newest on broadcasts (creator_id, changed_at desc, id desc);
create index broadcasts_at_work on broadcasts (state, send_at) where state in ('scheduled', 'gathering', 'sending');
create index broadcasts_followed on broadcasts (counted_at) where state in ('paused', 'done', 'cancelled');
call protect_tenant_table('broadcasts');
grant select, insert, update, delete on broadcasts to creator_hq_app;

-- Mails of a broadcast; what was asked for goes before what many get.
alter table reader_mails
  -- The newsletter that it is one of.
  add column part_of uuid,
  add column lane smallint not null default 0,
  drop constraint reader_mails_kind_check,
  add constraint reader_mails_kind_check check (kind in ('save', 'confirmation', 'broadcast', 'digest', 'correction', 'welcome')) not valid;
create unique index reader_mails_of_many on reader_mails (creator_id, part_of, contact_id) where part_of is not null;
create index reader_mails_in_lane on reader_mails (recipient_domain, creator_id, lane, due_at, id) where state = 'waiting';
drop index reader_mails_to_send;
