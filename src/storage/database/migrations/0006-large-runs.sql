-- What many copies have in common is kept once: the metrics of a judge are most of each of its expectations.
create table frozen_part (
  content text collate "C" primary key,
  body json not null
);
-- The body has null at part_at, such as config/metrics.
alter table frozen add column part text collate "C", add column part_at text,
  add check (num_nulls(part, part_at) in (0, 2));

-- Asked for each of 400,000 rows, these took as long as writing them. Pruning locks frozen before it looks for copies
-- that no run has, and each writer that adds a row here has written to frozen in the same transaction.
alter table run_frozen drop constraint run_frozen_digest_content_fkey;
alter table run_frozen drop constraint run_frozen_run_id_fkey;
drop index run_frozen_copy;
create index run_frozen_order on run_frozen (run_id, position);
create function assay_forget_copies() returns trigger language plpgsql as $$
begin
  delete from run_frozen where run_id in (select id from gone);
  return null;
end $$;
create trigger run_forget_copies after delete on run
  referencing old table as gone for each statement execute function assay_forget_copies();

-- The history of a case is read from its newest trial.
drop index trial_case;
create index trial_case on trial (test_case_id, run_id desc, number desc) where test_case_id is not null;

-- Digests cannot be compressed.
alter table run alter column digests set storage external;
