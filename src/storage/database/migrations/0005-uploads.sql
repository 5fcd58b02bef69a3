-- Bytes that an uploaded run names and that have not arrived yet.
create table awaited_bytes (
  run_id text collate "C" not null references run on delete cascade,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Of an artifact; null: of a text of the log.
  trial_number integer,
  attempt integer check (attempt >= 1),
  name text collate "C" check (name <> ''),
  check (num_nonnulls(trial_number, attempt, name) in (0, 3)),
  unique nulls not distinct (run_id, trial_number, attempt, name, sha256),
  foreign key (run_id, trial_number) references trial (run_id, number)
);
create index awaited_bytes_content on awaited_bytes (sha256);
