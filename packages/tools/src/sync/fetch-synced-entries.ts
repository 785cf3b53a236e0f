/** Fetches entries of a calendar server, taken apart in the sandbox. */
import { isDay } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { accountInput, type CalendarAccountArgs, noAccount } from './account-argument.ts'
import { serverEffects, serverLabel, syncTool } from './sync-effects.ts'
import { type SyncWindow, syncLimits } from './synced-entry.ts'

type FetchArgs = CalendarAccountArgs & {
  readonly collection: string
  readonly kind: 'event' | 'contact'
  readonly hrefs: readonly string[]
  readonly window: SyncWindow
}

const day = z.string().refine(isDay, 'must be a day')

export const fetchSyncedEntries = defineTool<FetchArgs>({
  ...syncTool,
  runs: 'executor',
  name: 'fetch_synced_entries',
  version: '1',
  description: 'Fetch entries from the server of a calendar account.',
  input: z.strictObject({
    ...accountInput,
    collection: z.string().max(1_000),
    kind: z.enum(['event', 'contact']),
    hrefs: z.array(z.string().min(1).max(1_000)).min(1).max(syncLimits.fetched),
    window: z.strictObject({ from: day, to: day }),
  }) as unknown as z.ZodType<FetchArgs>,
  effect: 'pure',
  floor: 0,
  output: serverLabel,
  describe: ({ account, hrefs }) => `Fetch ${hrefs.length} entries of the calendar account ${account}`,
  preview: ({ hrefs }) => ({ kind: 'text', title: 'Which entries', text: hrefs.join('\n') }),
  effects: async ({ server, account, hrefs }, inspect) =>
    serverEffects(
      server,
      [
        {
          verb: 'read',
          object: `${hrefs.length} entries of the calendar account ${account}`,
          scope: 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
      inspect,
    ),
  async run({ server, ...wanted }, { calendarServer }, signal) {
    if (!server) return failed(noAccount)
    const outcome = await calendarServer.fetch(server, wanted, signal)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const { resources, gone } = outcome
    return succeeded(JSON.stringify({ resources, gone }), `Fetched ${resources.length} of ${server.name}`)
  },
})
