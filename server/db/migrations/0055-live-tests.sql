-- While its creator looks at the live test of a post, whoever was answered already is answered again.
alter table posts add column tested_until timestamptz;
create index posts_tested on posts (connection_id) where tested_until is not null;
-- Answered only because of that: no second answer in figures, and none that "already answered" goes by.
alter table interactions add column is_test boolean not null default false;
drop function if exists counted_as(text, text, uuid);
