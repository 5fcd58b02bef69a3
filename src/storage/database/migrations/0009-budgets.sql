-- What may be spent in all; null: no limit. An append that sets money aside checks it.
alter table run add column budget_usd double precision check (budget_usd >= 0);
