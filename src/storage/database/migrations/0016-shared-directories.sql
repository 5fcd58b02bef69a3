-- The directory that a trial shares with others of its run. All of them go to one worker.
alter table handed_trial add column ground text collate "C";
-- Whether only one trial may work in that directory at a time.
alter table handed_trial add column is_alone boolean not null default false;
create index handed_trial_ground on handed_trial (run_id, ground, trial_number) where ground is not null;

-- Which worker has the directory, as long as it is alive.
create table worker_ground (
  run_id text collate "C" not null references run on delete cascade,
  ground text collate "C" not null,
  worker_id uuid not null references worker on delete cascade,
  primary key (run_id, ground)
);
create index worker_ground_worker on worker_ground (worker_id);
