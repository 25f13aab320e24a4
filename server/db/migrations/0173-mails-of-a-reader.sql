-- What a member was mailed, codes among it; and members by the handle of whom they are joined with.
create index mails_by_creator_and_recipient on mails (about_creator_id, recipient, created_at desc, id desc) where about_creator_id is not null;
drop index mails_by_creator;
drop index mails_fan_codes;
create index people_linked_by_username on people (creator_id, username text_pattern_ops) where contact_id is not null;
