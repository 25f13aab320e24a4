-- What was told of a mail to a reader after a mail server took it, and when. Its state and last_failure say what became of it.
alter table reader_mails
  add column reported text,
  add column reported_at timestamptz,
  add constraint reader_mails_reported_check check (reported in ('delivered', 'delayed', 'hard', 'soft', 'about_us', 'unknown', 'complaint')) not valid;
-- A report knows the mail and not whose it is.
create unique index reader_mails_by_id on reader_mails (id);
create index reader_mails_reported on reader_mails (reported_at) where reported = 'about_us';

-- What mail services and the bounce mailbox told us, so that each counts once. Only the engine's role reads it.
create table feedback_events (
  source text not null,
  id text not null,
  -- What it told, as in reader_mails.reported; or why it told nothing.
  what text not null,
  received_at timestamptz not null,
  constraint feedback_events_pkey primary key (source, id)
);
comment on table feedback_events is 'ids of reports on mails: from whom, what kind | nobody | 30 days';
create index feedback_events_by_age on feedback_events (received_at);
