import { ownTables } from '../own-tables.ts'

/** What is known of entries on calendar servers: which record each is, and the state in which both were the same. */
export const calendarSyncMigration = {
  name: 'assistant-calendar-sync-1',
  sql: `
create table synced_accounts (
  operator_id text not null,
  account text not null,
  synced_at timestamptz,
  problem text,
  primary key (operator_id, account)
);
create table synced_collections (
  operator_id text not null,
  account text not null,
  href text not null,
  kind text not null check (kind in ('event', 'contact')),
  name text not null,
  -- What the server calls the state up to which everything was taken.
  token text,
  primary key (operator_id, account, href)
);
create table synced_entries (
  operator_id text not null,
  account text not null,
  collection text not null,
  href text not null,
  -- Which occurrence of a series; empty for what does not repeat.
  recurrence text not null,
  kind text not null check (kind in ('event', 'contact')),
  uid text not null,
  -- Null while the server does not have it.
  etag text,
  -- Null where it cannot be read; it stays on the server as it is.
  record_id text,
  -- The fields in which both sides were the same, and the version of the record that has them.
  base jsonb not null,
  record_version integer not null,
  label jsonb,
  shared boolean not null,
  repeats boolean not null,
  looked_on text not null,
  state text not null check (state in ('synced', 'conflict', 'stays')),
  -- In a conflict, what the server has; null where it deleted it.
  theirs jsonb,
  problem text,
  -- The call that brings it to the server, its place in the call, and what it brings.
  push_run text,
  push_place integer,
  push_fields jsonb,
  push_version integer,
  primary key (operator_id, account, href, recurrence)
);
create unique index synced_entries_record on synced_entries (operator_id, record_id) where record_id is not null;
${ownTables('synced_accounts', 'synced_collections', 'synced_entries')}
`,
} as const
