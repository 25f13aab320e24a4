-- Everybody who wrote is in people, with her handle and an index of it: interactions are found through her. An index of
-- text in no order was the dearest of eight to keep.
drop index interactions_by_username;
