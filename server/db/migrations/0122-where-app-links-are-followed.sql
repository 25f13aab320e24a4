-- Of app links: where the link stood, the app in whose browser it was followed, and the country; null: not known, or another link.
alter table clicks add column channel text, add column app text, add column country text;
comment on table clicks is 'openings of a link, in which mail, place, app and country, how often a minute; no address, no device | nobody | activity, or with its mail';
