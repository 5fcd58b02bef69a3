-- Since when it takes no more trials, while its last ones run. Null: it takes trials.
alter table worker add column stopping_since timestamptz;

-- What targets told on a worker of the versions of their programs: by target, then by program.
create table worker_versions (
  run_id text collate "C" not null references run on delete cascade,
  worker_id uuid not null references worker on delete cascade,
  versions json not null,
  primary key (run_id, worker_id)
);
