-- What a reader took out of their cookbook: when, by the key of its page. Saved again later it is back.
alter table contacts add column taken_out jsonb not null default '{}';
comment on table contacts is 'contacts: email, name, language, newsletter or not, saves counted and hidden | followers | until erased, or with the creator';
