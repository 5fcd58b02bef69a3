-- What a worker leaves on its machine if it is killed: how its processes and temporary folders are found. Null: nothing.
alter table worker add column leftovers json;
