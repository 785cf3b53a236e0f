/**
 * Owns when accounts that the operator made searchable are looked at: at once when they are made so, and then every few
 * minutes. Each look is a call like any other, and there is one at a time for each account.
 */
import {
  CountersignError,
  type MailSearch,
  type MailSearchableSet,
  mailAccountsCollection,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../../assistant-context.ts'
import { createLooksInTurn } from '../../looks-in-turn.ts'
import { createServerCalls, type ServerCalls, type ServerCallsOptions } from '../../server-calls.ts'
import { lookAtServer } from '../../server-look.ts'
import {
  knownMailbox,
  mailSearches,
  moveMailbox,
  noteLook,
  type SearchedMailboxRow,
  searchedMailboxes,
  searchMailbox,
  stopSearching,
} from './mailboxes.ts'
import { eraseLostLooks, searchTool, takeMails } from './take-mails.ts'

export interface MailIndexOptions extends ServerCallsOptions {
  /** E-mails were taken in, and have no vectors yet. */
  readonly wake: () => void
}

export interface MailIndex {
  /** Looks at those whose time has come. */
  beat(): Promise<void>
  /** What is known of the accounts that are searched, by their names. */
  list(tx: AssistantTransaction): Promise<ReadonlyMap<string, MailSearch>>
  set(account: string, searchable: boolean, actor: Actor): Promise<MailSearchableSet>
  close(): Promise<void>
}

const everyMs = 5 * 60_000
/** Until the next look at an account with e-mails that wait, so that nothing else has to. */
const pauseMs = 2_000

export function createMailIndex(options: MailIndexOptions): MailIndex {
  const { context, wait, wake } = options
  const { operator, records, clock, onProblem } = context
  const calls = createServerCalls(options, 'mail-search')
  const closing = new AbortController()
  const looks = createLooksInTurn(lookAndWake, onProblem)
  /** Accounts that are looked at as soon as nobody looks at them. */
  const next = new Set<string>()
  let beating: Promise<void> | undefined
  let isSwept = false

  async function lookAndWake(account: string): Promise<void> {
    next.delete(account)
    const waiting = await look(account, { context, calls }, closing.signal)
    wake()
    if (waiting > 0) wait(pauseMs, closing.signal).then(() => lookNext(account), onProblem)
  }

  function lookNext(account: string): void {
    if (next.has(account) || closing.signal.aborted) return
    next.add(account)
    looks.look(account).catch(onProblem)
  }

  async function lookAtDue(): Promise<void> {
    if (!isSwept) await records.change(operator, eraseLostLooks)
    isSwept = true
    const now = clock().getTime()
    const due = (await records.single(operator, searchedMailboxes)).filter(
      (row) => !looks.isUnderWay(row.account) && isDue(row, now),
    )
    await looks.all(due.map(({ account }) => account))
  }

  async function beat(): Promise<void> {
    if (closing.signal.aborted) return
    beating ??= lookAtDue().finally(() => {
      beating = undefined
    })
    await beating
  }

  return {
    beat,
    list: mailSearches,
    async set(account, searchable, actor) {
      const { value, ledger } = await records.change(operator, async (tx) => {
        if (!(await tx.records.get(mailAccountsCollection, account)))
          throw new CountersignError('not_found', `There is no e-mail account ${account}.`, {
            next: 'List them with `countersign mail list`.',
          })
        const removed = searchable ? undefined : await stopSearching(tx, account)
        const isChanged = searchable ? await searchMailbox(tx, account) : removed !== undefined
        if (isChanged) tx.record({ type: 'mail.searchable_set', actor, data: { name: account, searchable } })
        if (searchable) tx.afterCommit(() => lookNext(account))
        return { name: account, searchable, removed: removed ?? 0 }
      })
      return { ...value, ledger }
    },
    async close() {
      closing.abort()
      await Promise.allSettled([looks.settled(), beating])
    },
  }
}

function isDue({ searchable, lookedAt, waiting, problem }: SearchedMailboxRow, now: number): boolean {
  if (!searchable || lookedAt === null || (waiting > 0 && problem === null)) return true
  return now - lookedAt.getTime() >= everyMs
}

/** How many e-mails are left for the next look. */
async function look(
  account: string,
  { context, calls }: { readonly context: AssistantContext; readonly calls: ServerCalls },
  closing: AbortSignal,
): Promise<number> {
  const { operator, records } = context
  const found = await records.read(operator, async (tx) => {
    const row = (await searchedMailboxes(tx)).find((each) => each.account === account)
    return row && { row, known: await knownMailbox(tx, row) }
  })
  if (!found || closing.aborted) return 0
  const { row, known } = found
  const { mailbox, waiting } = row
  // Nothing is left of it but a look, and that is only erased.
  if (!row.searchable && row.run === null) return 0
  const left = await lookAtServer(
    {
      run: row.run,
      tool: searchTool,
      args: { account, ...(known ? { known } : {}) },
      note: (run) => records.change(operator, (tx) => noteLook(tx, row, run)),
      refused: (problem) =>
        records.change(operator, (tx) => moveMailbox(tx, account, { mailbox, waiting, run: null, problem })),
      take: async (run, end) =>
        (await records.change(operator, (tx) => takeMails(tx, account, { run, end }))).value,
    },
    calls,
    closing,
  )
  return left ?? 0
}
