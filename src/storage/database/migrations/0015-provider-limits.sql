-- What the processes that use one key of a provider know of its limit. The key itself is never stored.
create table provider_limit (
  -- sha-256 of provider, address and key.
  key_digest text collate "C" primary key,
  -- How often the provider refused requests that were sent after the last cut.
  cuts integer not null,
  -- No request may start before.
  held_until timestamptz not null
);
