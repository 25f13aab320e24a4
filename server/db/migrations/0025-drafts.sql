-- A draft beside the live version of an automation: {"base": 3, "savedAt": "…", "savedBy": "…", "input": {…}}
alter table automations
  add column draft jsonb,
  -- Grows with every draft that is saved, published or discarded: two people at one draft hear of each other.
  add column draft_version integer not null default 0;
