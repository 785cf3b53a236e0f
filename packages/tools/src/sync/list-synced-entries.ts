/** Lists what a calendar server has, or what changed there since a state that it named. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { accountInput, type CalendarAccountArgs, noAccount } from './account-argument.ts'
import { serverEffects, serverLabel, syncTool } from './sync-effects.ts'
import { syncLimits } from './synced-entry.ts'

type ListArgs = CalendarAccountArgs & {
  readonly known: readonly { readonly href: string; readonly token: string }[]
}

export const listSyncedEntries = defineTool<ListArgs>({
  ...syncTool,
  runs: 'executor',
  name: 'list_synced_entries',
  version: '1',
  description: 'List what changed on the server of a calendar account.',
  input: z.strictObject({
    ...accountInput,
    known: z
      .array(z.strictObject({ href: z.string().max(1_000), token: z.string().max(2_000) }))
      .max(syncLimits.collections)
      .default([]),
  }) as unknown as z.ZodType<ListArgs>,
  effect: 'pure',
  floor: 0,
  output: serverLabel,
  describe: ({ account }) => `Look what changed in the calendar account ${account}`,
  preview: ({ server }) => ({ kind: 'text', title: 'Which server', text: server?.url ?? '' }),
  effects: async ({ server, account }, inspect) =>
    serverEffects(
      server,
      [
        {
          verb: 'read',
          object: `the calendar account ${account}`,
          scope: 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
      inspect,
    ),
  async run({ server, known }, { calendarServer }, signal) {
    if (!server) return failed(noAccount)
    const outcome = await calendarServer.list(server, known, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { collections } = outcome
    return succeeded(JSON.stringify({ collections }), `Looked at ${server.name}`)
  },
})
