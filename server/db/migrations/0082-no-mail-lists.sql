-- How much this database knows of the lists of addresses that get no more mail, which are kept apart from it: one that was restored knows less.
create table no_mail_lists (
  id uuid primary key,
  position bigint not null default 0,
  -- Which database it was begun for: a copy in another place is another one.
  database text not null,
  -- When everybody who was away already had their line.
  listed_at timestamptz,
  -- The database was restored, the list was not taken up since, and nobody said that newsletters go out all the same.
  newsletters_wait boolean not null default false
);
comment on table no_mail_lists is 'how far lists of no more mail are known | nobody | for good';
