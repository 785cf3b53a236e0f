import { ownTables } from '../own-tables.ts'

/** What each schedule was due for and what became of it, how far each was looked at, and when somebody was there to look. */
export const schedulesMigration = {
  name: 'assistant-schedules-1',
  sql: `
create table schedule_cursors (
  operator_id text not null,
  schedule text not null,
  -- The record that was looked at last, and the version of the schedule in it; 0 before the first look.
  record_version integer not null default 0,
  version integer not null default 0,
  trigger json not null default 'null',
  considered_at timestamptz not null,
  -- When there is something to look at again; null where no time sets it off.
  next_at timestamptz,
  -- What is set off by the ledger or by a file has to be looked at now and then.
  listens boolean not null default false,
  watches boolean not null default false,
  ledger_seq bigint not null,
  -- The file as it was, as text.
  seen text,
  primary key (operator_id, schedule)
);

create table occurrences (
  operator_id text not null,
  id text not null,
  schedule text not null,
  -- What it is due for: an instant, a ledger entry, a delivery, a state of a file, an e-mail.
  key text not null,
  version integer not null,
  cause text not null,
  due_at timestamptz not null,
  state text not null check (state in ('due', 'succeeded', 'failed', 'stopped', 'missed', 'skipped', 'suppressed')),
  reason text not null default 'none',
  session_id text,
  run_id text,
  message text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (operator_id, id),
  unique (operator_id, schedule, key)
);
create index occurrences_recent on occurrences (operator_id, schedule, due_at desc);
create index occurrences_open on occurrences (operator_id, schedule) where state = 'due';

-- How far the folders of those are looked at that begin with an e-mail.
create table mail_watches (
  operator_id text not null,
  schedule text not null,
  -- The version of the schedule that was looked for.
  version integer not null,
  -- Up to where the folder was looked at; null until it was.
  mailbox text,
  uid_validity text,
  uid bigint,
  looked_at timestamptz,
  -- The call that looks, until what it found is taken in.
  look_run text,
  problem text,
  waiting integer not null default 0,
  primary key (operator_id, schedule)
);

-- Stretches of time in which the scheduler was running.
create table clock_spans (
  operator_id text not null,
  id text not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  primary key (operator_id, id)
);

${ownTables('schedule_cursors', 'occurrences', 'mail_watches', 'clock_spans')}
`,
} as const
