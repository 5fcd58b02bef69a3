-- What lists of runs are filtered by, from their manifests. Grows with what the run itself has written.
alter table run
  add column suites text[] not null default '{}',
  add column targets text[] not null default '{}',
  add column case_set_id uuid,
  add column revision bigint not null default 0;

-- Escapes that no text can have are left out: they come with the next manifest of the run.
update run set
  suites = array(select suite->>'id' from json_array_elements(manifest->'suites') as suite),
  targets = array(select target->>'name' from json_array_elements(manifest->'targets') as target)
where manifest::text !~* '\\u(0000|d[89a-f])';
update run set case_set_id = (
  select case_set.id from case_set
  where case_set.id::text = lower(settings->'select'->>'set') or case_set.name = settings->'select'->>'set'
  order by (case_set.id::text = lower(settings->'select'->>'set')) desc limit 1)
where settings is not null and settings::text !~* '\\u(0000|d[89a-f])' and json_typeof(settings->'select') = 'object';

create function assay_revise() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger run_revise before update of state, plan, manifest, digests, tally, costs, last_sequence, ended_at on run
  for each row execute function assay_revise();

-- Renewing a lease changes nothing that people read.
drop trigger run_touch on run;
create trigger run_touch before update of state, plan, manifest, digests, tally, costs, last_sequence, ended_at, name, note,
    line, tags, archived_at, settings on run
  for each row execute function assay_touch();

create index run_unfinished on run (id) where state in ('queued', 'running', 'stopping', 'interrupted');
create index run_event_whole on run_event (run_id, sequence) where trial_key is null;

alter table trial add column cost_usd double precision, add column case_name text;
update trial set cost_usd = round(coalesce((cost->>'agent')::numeric, 0) + coalesce((cost->>'user')::numeric, 0)
  + coalesce((cost->>'judge')::numeric, 0), 9)::double precision
where coalesce(cost->>'agent', cost->>'user', cost->>'judge') is not null
  and not exists (select from json_each(cost) as part where part.value::text = 'null');

-- What the rows of a run come to, as it was counted for a list. A run that has changed since is counted again.
create table run_counted (
  run_id text collate "C" primary key references run on delete cascade,
  version text not null,
  body json not null
);
