-- Mails to members are in their creator's name, and answers go there.
alter table mails add column from_name text;
alter table mails add column reply_to text;
