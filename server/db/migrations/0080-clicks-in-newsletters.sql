-- Links in newsletters are short links, one for each newsletter (or email of the welcome series) and address. Who clicked is
-- known by the reader mail that the address names, for as long as that is kept.
alter table links add column part_of uuid;
create index links_of_newsletter on links (creator_id, part_of) where part_of is not null;

alter table reader_mails add column clicked_at timestamptz;
create index reader_mails_clicked on reader_mails (creator_id, clicked_at) where clicked_at is not null;
comment on table reader_mails is 'mails to readers: what they are about, their fate, clicks | followers | 13 months; at most with the contact';

alter table clicks add column mail_id uuid;
alter table clicks add constraint clicks_mail_id_fkey foreign key (creator_id, mail_id)
  references reader_mails(creator_id, id) on delete set null (mail_id) not valid;
create index clicks_by_mail on clicks (creator_id, mail_id) where mail_id is not null;
drop index clicks_without_message;
create index clicks_without_message on clicks (clicked_at) where delivery_id is null and mail_id is null;
comment on table clicks is 'openings of a link, in which mail, how often a minute; no address, no device | nobody | activity, or with its mail';
