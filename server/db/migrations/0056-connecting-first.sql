-- A person without a creator account connects Instagram first; the account is started under the handle found there.
alter table oauth_attempts alter column creator_id drop not null;
