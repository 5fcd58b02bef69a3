-- Pruning asks for each copy that it removes, and runs wait meanwhile: without it, 1000 of 100,000 took a minute. A hash
-- costs those who write large runs nothing that can be measured.
create index run_frozen_digest on run_frozen using hash (digest);
