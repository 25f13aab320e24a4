-- Another plugin of the blog keeps its REST API shut: we and its readers take the other way.
alter table sites add column rest_is_off boolean not null default false;
