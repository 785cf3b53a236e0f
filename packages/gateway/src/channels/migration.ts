/** Owns the tables of channels: what came in and what goes out, who writes there, and how far the event log was told. */
import { ownTables } from '@countersign/assistant'

export const channelsMigration = {
  name: 'channels-1',
  sql: `
-- What came in, once for each id of the platform.
create table channel_inbox (
  operator_id text not null,
  channel text not null,
  id text not null,
  position bigint generated always as identity,
  chat text not null,
  peer text not null,
  event json not null,
  -- waiting, admitted, answered, left, or aside where it could not be handled
  state text not null,
  -- Why it was left or put aside, or what went wrong last.
  why text,
  attempts integer not null default 0,
  -- When it is tried again; null where it was not tried yet.
  next_at timestamptz,
  at timestamptz not null,
  primary key (operator_id, channel, id)
);
create index channel_inbox_waiting on channel_inbox (operator_id, channel, position) where state = 'waiting';
create index channel_inbox_recent on channel_inbox (operator_id, channel, peer, at);

-- What goes out, in the order of its positions within a chat.
create table channel_outbox (
  operator_id text not null,
  id text not null,
  position bigint generated always as identity,
  channel text not null,
  chat text not null,
  thread text,
  -- The same for every try; a second post under it is none.
  key text not null,
  kind text not null,
  text text not null,
  format text not null,
  buttons json not null,
  -- The approval or the run that it speaks of.
  about text,
  -- What was shown, where it can be decided by an answer.
  digest text,
  -- The delivery in whose place it goes.
  changes text,
  -- The file of the workspace that goes along, by what it held when it was allowed.
  file json,
  state text not null,
  attempts integer not null default 0,
  next_at timestamptz not null,
  expires_at timestamptz not null,
  -- The platform's id of what was sent.
  message text,
  problem text,
  at timestamptz not null,
  sent_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, key)
);
create index channel_outbox_due on channel_outbox (operator_id, channel, chat, position)
  where state in ('waiting', 'sending');
create index channel_outbox_about on channel_outbox (operator_id, about) where about is not null;
create index channel_outbox_shown on channel_outbox (operator_id, channel, at);

create table channel_chats (
  operator_id text not null,
  channel text not null,
  chat text not null,
  kind text not null,
  title text not null,
  -- Whose private chat it is; nobody's where it is a group.
  peer text,
  -- Each thread is a conversation of its own; empty outside of threads.
  thread text not null,
  session_id text not null,
  primary key (operator_id, channel, chat, thread)
);
create index channel_chats_session on channel_chats (operator_id, session_id);

create table channel_peers (
  operator_id text not null,
  channel text not null,
  peer text not null,
  name text not null,
  chat text not null,
  state text not null,
  role text,
  limits json not null,
  code text,
  asked_at timestamptz,
  paired_at timestamptz,
  paired_by text,
  primary key (operator_id, channel, peer)
);
create unique index channel_peers_code on channel_peers (operator_id, code) where code is not null;

-- What an adapter keeps, and the number of the last event that was told, under the name of no channel.
create table channel_states (
  operator_id text not null,
  channel text not null,
  state text not null,
  primary key (operator_id, channel)
);
${ownTables('channel_inbox', 'channel_outbox', 'channel_chats', 'channel_peers', 'channel_states')}
`,
} as const
