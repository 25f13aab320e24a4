-- Recipes of last season that were suggested for a newsletter and answered: when, by the key of their page.
alter table newsletter_settings add column seasons jsonb not null default '{}';
