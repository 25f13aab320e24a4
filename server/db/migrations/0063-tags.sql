-- Words that a creator gives to contacts.
create table tags (
  creator_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  constraint tags_pkey primary key (creator_id, id),
  constraint tags_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table tags is 'names of tags for contacts | creator | until deleted, or with the creator';
create unique index tags_by_name on tags (creator_id, lower(name));
call protect_tenant_table('tags');
grant select, insert, update, delete on tags to creator_hq_app;

-- Given to one address of theirs, they count for the whole contact it is joined to.
create table contact_tags (
  creator_id uuid not null,
  tag_id uuid not null,
  contact_id uuid not null,
  source text not null,
  given_at timestamptz not null,
  constraint contact_tags_pkey primary key (creator_id, tag_id, contact_id),
  constraint contact_tags_source_check check (source in ('team', 'form', 'file', 'tool')),
  constraint contact_tags_tag_fkey foreign key (creator_id, tag_id) references tags(creator_id, id) on delete cascade,
  constraint contact_tags_contact_fkey foreign key (creator_id, contact_id) references contacts(creator_id, id) on delete cascade,
  constraint contact_tags_creator_id_fkey foreign key (creator_id) references creators(id) on delete cascade
);
comment on table contact_tags is 'tags of contacts, and who gave them | followers | until taken away, or with the contact';
create index contact_tags_by_contact on contact_tags (creator_id, contact_id);
call protect_tenant_table('contact_tags');
grant select, insert, update, delete on contact_tags to creator_hq_app;
