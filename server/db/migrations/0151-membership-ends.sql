-- A creator leaves with their members, or closes their memberships.
create table membership_ends (
  creator_id uuid not null,
  way text not null,
  asked_at timestamptz not null,
  asked_by uuid,
  -- Closing was called off: who was canceled by it is kept again, then this row goes.
  called_off_at timestamptz,
  -- Subscriptions, and how many of them are taken care of.
  many integer not null,
  done integer not null default 0,
  done_at timestamptz,
  constraint membership_ends_pkey primary key (creator_id),
  constraint membership_ends_way_check check (way in ('leave', 'close')),
  constraint membership_ends_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table membership_ends is 'that a creator leaves with their members or closes memberships: when, by whom, how far | creator, team | with the creator';
call protect_tenant_table('membership_ends');
grant select, insert, update, delete on membership_ends to creator_hq_app, creator_hq_engine;

-- It was canceled because its creator closes memberships.
alter table passes add column closed_at timestamptz;
create index passes_closed on passes (creator_id) where closed_at is not null and ended_at is null;

-- The creator left with their members: nothing more is asked of this account.
alter table stripe_accounts add column left_at timestamptz;

-- Whom a row let in.
alter table member_move_rows add column contact_id uuid;
create index member_move_rows_by_contact on member_move_rows (creator_id, contact_id) where contact_id is not null;
