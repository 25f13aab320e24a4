-- PostgreSQL looks over a growing table every quarter of a minute: in a viral hour one to two seconds of a processor each time,
-- some of it for long texts that no question asks about. Nothing is planned otherwise when a table is a tenth larger.
alter table interactions
  alter column text set statistics 0,
  alter column matched_words set statistics 0,
  set (autovacuum_analyze_scale_factor = 0.2);
alter table deliveries
  alter column content set statistics 0,
  alter column failure_detail set statistics 0,
  set (autovacuum_analyze_scale_factor = 0.2);
alter table people set (autovacuum_analyze_scale_factor = 0.2);
alter table answered_people set (autovacuum_analyze_scale_factor = 0.2);
-- Rows come and go: every question reads those of some creators by the key, however many there are.
alter table outcome_deltas set (autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 5000);
