-- What mails to readers look like. A creator without a row has the templates that everybody begins with.
create table email_templates (
  creator_id uuid not null,
  type text not null,
  -- That is sent: its row in email_template_versions; without one it is the template that everybody begins with.
  version integer not null default 0,
  -- {base, savedAt, savedBy, design}, as contract/email-templates.ts says.
  draft jsonb,
  draft_version integer not null default 0,
  constraint email_templates_pkey primary key (creator_id, type),
  constraint email_templates_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table email_templates is 'which version of a mail''s template is sent, and its draft | team | with the creator';
call protect_tenant_table('email_templates');
grant select, insert, update, delete on email_templates to creator_hq_app;

create table email_template_versions (
  creator_id uuid not null,
  type text not null,
  version integer not null,
  design jsonb not null,
  published_at timestamptz not null,
  published_by text not null,
  constraint email_template_versions_pkey primary key (creator_id, type, version),
  constraint email_template_versions_template_fkey foreign key (creator_id, type)
    references email_templates(creator_id, type) on delete cascade,
  constraint email_template_versions_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table email_template_versions is 'published templates of mails, who published them | team | the last 20 of each';
call protect_tenant_table('email_template_versions');
grant select, insert, update, delete on email_template_versions to creator_hq_app;
