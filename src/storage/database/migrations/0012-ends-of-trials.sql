-- Planned trials have no end. With them in the index, the planner also chose it for trials that it should look up by key.
drop index trial_ends;
create index trial_ends on trial (run_id, ended_sequence) where ended_sequence is not null;
