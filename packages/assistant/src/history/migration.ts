import { ownTables } from '../own-tables.ts'

/** Owns the tables of conversations that ended: what they were about, where sessions came from, what is forgotten. */
export const historyMigration = {
  name: 'assistant-history-1',
  sql: `
create table episodes (
  operator_id text not null,
  id text primary key,
  session_id text not null,
  agent text not null,
  goal text,
  from_position bigint not null,
  to_position bigint not null,
  summary text not null,
  summarised_by text not null check (summarised_by in ('model', 'fallback')),
  -- The conversation as it is searched: an entry for each message and each thing done.
  turns json not null,
  words tsvector not null,
  message_count integer not null,
  token_count integer not null,
  reason text not null check (reason in ('session_timeout', 'feed_complete', 'asked')),
  started_at timestamptz not null,
  ended_at timestamptz not null,
  archived_at timestamptz not null,
  label json not null,
  -- The places of messages that were taken out of turns and summary.
  forgotten jsonb not null default '[]',
  -- Raised with each change of the turns: a summary of other turns is thrown away.
  revision integer not null default 1,
  -- When a model is asked for a better summary; null when that is done or given up.
  due_at timestamptz,
  tries smallint not null default 0
);
create unique index episodes_place on episodes (session_id, to_position);
create index episodes_agent on episodes (operator_id, agent, ended_at desc);
create index episodes_time on episodes (operator_id, ended_at desc);
create index episodes_due on episodes (operator_id, due_at) where due_at is not null;

-- The words of each, since row level security keeps every index of text search from being used: see memory_words.
create table episode_words (
  operator_id text not null,
  word text collate "C" not null,
  episode text not null references episodes (id) on delete cascade,
  primary key (operator_id, word, episode)
);
create index episode_words_episode on episode_words (episode);

create function keep_episode_words() returns trigger language plpgsql set search_path from current as $$
begin
  delete from episode_words where episode = new.id;
  insert into episode_words (operator_id, word, episode)
    select new.operator_id, word, new.id from unnest(tsvector_to_array(new.words)) as word;
  return null;
end $$;
create trigger words_kept after insert on episodes for each row execute function keep_episode_words();
create trigger words_changed after update on episodes
  for each row when (old.words <> new.words) execute function keep_episode_words();

-- Messages of open conversations that are to be left out when they are archived.
create table forgotten_messages (
  operator_id text not null,
  session_id text not null,
  position bigint not null,
  primary key (session_id, position)
);

create table session_origins (
  operator_id text not null,
  session_id text primary key,
  kind text not null check (kind in ('fork', 'import')),
  forked_from text,
  up_to bigint,
  at timestamptz not null
);

${ownTables('episodes', 'episode_words', 'forgotten_messages', 'session_origins')}
`,
} as const

/** Sessions that were forked to see what would be, in which nothing is done. */
export const simulationMigration = {
  name: 'history-2-simulation',
  sql: `
alter table session_origins add column simulated boolean not null default false;
-- To find what was recorded for a call.
create index calls_session_tool on calls (operator_id, session_id, tool);
`,
} as const
