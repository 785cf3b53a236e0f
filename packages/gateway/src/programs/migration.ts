/** Owns the tables of programs: who they are, their conversations, and what they asked. */
import { ownTables } from '@countersign/assistant'

export const programsMigration = {
  name: 'programs-1',
  sql: `
create table programs (
  operator_id text not null,
  name text not null,
  agents json not null,
  role text not null,
  private boolean not null,
  limits json not null,
  paused boolean not null,
  -- SHA-256 of the token, in hexadecimal. The token has 256 random bits, so nobody finds it by trying.
  token_hash text not null,
  token_end text not null,
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  primary key (operator_id, name)
);
create unique index programs_token on programs (operator_id, token_hash);

create table program_conversations (
  operator_id text not null,
  program text not null,
  session_id text not null,
  -- By what the program names it; one that it does not name has none.
  key text,
  at timestamptz not null,
  primary key (operator_id, program, session_id)
);
create unique index program_conversations_key on program_conversations (operator_id, program, key)
  where key is not null;

-- What was asked, written before it is admitted. Its words are in the conversation, and not here.
create table program_questions (
  operator_id text not null,
  program text not null,
  id text not null,
  position bigint generated always as identity,
  session_id text not null,
  -- Of the body, by which a retry is known.
  body_hash text not null,
  -- As the program gave it; null where it gave none.
  retry_key text,
  agent text not null,
  -- Under which it is admitted; null where the program was only told how an earlier one stands.
  input_key text,
  -- What the history looks like to the program once it has the answer.
  after_hash text,
  -- no, waiting or end: what the program was told of it.
  told text not null,
  at timestamptz not null,
  primary key (operator_id, program, id)
);
create unique index program_questions_retry on program_questions (operator_id, program, retry_key)
  where retry_key is not null;
create index program_questions_after on program_questions (operator_id, program, after_hash);
create index program_questions_body on program_questions (operator_id, program, body_hash) where told = 'no';
create index program_questions_session on program_questions (operator_id, session_id, position);
create index program_questions_recent on program_questions (operator_id, program, at);
${ownTables('programs', 'program_conversations', 'program_questions')}
`,
} as const
