-- Mails to send, queued in the transaction of the change that causes them; see server/platforms/email.
create table mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Empty once a mail server took it: the links in it are secrets.
  html text not null,
  text text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  created_at timestamptz not null,
  due_at timestamptz not null,
  -- Who sends it now; a sender that dies lets it go when the lease ends.
  lease_id uuid,
  leased_until timestamptz,
  attempts integer not null default 0,
  last_failure text,
  finished_at timestamptz
);
create index mails_to_send on mails (due_at) where state = 'queued';
create index mails_newest on mails (created_at desc, id desc);
revoke all on mails from creator_hq_app;
