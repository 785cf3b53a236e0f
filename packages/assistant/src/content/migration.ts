import { ownTables } from '../own-tables.ts'

/**
 * What is searched by meaning besides memories: pieces of messages, notes and files, and the entries of the operator's own
 * collections. Triggers take away what was changed or erased in the transaction that does it, so that it is not found
 * from that moment on; pieces of what is new are made a little later, from the list of what waits.
 */
export const contentMigration = {
  name: 'assistant-content-1',
  sql: `
-- Alike in what the search needs: see memory_index.
create table content_index (
  operator_id text not null,
  id text collate "C" not null,
  no bigint generated always as identity,
  status text not null default 'active',
  -- The collection.
  type text collate "C" not null,
  goal text,
  tags text[] not null default '{}',
  -- What it is a piece of: an id, a path, or a session with the place of a message.
  source text collate "C" not null,
  title text not null,
  text text not null,
  at timestamptz not null,
  label json,
  words tsvector not null,
  revision integer not null default 1,
  model text,
  vector bytea,
  claimed_until timestamptz,
  changed bigint not null default pg_current_xact_id()::text::bigint,
  primary key (operator_id, id)
);
alter table content_index alter column vector set storage external;
create unique index content_index_no on content_index (operator_id, no);
create index content_index_model on content_index (operator_id, model, no);
create index content_index_changed on content_index (operator_id, changed);
create index content_index_source on content_index (operator_id, type, source);
create index content_index_age on content_index (operator_id, type, at);

create table content_words (
  operator_id text not null,
  word text collate "C" not null,
  no bigint not null,
  weight real not null,
  primary key (operator_id, word, no) include (weight)
);

create table content_removals (
  operator_id text not null,
  id text collate "C" not null,
  changed bigint not null,
  at timestamptz not null default now(),
  primary key (operator_id, changed, id)
);

-- Whose pieces are to be made anew.
create table content_pending (
  operator_id text not null,
  type text collate "C" not null,
  source text collate "C" not null,
  primary key (operator_id, type, source)
);

-- What the files looked like when they were read.
create table content_files (
  operator_id text not null,
  path text collate "C" not null,
  version text not null,
  primary key (operator_id, path)
);

${ownTables('content_index', 'content_words', 'content_removals', 'content_pending', 'content_files')}

create function keep_content_words() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    delete from content_words
    where operator_id = old.operator_id and no = old.no and word = any (tsvector_to_array(old.words));
  end if;
  if tg_op = 'DELETE' then
    insert into content_removals (operator_id, id, changed)
      values (old.operator_id, old.id, pg_current_xact_id()::text::bigint) on conflict do nothing;
  else
    insert into content_words (operator_id, word, no, weight)
    select new.operator_id, lexeme, new.no, 2.2 * uses / (uses + 1.2 * (0.6 + 0.4 * sum(uses) over () / 60.0))
    from (select lexeme, coalesce(cardinality(positions), 1) as uses from unnest(new.words)) as each_word;
  end if;
  return null;
end $$;
create trigger words_kept after insert or delete on content_index
  for each row execute function keep_content_words();
create trigger words_changed after update on content_index
  for each row when (old.words <> new.words) execute function keep_content_words();

create function content_changed(whose text, kind text, what text) returns void
language plpgsql set search_path from current as $$
begin
  delete from content_index where operator_id = whose and type = kind and source = what;
  insert into content_pending (operator_id, type, source) values (whose, kind, what) on conflict do nothing;
end $$;

create function note_changed() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' and old.data = new.data and old.label::text is not distinct from new.label::text then
    return null;
  end if;
  perform content_changed(coalesce(new.operator_id, old.operator_id), 'notes', coalesce(new.id, old.id));
  return null;
end $$;
create trigger note_written after insert or update on records
  for each row when (new.collection = 'notes') execute function note_changed();
create trigger note_removed after delete on records
  for each row when (old.collection = 'notes') execute function note_changed();

-- A message that is new has no pieces yet, and is only put down: it lies on the way of every reply.
create function message_changed() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into content_pending (operator_id, type, source)
      values (new.operator_id, 'conversations', new.session_id || '/' || new.position) on conflict do nothing;
  else
    perform content_changed(old.operator_id, 'conversations', old.session_id || '/' || old.position);
  end if;
  return null;
end $$;
create trigger message_written after insert or delete on messages
  for each row execute function message_changed();
create trigger message_rewritten after update on messages
  for each row when (old.text <> new.text or old.label::text <> new.label::text) execute function message_changed();

create function message_forgotten() returns trigger language plpgsql set search_path from current as $$
begin
  perform content_changed(new.operator_id, 'conversations', new.session_id || '/' || new.position);
  return null;
end $$;
create trigger message_forgotten after insert on forgotten_messages
  for each row execute function message_forgotten();

-- An entry is one piece, and has its vector from the call that writes it.
create function entry_changed() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    delete from content_index
    where operator_id = old.operator_id and type = old.collection and source = old.id;
    return null;
  end if;
  insert into content_index as c (operator_id, id, type, source, title, text, at, label, words)
  values (new.operator_id, new.collection || '/' || new.id || '/0', new.collection, new.id, '',
    coalesce(new.data ->> 'text', ''), new.updated_at, new.label,
    to_tsvector('pg_catalog.english', coalesce(new.data ->> 'text', '')))
  on conflict (operator_id, id) do update set
    text = excluded.text, at = excluded.at, label = excluded.label, words = excluded.words,
    revision = c.revision + 1, changed = excluded.changed,
    model = case when c.text = excluded.text then c.model end,
    vector = case when c.text = excluded.text then c.vector end,
    claimed_until = null;
  return null;
end $$;
create trigger entry_written after insert or update on records
  for each row when (new.collection like 'vectors:%') execute function entry_changed();
create trigger entry_removed after delete on records
  for each row when (old.collection like 'vectors:%') execute function entry_changed();
`,
} as const
