-- What an operator asks: how each process is, whether jobs succeed, what failed lately.

-- Each process tells every few seconds how it is; its row goes with it, or a day after it fell silent.
create table process_reports (
  process_id uuid primary key,
  seen_at timestamptz not null,
  -- `ProcessReport` in contract/admin.ts.
  report jsonb not null
);
revoke all on process_reports from creator_hq_app;

-- How the last runs of a job ended. The failure is in words without texts or addresses of people.
alter table recurring_jobs
  add column last_succeeded_at timestamptz,
  add column last_failed_at timestamptz,
  add column last_failure text,
  add column failures_in_a_row integer not null default 0;

-- Counting what failed in the last day must not read the history.
create index deliveries_given_up on deliveries (finished_at) where state in ('failed', 'expired');
create index mails_given_up on mails (finished_at) where state = 'failed';
