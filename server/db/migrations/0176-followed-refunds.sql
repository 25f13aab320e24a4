-- Of what was ended and given back: whether a bank can pay nothing for it any more.
alter table stripe_calls add column is_followed boolean not null default false;
update stripe_calls set is_followed = true where settled_at < now() - interval '30 days';
create index stripe_calls_to_follow on stripe_calls (settled_at) where verb = 'end_subscription' and state = 'done' and not is_followed;
