-- Who takes trials of runs that others conduct. A worker is alive until `seen_until`.
create table worker (
  id uuid primary key,
  name text not null,
  host text not null,
  pid integer not null,
  version text not null,
  slots integer not null check (slots >= 1),
  started_at timestamptz not null default clock_timestamp(),
  seen_until timestamptz not null
);
create table worker_refusal (
  worker_id uuid not null references worker on delete cascade,
  run_id text collate "C" not null references run on delete cascade,
  reason text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (worker_id, run_id)
);

-- Whether workers may take its trials.
alter table run add column handed_out boolean not null default false;
create index run_handed_out on run (created_at, id) where handed_out;

-- The trials that may start now: they wait for a worker, or one holds a lease. The end of a trial ends its lease.
create table handed_trial (
  run_id text collate "C" not null references run on delete cascade,
  trial_number integer not null,
  trial_key text collate "C" not null,
  -- The trial with all that its plan says of it.
  document json not null,
  job_id uuid not null,
  lease_id uuid,
  worker_id uuid,
  lease_owner text,
  lease_until timestamptz,
  taken_at timestamptz,
  cancel_requested_at timestamptz,
  -- How many leases of it ran out.
  losses integer not null default 0,
  -- Its lease ran out, and its conductor has not offered it again yet.
  is_lost boolean not null default false,
  lost_owner text,
  -- Given back because the budget of the run is used up.
  is_unpaid boolean not null default false,
  primary key (run_id, trial_number),
  check (num_nonnulls(lease_id, worker_id, lease_owner, lease_until, taken_at) in (0, 5))
);
create index handed_trial_lease on handed_trial (lease_id) where lease_id is not null;
create index handed_trial_worker on handed_trial (worker_id) where worker_id is not null;
