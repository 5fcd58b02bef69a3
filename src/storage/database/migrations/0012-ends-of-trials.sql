-- Planned trials have no end. With them in the index, the planner also chose it for trials that it should look up by key.
-- The new index is made first: trials can be read meanwhile.
create index ended_trials on trial (run_id, ended_sequence) where ended_sequence is not null;
drop index trial_ends;
alter index ended_trials rename to trial_ends;
