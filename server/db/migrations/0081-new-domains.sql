-- Since when mails are signed for a domain. Null: not yet, or before this was noted.
alter table sending_domains add column verified_at timestamptz;
-- How many newsletters leave a day while the domain is new, and when the next ones do. Null: nothing waits for that.
alter table broadcasts add column daily_limit integer, add column next_at timestamptz;
