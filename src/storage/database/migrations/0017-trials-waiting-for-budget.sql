-- Whether a trial of a worker waits for budget, so that it leaves none of it to others.
alter table handed_trial add column waits_for_budget boolean not null default false;
