-- Compressing the plan of a large run took as long as writing it. Older plans stay as they are.
alter table run alter column plan set storage external;
