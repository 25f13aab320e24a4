-- A newsletter of what is new, once a week: as a draft to approve, or by itself.
alter table newsletter_settings
  add column weekly text not null default 'off',
  -- Monday is 1; of the creator's days.
  add column weekly_day smallint not null default 4,
  add column weekly_hour smallint not null default 9,
  -- Recipes from before were in one already.
  add column weekly_since timestamptz,
  -- The last turn, or since when it is on.
  add column weekly_ran_at timestamptz,
  add constraint newsletter_settings_weekly_check check (weekly in ('off', 'approve', 'send')) not valid;

-- Of a correction: the recipe, and its page as saves name it.
alter table broadcasts
  add column recipe_id uuid,
  add column page_key text;
