-- Somebody wants the run cancelled; who holds its lease reads it. A new lease begins without it.
alter table run add column cancel_requested_at timestamptz;
