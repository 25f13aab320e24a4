-- Jobs that delete what is old are held while the clocks disagree, and for a day after the time jumped.
alter table recurring_jobs add column held_until timestamptz, add column held_because text;
