-- What these show is built: everyone has it, until an admin says otherwise.
insert into flag_values (flag, creator_id, is_on, changed_at)
values ('mealPlansEnabled', null, true, now()), ('appLinksEnabled', null, true, now())
on conflict do nothing;
