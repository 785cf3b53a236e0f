/** `countersign calendar-account`: the servers with which events and contacts are kept the same. */
import {
  AccountName,
  type CalendarAccountView,
  CalendarServer,
  conflictDifferences,
  type StoreCalendarAccount,
  type SyncConflict,
  type SyncReport,
} from '@countersign/contract'
import type { Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { counted } from '../output/counted.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { readSecretValue } from './secret-value.ts'

export const list: Handler = async (context) => {
  const accounts = await (await context.gateway()).client.calendarAccounts()
  return done({ accounts }, () => {
    if (accounts.length === 0)
      return 'No calendar account yet. Add one with `countersign calendar-account add home --server https://dav.example.org/ --user me --receives-new`.'
    const rows = accounts.map((account) => [
      line(account.name),
      line(account.url),
      account.direction === 'pull'
        ? 'takes only'
        : account.receivesNew
          ? 'both ways, gets what is new'
          : 'both ways',
      `${counted(account.events, 'event')}, ${counted(account.contacts, 'contact')}`,
      account.lastSyncAt ?? 'never',
    ])
    const notes = accounts.flatMap((account) =>
      accountNotes(account).map((note) => `${line(account.name)}: ${note}`),
    )
    return [columns([['Name', 'Server', 'Direction', 'Synced', 'Last'], ...rows]), ...notes].join('\n')
  })
}

export const add: Handler = async (context, [name = ''], options) => {
  const wished = wishOf(name, options)
  if (typeof wished === 'string') return usage(wished, 'calendar-account add')
  const { client } = await context.gateway()
  const password = await readSecretValue(context, `Password of ${line(wished.user)} (hidden): `)
  if (password === undefined) return done({ stored: false }, 'Nothing was changed.')
  const stored = await client.storeCalendarAccount(name, { ...wished, password })
  const { account, local } = stored
  return done({ ...stored }, () =>
    [
      `${stored.replaced ? 'Changed' : 'Added'} ${line(name)}.${ledgerMark(stored.ledger)}`,
      columns([
        ['Server', line(account.url)],
        ['Password', `in the vault as ${line(account.secret)}, for this server only`],
      ]),
      ...(account.receivesNew && account.direction === 'both'
        ? [
            local.events + local.contacts === 0
              ? 'Events and contacts that you add are copied there.'
              : `Your ${local.events} events and ${local.contacts} contacts are copied there, and so is what you add.`,
          ]
        : []),
      `Sync it with \`countersign calendar-account sync ${line(name)}\`.`,
    ].join('\n'),
  )
}

export const sync: Handler = async (context, [name = '']) => {
  const report = await (await context.gateway()).client.syncCalendarAccount(name)
  const { taken, removed, sent } = report
  return done({ ...report }, () =>
    [`${line(name)}: ${taken} taken, ${removed} removed, ${sent} sent.`, ...accountNotes(report)].join('\n'),
  )
}

export const conflicts: Handler = async (context) => {
  const found = await (await context.gateway()).client.syncConflicts()
  return done({ conflicts: found }, () =>
    found.length === 0
      ? 'No conflicts.'
      : [
          ...found.map(conflictText),
          'Keep one side with `countersign calendar-account settle <id> --keep mine` or `--keep theirs`.',
        ].join('\n\n'),
  )
}

export const settle: Handler = async (context, [id = ''], { keep }) => {
  if (keep !== 'mine' && keep !== 'theirs')
    return usage('Say which side to keep: --keep mine or --keep theirs.', 'calendar-account settle')
  const { client } = await context.gateway()
  const ids = id === 'all' ? (await client.syncConflicts()).map((each) => each.id) : [id]
  for (const each of ids) await client.settleConflict(each, { keep })
  const side = keep === 'mine' ? 'what is here' : 'what the server has'
  return done(
    { settled: ids, keep },
    `Kept ${side} of ${ids.length}. The other side follows with the next sync.`,
  )
}

export const remove: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.removeCalendarAccount(name)
  const words = [
    `Removed ${line(name)} and its password.${ledgerMark(ledger)}`,
    'Events and contacts stay here and on the server. An app password stays valid until you revoke it at your provider.',
  ]
  return done({ name, ledger }, words.join('\n'))
}

type AccountState = Pick<SyncReport, 'asking' | 'conflicts' | 'unreadable' | 'problem'> &
  Partial<Pick<CalendarAccountView, 'staysHere'>>

/** What is to be known of an account besides what was synced. */
export function accountNotes({
  asking,
  conflicts,
  staysHere = 0,
  unreadable,
  problem,
}: AccountState): string[] {
  const changes = (count: number, one: string, several: string) =>
    `${counted(count, 'change')} ${count === 1 ? one : several}`
  return [
    ...(problem === null ? [] : [line(problem)]),
    ...(conflicts > 0
      ? [`${counted(conflicts, 'conflict')}. See \`countersign calendar-account conflicts\`.`]
      : []),
    ...(asking > 0
      ? [`${changes(asking, 'waits', 'wait')} for you. See \`countersign approval list\`.`]
      : []),
    ...(staysHere > 0
      ? [`${changes(staysHere, 'stays here, since you denied it', 'stay here, since you denied them')}.`]
      : []),
    ...(unreadable > 0
      ? [
          `${counted(unreadable, 'entry', 'entries')} cannot be read and ${unreadable === 1 ? 'stays' : 'stay'} on the server.`,
        ]
      : []),
  ]
}

function wishOf(name: string, options: OptionValues): Omit<StoreCalendarAccount, 'password'> | string {
  const text = (option: string) => (typeof options[option] === 'string' ? options[option] : '')
  if (!AccountName.safeParse(name).success)
    return `${line(name)} is not a name for an account: lower case letters, digits, - and _, as in home.`
  const url = text('server')
  if (!CalendarServer.safeParse(url).success)
    return 'Give the address of the server: --server https://dav.example.org/. Without TLS only localhost can be reached.'
  const user = text('user')
  if (user === '') return 'Give the name to sign in with: --user me.'
  const everyMinutes = text('every') === '' ? 15 : Number(text('every'))
  if (!Number.isInteger(everyMinutes) || everyMinutes < 1 || everyMinutes > 1_440)
    return '--every takes minutes, from 1 to 1440.'
  const direction = options['pullOnly'] === true ? 'pull' : 'both'
  return { url, user, direction, receivesNew: options['receivesNew'] === true, everyMinutes }
}

function conflictText(conflict: SyncConflict): string {
  const { id, account, kind, title, mine, theirs } = conflict
  const shown = (side: SyncConflict['mine'], text: string | undefined) =>
    side === null ? 'deleted' : line(text ?? 'none').slice(0, 200)
  return [
    `${line(id)}: the ${kind} “${line(title)}” of ${line(account)}`,
    columns([
      ['', 'Mine', 'Theirs'],
      ...conflictDifferences(conflict).map((each) => [
        each.name,
        shown(mine, each.mine),
        shown(theirs, each.theirs),
      ]),
    ]),
  ].join('\n')
}
