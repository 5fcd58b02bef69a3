-- A write makes updated_at greater, also where the clock stands still or goes back.
create function assay_touch() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  return new;
end $$;

create function assay_refuse() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: its rows never change', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$;

create function assay_keep_name() returns trigger language plpgsql as $$
begin
  if new.name is distinct from old.name then
    raise exception 'the name of % never changes', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- A list without null, blank, untrimmed or repeated tags.
create function assay_are_tags(tags text[]) returns boolean language sql immutable strict as $$
  select coalesce(array_ndims(tags), 1) = 1
    and not exists (
      select from unnest(tags) as tag
      where tag is null or tag = '' or tag <> btrim(tag, E' \t\n\r\v\f')
    )
    and cardinality(tags) = (select count(distinct tag collate "C") from unnest(tags) as tag)
$$;

create function assay_is_persona(persona jsonb) returns boolean language sql immutable strict as $$
  select case when jsonb_typeof(persona) is distinct from 'object' then false else
    persona - array['type', 'description', 'instructions'] = '{}'
    and jsonb_typeof(persona -> 'type') is not distinct from 'string'
    and jsonb_typeof(persona -> 'description') is not distinct from 'string'
    and jsonb_typeof(persona -> 'instructions') is not distinct from 'string'
  end
$$;

create function assay_is_expected_call(expected jsonb) returns boolean language sql immutable strict as $$
  select case when jsonb_typeof(expected) is distinct from 'object' then false else
    expected - array['tool', 'expected_params'] = '{}'
    and jsonb_typeof(expected -> 'tool') is not distinct from 'string'
    and expected ->> 'tool' ~ '[^[:space:]]' collate "C"
    and coalesce(jsonb_typeof(expected -> 'expected_params'), 'null') in ('object', 'null')
  end
$$;

create function assay_are_expected_calls(calls jsonb) returns boolean language sql immutable strict as $$
  select case when jsonb_typeof(calls) is distinct from 'array' then false else
    not exists (select from jsonb_array_elements(calls) as call where not assay_is_expected_call(call))
  end
$$;

create table test_case (
  id uuid primary key default gen_random_uuid(),
  name varchar(255) not null check (name ~ '[^[:space:]]' collate "C"),
  description text,
  difficulty text not null default 'normal' check (difficulty in ('normal', 'hard')),
  tags text[] not null default '{}' check (assay_are_tags(tags)),
  status text not null default 'active' check (status in ('draft', 'active', 'archived')),
  persona jsonb check (assay_is_persona(persona)),
  initial_message text,
  user_context jsonb check (jsonb_typeof(user_context) = 'object'),
  max_turns integer check (max_turns >= 1),
  expected_outcomes jsonb check (jsonb_typeof(expected_outcomes) = 'object'),
  expected_tool_calls jsonb check (assay_are_expected_calls(expected_tool_calls)),
  evaluation_criteria_override text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index test_case_tags on test_case using gin (tags);
create index test_case_order on test_case (created_at, id);
create index test_case_name on test_case (name collate "C");
create trigger test_case_touch before update on test_case
  for each row execute function assay_touch();

create table agent (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name ~ '[^[:space:]]' collate "C" and name !~ '[#@\x01-\x1f\x7f]' collate "C"),
  description text,
  version integer not null default 0 check (version >= 0),
  archived_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger agent_touch before update on agent for each row execute function assay_touch();
create trigger agent_keep_name before update on agent for each row execute function assay_keep_name();

create table agent_version (
  agent_id uuid not null references agent,
  version integer not null check (version >= 1),
  config json not null,
  digest text not null,
  note text,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, version)
);
create trigger agent_version_refuse before update or delete on agent_version
  for each row execute function assay_refuse();

create table tool_mock (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid references agent,
  test_case_id uuid references test_case,
  position integer not null check (position >= 0),
  tool text not null check (tool ~ '[^[:space:]]' collate "C"),
  body json not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(agent_id, test_case_id) = 1),
  unique (agent_id, position) deferrable initially deferred,
  unique (test_case_id, position) deferrable initially deferred
);
create trigger tool_mock_touch before update on tool_mock for each row execute function assay_touch();

create function assay_touch_owner_of_mock() returns trigger language plpgsql as $$
begin
  update test_case set updated_at = updated_at where id in (old.test_case_id, new.test_case_id);
  update agent set updated_at = updated_at where id in (old.agent_id, new.agent_id);
  return null;
end $$;
create trigger tool_mock_touch_owner after insert or update or delete on tool_mock
  for each row execute function assay_touch_owner_of_mock();

create table metric (
  id text primary key,
  body json not null,
  archived_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger metric_touch before update on metric for each row execute function assay_touch();

create table case_set (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name ~ '[^[:space:]]' collate "C"),
  description text,
  version integer not null default 1 check (version >= 1),
  archived_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger case_set_touch before update on case_set for each row execute function assay_touch();

create table case_set_member (
  case_set_id uuid not null references case_set,
  test_case_id uuid not null references test_case,
  position integer not null check (position >= 0),
  repetitions integer not null default 1 check (repetitions >= 1),
  primary key (case_set_id, test_case_id),
  unique (case_set_id, position) deferrable initially deferred
);
create index case_set_member_case on case_set_member (test_case_id);

create function assay_touch_set_of_member() returns trigger language plpgsql as $$
begin
  update case_set set updated_at = updated_at where id in (old.case_set_id, new.case_set_id);
  return null;
end $$;
create trigger case_set_member_touch_set after insert or update or delete on case_set_member
  for each row execute function assay_touch_set_of_member();
