-- What screens and repeated jobs ask for must not cost more with every year, nor with every connection.

-- A person's history goes by when something happened, not by when we heard of it.
drop index interactions_by_person;
create index interactions_by_person on interactions (creator_id, person_id, occurred_at desc, id desc);

-- Comments are so many that the newest are found soon; of everything else there may be none for years.
drop index interactions_mentions;
create index interactions_by_kind on interactions (creator_id, kind, received_at desc, id desc) where kind <> 'comment';

-- Whether comment_readings has it: the few that it lacks are found without looking at all the others.
alter table posts add column reading_planned boolean not null default false;
update posts p set reading_planned = true from comment_readings r where r.creator_id = p.creator_id and r.post_id = p.id;
create index posts_to_plan on posts (creator_id, id) where not reading_planned;

-- The engine knows connections by their own id, and reads the automations of each when it first hears of it.
create unique index connections_by_id on connections (id);
create index automations_by_connection on automations (connection_id) where archived_at is null;

-- What a comparison of wordings found when it was last read: reading it anew means reading every message of the automation.
alter table automations
  -- People and taps by wording, and how many messages the automation had sent: {"tried": [...], "messages": 0}
  add column variant_tried jsonb;
create or replace function compare_anew() returns trigger language plpgsql as $$
begin
  new.variants_since := new.updated_at;
  new.variant_looks := 0;
  new.variant_winner := null;
  new.variant_decided_at := null;
  new.variant_tried := null;
  return new;
end
$$;
