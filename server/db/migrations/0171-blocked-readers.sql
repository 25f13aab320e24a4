-- Whom a creator lets in no longer, whatever they pay or are given.
alter table fans add column blocked_at timestamptz;
comment on table fans is 'which customers of a creator''s Stripe account a contact is, or blocked | followers | with the contact';
