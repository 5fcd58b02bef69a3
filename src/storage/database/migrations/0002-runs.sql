create table run (
  id text collate "C" primary key check (id <> ''),
  kind text not null check (kind in ('run', 'grade')),
  source_run_id text collate "C",
  origin text not null check (origin in ('server', 'cli', 'upload')),
  state text not null check (state in ('queued', 'running', 'stopping', 'stopped', 'completed', 'interrupted')),
  settings json,
  -- What it executes, cases in order.
  plan json,
  -- run.json without its digests.
  manifest json not null,
  digests text[] not null default '{}',
  case_digest text,
  tally json,
  -- What its end told that each role spent.
  costs json,
  last_sequence bigint not null default 0 check (last_sequence >= 0),
  spent_usd double precision not null default 0,
  reserved_usd double precision not null default 0,
  lease_id uuid,
  lease_owner text,
  lease_until timestamptz,
  created_by uuid,
  name text,
  note text,
  line text,
  tags text[] not null default '{}' check (assay_are_tags(tags)),
  archived_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(lease_id, lease_owner, lease_until) in (0, 3))
);
create index run_order on run (created_at, id);
create index run_tags on run using gin (tags);
create trigger run_touch before update on run for each row execute function assay_touch();

create function assay_digests_grow() returns trigger language plpgsql as $$
begin
  if new.digests[1:cardinality(old.digests)] is distinct from old.digests then
    raise exception 'the digests of a run only grow' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger run_digests_grow before update of digests on run
  for each row execute function assay_digests_grow();

-- From the log alone, together with the plan.
create table trial (
  run_id text collate "C" not null references run on delete cascade,
  number integer not null check (number >= 1),
  key text collate "C" not null,
  suite text not null,
  case_key text not null,
  test_case_id uuid,
  target text not null,
  agent_id uuid,
  agent_version integer,
  repetition integer not null check (repetition >= 1),
  attempts integer not null default 0,
  verdict text check (verdict in ('passed', 'failed', 'errored', 'skipped', 'cancelled')),
  status text,
  stage text,
  kind text,
  message text,
  failure_class text,
  tags text[] not null default '{}',
  difficulty text,
  score double precision,
  threshold double precision,
  ending text,
  limit_met text,
  flags text[] not null default '{}',
  turns integer,
  duration_ms double precision,
  latency json,
  usage json,
  cost json,
  late_notes text[] not null default '{}',
  started_at timestamptz,
  ended_at timestamptz,
  -- Events of the start that it is running from, and of the end that counts.
  started_sequence bigint,
  ended_sequence bigint,
  row json,
  primary key (run_id, number),
  unique (run_id, key),
  check ((verdict is null) = (row is null) and (verdict is null) = (ended_sequence is null))
);
create index trial_ends on trial (run_id, ended_sequence);
create index trial_case on trial (test_case_id) where test_case_id is not null;

create table grade (
  run_id text collate "C" not null,
  trial_number integer not null,
  ordinal integer not null check (ordinal >= 1),
  name text not null,
  type text not null,
  score double precision,
  passed boolean not null,
  required double precision,
  weight double precision not null,
  failure_code text,
  digest text,
  body json not null,
  primary key (run_id, trial_number, ordinal),
  foreign key (run_id, trial_number) references trial (run_id, number) on delete cascade
);

create table run_event (
  run_id text collate "C" not null references run on delete cascade,
  sequence bigint not null check (sequence >= 1),
  -- As it was told, byte for byte.
  at text not null,
  type text not null,
  trial_number integer,
  trial_key text collate "C",
  attempt integer,
  fact json not null,
  lease uuid not null,
  primary key (run_id, sequence)
);
create index run_event_trial on run_event (run_id, trial_key, sequence) where trial_key is not null;
create index run_event_ends on run_event (run_id, sequence)
  where trial_key is null or type in ('note', 'trial-start', 'trial-end');

-- Rows go only with their whole run.
create function assay_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from run where id = old.run_id) then
    return old;
  end if;
  raise exception '% of % is refused: it is append-only', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger run_event_append_only before update or delete on run_event
  for each row execute function assay_append_only();

create table frozen (
  digest text collate "C" not null,
  content text collate "C" not null,
  kind text not null,
  body json not null,
  primary key (digest, content)
);
create table run_frozen (
  run_id text collate "C" not null references run on delete cascade,
  digest text collate "C" not null,
  content text collate "C" not null,
  position bigint generated always as identity,
  primary key (run_id, digest),
  foreign key (digest, content) references frozen
);
create index run_frozen_copy on run_frozen (digest, content);

create table attachment (
  sha256 text collate "C" primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0)
);
create table attachment_chunk (
  sha256 text collate "C" not null references attachment on delete cascade,
  position integer not null check (position >= 1),
  bytes bytea not null,
  primary key (sha256, position)
);
create table run_attachment (
  run_id text collate "C" not null references run on delete cascade,
  sha256 text collate "C" not null references attachment,
  primary key (run_id, sha256)
);
create index run_attachment_content on run_attachment (sha256);

create table artifact (
  run_id text collate "C" not null references run on delete cascade,
  trial_number integer not null,
  attempt integer not null check (attempt >= 1),
  name text collate "C" not null check (name <> ''),
  sha256 text collate "C" not null references attachment,
  primary key (run_id, trial_number, attempt, name),
  foreign key (run_id, trial_number) references trial (run_id, number)
);
create index artifact_content on artifact (sha256);
