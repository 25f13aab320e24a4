-- Lists of members are in this order, whatever state they show.
drop index passes_newest;
create index passes_newest on passes (creator_id, begins_at desc, contact_id desc);
drop index passes_ending;
create index passes_ending on passes (creator_id, begins_at desc, contact_id desc) where cancel_at is not null and ended_at is null;
drop index passes_on_trial;
create index passes_on_trial on passes (creator_id, begins_at desc, contact_id desc) where trial_end is not null and ended_at is null;
drop index passes_given;
create index passes_given on passes (creator_id, begins_at desc, contact_id desc) where source = 'given' and ended_at is null;
drop index passes_of_late;
create index passes_of_late on passes (creator_id, begins_at desc, contact_id desc) where late_since is not null and ended_at is null;
drop index passes_over;
