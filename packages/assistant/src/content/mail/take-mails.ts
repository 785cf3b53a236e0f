/**
 * Owns what a look at a searchable account leads to: e-mails that are gone leave the index and those that were read get
 * their pieces, in the transaction that remembers how far each folder is taken in. What the look itself wrote down is
 * erased in it, so that the index is the only copy.
 */
import {
  MailAccount,
  mailAccountsCollection,
  type RunId,
  type SessionId,
  shortened,
} from '@countersign/contract'
import {
  emailId,
  isInUidSet,
  type LookedFolder,
  mailboxName,
  peopleText,
  placeIn,
  type SearchedMail,
  SearchedMailbox,
  searchedMailLabel,
} from '@countersign/tools'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../../assistant-context.ts'
import { type CallEnd, readOrProblem } from '../../server-calls.ts'
import { dropPieces, putPieces } from '../pieces.ts'
import {
  dropFolder,
  dropMailbox,
  forgetMailbox,
  holdMailbox,
  knownMailbox,
  moveMailbox,
  putFolder,
  type SearchedMailboxRow,
} from './mailboxes.ts'

const emails = 'emails'

/** How many e-mails are left for the next look; none where this one did not work. */
export async function takeMails(
  tx: AssistantTransaction,
  account: string,
  { run, end }: { readonly run: RunId; readonly end: CallEnd },
): Promise<number> {
  const row = await holdMailbox(tx, account)
  if (end.kind !== 'waiting') await eraseLook(tx, run)
  // Somebody else took it in.
  if (!row || row.run !== run) return 0
  if (!row.searchable) {
    if (end.kind !== 'waiting') await dropMailbox(tx, account)
    return 0
  }
  const searched = readOrProblem(end, SearchedMailbox)
  if (typeof searched === 'string') {
    const { mailbox, waiting, problem } = row
    const left = end.kind === 'waiting' ? run : null
    await moveMailbox(tx, account, { mailbox, waiting, run: left, problem: searched })
    if (problem === null) tell(tx, row, `cannot be read for the search: ${searched}`)
    return 0
  }
  // The account may lead to another mailbox since: then it is looked at again.
  const leads = await accountNamed(tx, account)
  const isStill = leads !== undefined && searched.mailbox === mailboxName(leads)
  if (isStill) await takeFolders(tx, { row, account: leads }, searched)
  const { mailbox, waiting } = isStill ? searched : { ...row, waiting: 1 }
  await moveMailbox(tx, account, { mailbox, waiting, run: null, problem: null })
  return waiting
}

async function accountNamed(
  { records }: AssistantTransaction,
  name: string,
): Promise<MailAccount | undefined> {
  const known = MailAccount.safeParse((await records.get(mailAccountsCollection, name))?.data)
  return known.success ? known.data : undefined
}

async function takeFolders(
  tx: AssistantTransaction,
  { row, account }: { readonly row: SearchedMailboxRow; readonly account: MailAccount },
  { mailbox, folders }: SearchedMailbox,
): Promise<void> {
  const { name } = account
  if (row.mailbox !== null && row.mailbox !== mailbox) await forgetMailbox(tx, name)
  const known = (await knownMailbox(tx, row))?.folders ?? []
  const there = new Map(folders.map((each) => [each.folder, each]))
  for (const { folder, uidValidity } of known) {
    const now = there.get(folder)
    if (now?.kind === 'same') continue
    // Numbers of a folder that was made anew name other e-mails.
    const isStill = now && now.uidValidity === uidValidity ? isInUidSet(now.there) : () => false
    for (const id of await sourcesIn(tx, name, folder))
      if (!isStill(placeIn(id)?.uid ?? 0)) await dropPieces(tx.db, tx.operator, emails, id)
    if (!now) await dropFolder(tx, name, folder)
  }
  for (const each of folders) if (each.kind === 'looked') await takeFolder(tx, account, each)
}

async function takeFolder(
  tx: AssistantTransaction,
  account: MailAccount,
  { folder, uidValidity, low, high, count, mails }: LookedFolder,
): Promise<void> {
  for (const mail of mails)
    await putPieces(tx.db, tx.operator, {
      collection: emails,
      source: emailId(account.name, { folder, uidValidity, uid: mail.uid }),
      title: titleOf(mail),
      // An e-mail may be nothing but its subject.
      text: mail.text.trim() === '' ? mail.subject : mail.text,
      at: new Date(mail.received),
      label: searchedMailLabel(account, mail),
      tags: [account.name],
    })
  await putFolder(tx, account.name, { folder, uidValidity, low, high, count })
}

const longestTitle = 300

function titleOf({ subject, from }: SearchedMail): string {
  const title = `${subject === '' ? '(no subject)' : subject}, from ${peopleText(from.slice(0, 3)) || 'nobody'}`
  return shortened(title, longestTitle)
}

async function sourcesIn(
  { db, operator }: AssistantTransaction,
  account: string,
  folder: string,
): Promise<readonly string[]> {
  const begin = `${account}/${encodeURIComponent(folder)}`
  // What begins with that and a slash; '0' is what comes after a slash.
  const { rows } = await sql<{ source: string }>`
    select distinct source from content_index
    where operator_id = ${operator} and type = ${emails}
      and source >= ${`${begin}/`} and source < ${`${begin}0`}`.execute(db)
  return rows.map(({ source }) => source)
}

/** What the call told was a second copy. It stays that there was a look, and when. */
async function eraseLook(tx: AssistantTransaction, run: RunId): Promise<void> {
  const { rows } = await sql<{ session: SessionId }>`
    select session_id as session from runs where operator_id = ${tx.operator} and id = ${run}`.execute(tx.db)
  for (const { session } of rows) {
    await tx.sessions.lock(session)
    await tx.sessions.eraseWords(session)
  }
}

/** Looks whose note was cut off when the gateway ended: nobody takes them in, and the next one reads the same again. */
export async function eraseLostLooks(tx: AssistantTransaction): Promise<void> {
  const { rows } = await sql<{ run: RunId }>`
    select r.id as run from calls c join runs r on r.id = c.run_id
    where r.operator_id = ${tx.operator} and r.state = 'stopped' and c.tool = ${searchTool} and c.result_text <> ''
      and not exists (select 1 from searched_mailboxes b
        where b.operator_id = r.operator_id and b.look_run = r.id)`.execute(tx.db)
  for (const { run } of rows) await eraseLook(tx, run)
}

export const searchTool = 'read_emails_for_search'

function tell(tx: AssistantTransaction, { account }: SearchedMailboxRow, words: string): void {
  tx.emit({ type: 'notice', about: account, text: `The e-mail account ${account} ${words}` })
}
