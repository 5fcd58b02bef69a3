create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email ~ '[^[:space:]]' collate "C"),
  role text not null check (role in ('viewer', 'member', 'admin')),
  disabled_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index account_email on account (lower(email collate "C"));
create trigger account_touch before update on account for each row execute function assay_touch();

alter table agent_version add foreign key (created_by) references account;
alter table run add foreign key (created_by) references account;

create table api_token (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account,
  name text not null,
  role text not null check (role in ('viewer', 'member', 'admin')),
  sha256 text collate "C" not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create table idempotency_key (
  account_id uuid not null references account,
  key text collate "C" not null,
  route text not null,
  request_digest text not null,
  -- Null while the first request runs.
  answer json,
  expires_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_end on idempotency_key (expires_at);

create table review (
  id uuid primary key default gen_random_uuid(),
  run_id text collate "C" not null references run,
  trial_number integer not null,
  account_id uuid not null references account,
  -- Name of a grade; null: the whole trial.
  expectation text,
  verdict text not null check (verdict in ('passed', 'failed')),
  note text,
  seen_judge boolean not null,
  at timestamptz not null default clock_timestamp(),
  foreign key (run_id, trial_number) references trial (run_id, number)
);
create index review_trial on review (run_id, trial_number, at);
create trigger review_refuse before update or delete on review
  for each row execute function assay_refuse();

create table baseline (
  id uuid primary key default gen_random_uuid(),
  target text not null,
  line text not null,
  run_id text collate "C" not null references run,
  set_by uuid references account,
  set_at timestamptz not null default clock_timestamp(),
  cleared_at timestamptz
);
create unique index baseline_held on baseline (target, line) where cleared_at is null;
