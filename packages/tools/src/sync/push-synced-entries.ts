/**
 * Brings changes of the operator's events and contacts to the server of an account. Each is bound to the state of the
 * entry that it was made on. Where others may be told of it, the call leaves the operator's hands and says so.
 */
import type { Effect } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { accountInput, type CalendarAccountArgs, noAccount } from './account-argument.ts'
import { serverEffects, serverLabel, syncTool } from './sync-effects.ts'
import { EntryChange, syncLimits } from './synced-entry.ts'

type PushArgs = CalendarAccountArgs & { readonly changes: readonly EntryChange[] }

export const pushSyncedEntries = defineTool<PushArgs>({
  ...syncTool,
  runs: 'executor',
  name: 'push_synced_entries',
  version: '1',
  description: 'Bring changes of events and contacts to the server of a calendar account.',
  input: z.strictObject({
    ...accountInput,
    changes: z.array(EntryChange).min(1).max(syncLimits.pushed),
  }) as unknown as z.ZodType<PushArgs>,
  // Bound to a state of each entry, so that the second time finds it as it was wanted.
  effect: 'idempotent',
  floor: 1,
  output: serverLabel,
  discreet: true,
  describe: ({ account, changes }) => {
    const [first, ...more] = changes
    const what = first && more.length === 0 ? wordsOf(first) : `${changes.length} changes`
    return `Bring to the calendar account ${account}: ${what}`
  },
  preview: ({ changes }) => ({
    kind: 'text',
    title: 'What the server is given',
    text: changes.map(linesOf).join('\n\n'),
  }),
  effects: async ({ server, account, changes }, inspect) =>
    serverEffects(
      server,
      changes.map((change) => effectOf(change, account)),
      inspect,
    ),
  async run({ server, changes }, { calendarServer }, signal) {
    if (!server) return failed(noAccount)
    const outcome = await calendarServer.push(server, changes, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const written = outcome.changes.filter(({ kind }) => kind === 'written').length
    return succeeded(
      JSON.stringify({ changes: outcome.changes }),
      `Brought ${written} of ${changes.length} changes to ${server.name}`,
    )
  },
})

/** What is taken back here is taken back there with the next sync. What others are told of is not. */
function effectOf({ action, kind, title, others }: EntryChange, account: string): Effect {
  return {
    verb: others ? 'send' : action,
    object: `the ${kind} “${title}” in the calendar account ${account}`,
    scope: 'inside',
    reversible: !others,
    outward: others,
    leaves: [],
  }
}

function wordsOf({ action, etag, kind, title }: EntryChange): string {
  const verb = action === 'delete' ? 'delete' : etag === null ? 'add' : 'change'
  return `${verb} the ${kind} “${title}”`
}

function linesOf(change: EntryChange): string {
  const occurrence = change.recurrence === '' ? '' : `, only on ${change.recurrence}`
  return [
    `${wordsOf(change)}${occurrence}`,
    ...(change.others ? ['The server may tell everybody who is invited.'] : []),
    ...Object.entries(change.set).map(([name, value]) => `${name}: ${value}`),
    ...change.unset.map((name) => `${name}: none`),
  ].join('\n')
}
