-- Whom a creator lets in no longer, whatever they pay or are given.
alter table fans add column blocked_at timestamptz;
