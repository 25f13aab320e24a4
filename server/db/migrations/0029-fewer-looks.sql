-- Their rows come in one transaction with rows of interactions, which has looked for the creators and locked them, or with
-- a change of such rows, for which a creator's end waits before it takes away figures.
drop trigger creators_exist on answered_people;
drop trigger creators_exist on outcome_deltas;
