-- Default privileges gave the role that answers requests every table there is. These have no creator, so row-level security
-- cannot part them, and some hold what followers of all creators wrote: the webhooks as they came. Requests have no business
-- there: the engine, jobs and the sign-in at Meta use the engine's role.
revoke all on event_log, event_log_0, event_log_1, event_log_2, event_log_positions, event_log_waiting, parked_events,
  ignored_events, oauth_attempts, data_deletions, recurring_jobs, shard_leases, worker_heartbeats from creator_hq_app;

-- Read by requests, changed by operators. A row lock on the pauses needs the right to update them.
revoke insert, delete on platform_pauses from creator_hq_app;
revoke insert, update, delete on plans from creator_hq_app;
