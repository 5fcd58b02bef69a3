-- Trials of a large run get their rows while its first trials run. The number of the next trial without a row.
alter table waiting_trials add column next_number integer not null default 1;
