alter table outgoing_events drop constraint outgoing_events_type_check;
alter table outgoing_events add constraint outgoing_events_type_check
  check (type in ('interaction', 'delivery', 'contact', 'click', 'member', 'test'));
