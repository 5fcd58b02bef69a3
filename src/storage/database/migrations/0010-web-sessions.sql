-- A session of a browser. It ends with its token, and with the account of that token.
create table web_session (
  id uuid primary key default gen_random_uuid(),
  token_id uuid not null references api_token,
  sha256 text collate "C" not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index web_session_end on web_session (expires_at);
