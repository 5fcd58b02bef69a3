-- A large run begins before its trials and its frozen copies have their rows. What they will be is kept here until then.
create table waiting_trials (
  run_id text collate "C" primary key references run on delete cascade
);
-- Pages of copies: a line for each copy in the first five columns, and a line for each part in the last two.
create table waiting_copies (
  run_id text collate "C" not null references run on delete cascade,
  page integer not null,
  digests text not null,
  kinds text not null,
  bodies text not null,
  parts text not null,
  part_places text not null,
  part_contents text not null,
  part_bodies text not null,
  primary key (run_id, page)
);
-- To compress them takes longer than to write them, and they are soon removed.
alter table waiting_copies alter column digests set storage external,
  alter column kinds set storage external, alter column bodies set storage external,
  alter column parts set storage external, alter column part_places set storage external,
  alter column part_contents set storage external, alter column part_bodies set storage external;
