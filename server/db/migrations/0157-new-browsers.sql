-- When a reader was mailed that another browser of theirs came in.
alter table fan_devices add column told_at timestamptz;
