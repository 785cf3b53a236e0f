/** Owns the rows that tell which e-mail accounts are searched, how far each folder is taken in, and how the last look went. */
import type { MailSearch, RunId } from '@countersign/contract'
import type { KnownFolder, KnownMailbox } from '@countersign/tools'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../../assistant-context.ts'

type Tx = Pick<AssistantTransaction, 'db' | 'operator'>

export interface SearchedMailboxRow {
  readonly account: string
  /** False where nothing is left but a look to erase. */
  readonly searchable: boolean
  readonly mailbox: string | null
  readonly lookedAt: Date | null
  /** A look that has not been taken in yet. */
  readonly run: RunId | null
  readonly problem: string | null
  readonly waiting: number
}

export async function searchedMailboxes({ db, operator }: Tx): Promise<readonly SearchedMailboxRow[]> {
  const { rows } = await sql<SearchedMailboxRow>`
    select account, searchable, mailbox, looked_at as "lookedAt", look_run as run, problem, waiting
    from searched_mailboxes where operator_id = ${operator} order by looked_at nulls first, account`.execute(
    db,
  )
  return rows
}

/** Waits for whoever takes a look in. */
export async function holdMailbox(tx: Tx, account: string): Promise<SearchedMailboxRow | undefined> {
  await sql`select 1 from searched_mailboxes
    where operator_id = ${tx.operator} and account = ${account} for update`.execute(tx.db)
  return (await searchedMailboxes(tx)).find((row) => row.account === account)
}

export async function knownMailbox(
  { db, operator }: Tx,
  { account, mailbox }: SearchedMailboxRow,
): Promise<KnownMailbox | undefined> {
  if (mailbox === null) return undefined
  const { rows } = await sql<KnownFolder>`
    select folder, uid_validity as "uidValidity", low, high, count from searched_folders
    where operator_id = ${operator} and account = ${account} order by folder`.execute(db)
  return { mailbox, folders: rows }
}

/** True where it was not searched before. */
export async function searchMailbox({ db, operator }: Tx, account: string): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with before as (
      select searchable from searched_mailboxes where operator_id = ${operator} and account = ${account})
    insert into searched_mailboxes as b (operator_id, account, searchable) values (${operator}, ${account}, true)
    on conflict (operator_id, account) do update set searchable = true, looked_at = null,
      mailbox = case when b.searchable then b.mailbox end, look_run = case when b.searchable then b.look_run end
    returning not coalesce((select searchable from before), false) as "isNew"`.execute(db)
  return rows[0]?.isNew ?? false
}

/** How many e-mails were taken out; nothing where it was not searched. */
export async function stopSearching({ db, operator }: Tx, account: string): Promise<number | undefined> {
  const { rows } = await sql<{ gone: number | null }>`
    select case when exists (
      select 1 from searched_mailboxes where operator_id = ${operator} and account = ${account} and searchable)
      then stop_searching_mail(${operator}, ${account})::integer end as gone`.execute(db)
  return rows[0]?.gone ?? undefined
}

export async function forgetMailbox({ db, operator }: Tx, account: string): Promise<void> {
  await sql`select forget_searched_mail(${operator}, ${account})`.execute(db)
}

/** Of a mailbox that was forgotten meanwhile it is not noted, and so not taken in: it goes on from what is gone. */
export async function noteLook(
  { db, operator }: Tx,
  { account, mailbox }: SearchedMailboxRow,
  run: RunId,
): Promise<void> {
  await sql`update searched_mailboxes set look_run = ${run}
    where operator_id = ${operator} and account = ${account} and mailbox is not distinct from ${mailbox}`.execute(
    db,
  )
}

export type MailboxMove = Pick<SearchedMailboxRow, 'mailbox' | 'run' | 'problem' | 'waiting'>

export async function moveMailbox(
  { db, operator, now }: Pick<AssistantTransaction, 'db' | 'operator' | 'now'>,
  account: string,
  { mailbox, run, problem, waiting }: MailboxMove,
): Promise<void> {
  await sql`
    update searched_mailboxes set mailbox = ${mailbox}, looked_at = ${now}, look_run = ${run},
      problem = ${problem}, waiting = ${waiting}
    where operator_id = ${operator} and account = ${account}`.execute(db)
}

/** Its last look is erased, and nothing tells of it any more. */
export async function dropMailbox({ db, operator }: Tx, account: string): Promise<void> {
  await sql`delete from searched_mailboxes
    where operator_id = ${operator} and account = ${account} and not searchable`.execute(db)
}

export async function putFolder(
  { db, operator }: Tx,
  account: string,
  { folder, uidValidity, low, high, count }: KnownFolder,
): Promise<void> {
  await sql`
    insert into searched_folders (operator_id, account, folder, uid_validity, low, high, count)
    values (${operator}, ${account}, ${folder}, ${uidValidity}, ${low}, ${high}, ${count})
    on conflict (operator_id, account, folder) do update set uid_validity = excluded.uid_validity,
      low = excluded.low, high = excluded.high, count = excluded.count`.execute(db)
}

export async function dropFolder({ db, operator }: Tx, account: string, folder: string): Promise<void> {
  await sql`delete from searched_folders
    where operator_id = ${operator} and account = ${account} and folder = ${folder}`.execute(db)
}

/** How the search keeps up with each account that is searched, by its name. */
export async function mailSearches(tx: Tx): Promise<ReadonlyMap<string, MailSearch>> {
  const searched = (await searchedMailboxes(tx)).filter(({ searchable }) => searchable)
  if (searched.length === 0) return new Map()
  const { rows } = await sql<{ account: string; emails: number }>`
    select split_part(source, '/', 1) as account, count(distinct source)::integer as emails
    from content_index where operator_id = ${tx.operator} and type = 'emails' group by 1`.execute(tx.db)
  const emails = new Map(rows.map((row) => [row.account, row.emails]))
  return new Map(
    searched.map(({ account, waiting, lookedAt, problem }) => [
      account,
      { emails: emails.get(account) ?? 0, waiting, lookedAt: lookedAt?.toISOString() ?? null, problem },
    ]),
  )
}
