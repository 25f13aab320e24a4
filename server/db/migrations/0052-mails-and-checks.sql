-- Mails are sent by jobs: when, by whom and how often they are tried is the queue's.
insert into jobs (name, payload, creator_id, created_at, due_at)
select 'send-mail', jsonb_strip_nulls(jsonb_build_object('mailId', id, 'creatorId', about_creator_id)), about_creator_id,
  created_at, due_at
from mails where state = 'queued';
drop index mails_to_send;
alter table mails drop column due_at, drop column lease_id, drop column leased_until, drop column attempts;
create index mails_to_send on mails (created_at) where state = 'queued';

-- Checks of links are jobs, too.
alter table watched_links drop column claimed_until;
