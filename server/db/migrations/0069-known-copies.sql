-- Somebody said that this place is a copy of the blog, a staging site: nobody is asked again.
alter table sites add column is_known_copy boolean not null default false;
