import { ownTables } from '../../own-tables.ts'

/**
 * What recall keeps beside the records: one row for each memory, and its words. Triggers write them in the transaction
 * that changes the record, so that what is forgotten is forgotten here at the same moment.
 *
 * The words have a table of their own because row level security keeps every index of text search from being used: the
 * operator `@@` might leak. Equality of text does not, so a plain index on words finds them.
 */
export const recallMigration = {
  name: 'assistant-recall-1',
  sql: `
create table memory_index (
  operator_id text not null,
  id text collate "C" not null,
  -- A short name for the rows of words.
  no bigint generated always as identity,
  status text not null,
  type text not null,
  goal text,
  tags text[] not null,
  importance real not null,
  pinned boolean not null,
  -- The memories that this one corrects.
  corrects text[] not null,
  created_at timestamptz not null,
  -- Since when it says what it says; the record's own time also moves when it is used.
  told_at timestamptz not null,
  used_at text,
  words tsvector not null,
  -- Another number for every other content.
  revision integer not null,
  model text,
  -- 32-bit floats, the lowest byte first.
  vector bytea,
  -- Somebody is embedding it until then.
  claimed_until timestamptz,
  -- The transaction that changed it last: unlike a sequence, it tells what was not yet committed.
  changed bigint not null,
  primary key (operator_id, id)
);
-- As it is, since it does not compress.
alter table memory_index alter column vector set storage external;
create unique index memory_index_no on memory_index (operator_id, no);
create index memory_index_model on memory_index (operator_id, model, no);
create index memory_index_changed on memory_index (operator_id, changed);

-- The words of active memories, and what each is worth there before it is known how rare it is.
create table memory_words (
  operator_id text not null,
  word text collate "C" not null,
  no bigint not null,
  weight real not null,
  primary key (operator_id, word, no) include (weight)
);

-- Names of memories that are gone, so that whoever holds vectors in its memory drops them too.
create table memory_removals (
  operator_id text not null,
  id text collate "C" not null,
  changed bigint not null,
  at timestamptz not null default now(),
  primary key (operator_id, changed, id)
);

${ownTables('memory_index', 'memory_words', 'memory_removals')}

create function memory_texts(value jsonb) returns text[] language sql immutable as $$
  select case jsonb_typeof(value)
    when 'array' then array(select jsonb_array_elements_text(value))
    when 'string' then array[value #>> '{}']
    else '{}' end
$$;

create function memory_number(value jsonb, most double precision, otherwise double precision)
returns double precision language sql immutable as $$
  select case jsonb_typeof(value)
    when 'number' then least(most, greatest(0, (value #>> '{}')::numeric))::double precision
    else otherwise end
$$;

create function index_memory() returns trigger language plpgsql set search_path from current as $$
declare
  is_same boolean := tg_op = 'UPDATE' and (old.data -> 'content') is not distinct from (new.data -> 'content');
  tags text[] := memory_texts(new.data -> 'tags');
begin
  insert into memory_index as m (
    operator_id, id, status, type, goal, tags, importance, pinned, corrects, created_at, told_at, used_at,
    words, revision, changed)
  values (
    new.operator_id, new.id,
    coalesce(new.data ->> 'status', 'active'),
    coalesce(new.data ->> 'type', 'fact'),
    new.data ->> 'goal',
    tags,
    memory_number(new.data -> 'importance', 1, 0.5),
    coalesce(new.data -> 'pinned' = 'true', false),
    memory_texts(new.data -> 'supersedes'),
    new.created_at, case tg_op when 'INSERT' then new.created_at else new.updated_at end,
    new.data ->> 'lastUsedAt',
    to_tsvector('pg_catalog.english',
      left(coalesce(new.data ->> 'content', ''), 50000) || ' ' || left(array_to_string(tags, ' '), 2000)),
    1, pg_current_xact_id()::text::bigint)
  on conflict (operator_id, id) do update set
    status = excluded.status, type = excluded.type, goal = excluded.goal, tags = excluded.tags,
    importance = excluded.importance, pinned = excluded.pinned,
    corrects = excluded.corrects, created_at = excluded.created_at, used_at = excluded.used_at,
    told_at = case when is_same then m.told_at else excluded.told_at end,
    words = excluded.words,
    revision = m.revision + (not is_same)::integer,
    model = case when is_same then m.model end,
    vector = case when is_same then m.vector end,
    claimed_until = case when is_same then m.claimed_until end,
    -- Whoever holds vectors need not hear of what it does not hold.
    changed = case when is_same and (m.status, m.type, m.tags) = (excluded.status, excluded.type, excluded.tags)
      and m.goal is not distinct from excluded.goal then m.changed else excluded.changed end;
  return null;
end $$;

create function unindex_memory() returns trigger language plpgsql set search_path from current as $$
begin
  delete from memory_index where operator_id = old.operator_id and id = old.id;
  insert into memory_removals (operator_id, id, changed)
    values (old.operator_id, old.id, pg_current_xact_id()::text::bigint) on conflict do nothing;
  return null;
end $$;

-- As in BM25: a word that is repeated is worth a little more, and a word of a long text a little less.
create function keep_memory_words() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    delete from memory_words
    where operator_id = old.operator_id and no = old.no and word = any (tsvector_to_array(old.words));
  end if;
  if tg_op <> 'DELETE' then
    insert into memory_words (operator_id, word, no, weight)
    select new.operator_id, lexeme, new.no, 2.2 * uses / (uses + 1.2 * (0.6 + 0.4 * sum(uses) over () / 12.0))
    from (select lexeme, coalesce(cardinality(positions), 1) as uses from unnest(new.words)) as each_word
    where new.status = 'active';
  end if;
  return null;
end $$;

create trigger words_kept after insert or delete on memory_index
  for each row execute function keep_memory_words();
create trigger words_changed after update on memory_index
  for each row when (old.words <> new.words or old.status <> new.status) execute function keep_memory_words();
create trigger memory_written after insert or update on records
  for each row when (new.collection = 'memories') execute function index_memory();
create trigger memory_removed after delete on records
  for each row when (old.collection = 'memories') execute function unindex_memory();

-- The assistant's role makes no tables. These two make the table for pgvector and its indexes, as the kernel's role,
-- and nothing else, whoever calls them.
create function prepare_nearest(kind text) returns text language plpgsql security definer set search_path from current as $$
declare
  assistant text := session_user || '_assistant';
  place text;
begin
  if kind not in ('memory', 'content') then raise exception 'There is no index of %.', kind; end if;
  perform pg_advisory_xact_lock(hashtext('countersign/pgvector'));
  create extension if not exists vector;
  select nspname into place from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'vector';
  if not has_schema_privilege(assistant, place, 'usage') then
    raise exception 'The role % may not use pgvector. Run GRANT USAGE ON SCHEMA % TO %.', assistant, place, assistant;
  end if;
  if to_regclass(kind || '_nearest') is null then
    execute format('create table %1$I (
      operator_id text not null,
      no bigint not null,
      model text not null,
      dimensions integer not null,
      near %3$I.vector not null,
      primary key (operator_id, no),
      foreign key (operator_id, no) references %2$I (operator_id, no) on delete cascade)',
      kind || '_nearest', kind || '_index', place);
    execute format('alter table %I enable row level security', kind || '_nearest');
    execute format('alter table %I force row level security', kind || '_nearest');
    execute format('create policy own on %I using (operator_id = current_setting(''app.operator'', true))',
      kind || '_nearest');
    execute format('create function %1$I() returns trigger language plpgsql set search_path from current as $forget$
      begin
        delete from %2$I where operator_id = new.operator_id and no = new.no;
        return null;
      end $forget$', kind || '_forget_nearest', kind || '_nearest');
    execute format('create trigger %1$I after update on %2$I for each row
      when (old.vector is not null and new.vector is null) execute function %3$I()',
      kind || '_emptied', kind || '_index', kind || '_forget_nearest');
    perform give_to_assistant(kind || '_nearest');
  end if;
  return place;
end $$;

create function index_nearest(kind text, size integer) returns void
language plpgsql security definer set search_path from current as $$
declare
  place text := (select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'vector');
begin
  if kind not in ('memory', 'content') then raise exception 'There is no index of %.', kind; end if;
  execute format('create index if not exists %3$I on %4$I
    using hnsw ((near::%2$I.vector(%1$s)) %2$I.vector_cosine_ops) where dimensions = %1$s',
    size, place, kind || '_nearest_' || size, kind || '_nearest');
end $$;

-- As many as are asked for, and on past those that a filter leaves out, in the right order.
create function search_nearest_well(wanted integer) returns void language plpgsql as $$
begin
  perform set_config('hnsw.ef_search', wanted::text, true), set_config('hnsw.iterative_scan', 'strict_order', true);
end $$;
`,
} as const
