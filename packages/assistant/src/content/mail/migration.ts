import { ownTables } from '../../own-tables.ts'

/**
 * E-mail accounts that the operator made searchable, and how far their folders are taken in. What an account says goes with
 * the account, and with another server, in the transaction that does it.
 */
export const searchedMailMigration = {
  name: 'assistant-searched-mail-1',
  sql: `
create table searched_mailboxes (
  operator_id text not null,
  account text collate "C" not null,
  -- False while the last look of an account that is searched no more has not been erased.
  searchable boolean not null,
  -- Whose e-mails were taken in; null until some were.
  mailbox text,
  looked_at timestamptz,
  -- The call that looks, until what it read is taken in.
  look_run text,
  problem text,
  waiting integer not null default 0,
  primary key (operator_id, account)
);

create table searched_folders (
  operator_id text not null,
  account text collate "C" not null,
  folder text collate "C" not null,
  uid_validity text not null,
  -- E-mails with a number between these were taken in, or are left out for good.
  low bigint not null,
  high bigint not null,
  -- How many the folder had when all of them were taken in; null until they are.
  count bigint,
  primary key (operator_id, account, folder)
);

${ownTables('searched_mailboxes', 'searched_folders')}

-- The id of an e-mail begins with its account and a slash, which no name has; '0' is what comes after a slash.
create function forget_searched_mail(whose text, which text) returns bigint
language plpgsql set search_path from current as $$
declare gone bigint;
begin
  with pieces as (
    delete from content_index where operator_id = whose and type = 'emails'
      and source >= which || '/' and source < which || '0' returning source)
  select count(distinct source) into gone from pieces;
  delete from searched_folders where operator_id = whose and account = which;
  return gone;
end $$;

create function stop_searching_mail(whose text, which text) returns bigint
language plpgsql set search_path from current as $$
begin
  delete from searched_mailboxes where operator_id = whose and account = which and look_run is null;
  update searched_mailboxes set searchable = false where operator_id = whose and account = which;
  return forget_searched_mail(whose, which);
end $$;

create function mail_account_changed() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'DELETE' then
    perform stop_searching_mail(old.operator_id, old.id);
  elsif old.data -> 'imap' is distinct from new.data -> 'imap' or old.data -> 'user' is distinct from new.data -> 'user' then
    perform forget_searched_mail(old.operator_id, old.id);
    update searched_mailboxes set mailbox = null, looked_at = null, look_run = null, problem = null, waiting = 0
      where operator_id = old.operator_id and account = old.id;
  end if;
  return null;
end $$;
create trigger mail_account_removed after delete on records
  for each row when (old.collection = 'mail_accounts') execute function mail_account_changed();
create trigger mail_account_written after update on records
  for each row when (new.collection = 'mail_accounts') execute function mail_account_changed();
`,
} as const
