-- Mails that begin when somebody says yes to the newsletter, one after the other.
alter table newsletter_settings add column welcome boolean not null default false;

create table welcome_mails (
  creator_id uuid not null,
  id uuid not null,
  -- In their order; never another one's again.
  position integer not null,
  -- After the one before; 0: at once. Else at this hour of the creator's day.
  days smallint not null default 1,
  hour smallint not null default 9,
  version integer not null default 1,
  design jsonb not null,
  changed_by text not null,
  changed_at timestamptz not null,
  constraint welcome_mails_pkey primary key (creator_id, id),
  constraint welcome_mails_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table welcome_mails is 'the welcome series: what its mails say, who wrote them | team | until deleted, or with the creator';
call protect_tenant_table('welcome_mails');
grant select, insert, update, delete on welcome_mails to creator_hq_app;

-- How far each contact is; once in their life.
create table welcome_runs (
  creator_id uuid not null,
  contact_id uuid not null,
  -- Of the last mail they got; 0: none yet.
  position integer not null default 0,
  began_at timestamptz not null,
  last_at timestamptz not null,
  next_at timestamptz not null,
  ended_at timestamptz,
  -- Why before its end; null: they got all.
  because text,
  constraint welcome_runs_pkey primary key (creator_id, contact_id),
  constraint welcome_runs_contact_id_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint welcome_runs_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table welcome_runs is 'how far contacts are in the welcome series | followers | with the contact';
create index welcome_runs_due on welcome_runs (next_at) where ended_at is null;
call protect_tenant_table('welcome_runs');
grant select, insert, update, delete on welcome_runs to creator_hq_app;
