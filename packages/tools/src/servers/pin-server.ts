/** Pins a server, so that how it is started stays as it is, or lets it go again. Called by hand. */
import { ServerName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { aPlugin, serverNamed, wordOf } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { pinEffects, pinHeadline, pinTold, withPin } from '../extensions/pins.ts'
import { failed } from '../result.ts'

export const pinServer = defineTool({
  name: 'pin_server',
  version: '1',
  description: 'Pin a server that was let in, so that it is not updated, or let it go again.',
  input: z.strictObject({ server: ServerName, pinned: z.boolean(), plugin: aPlugin }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'pin', 'update'],
  ...onEntries,
  runs: 'executor',
  floor: 1,
  describe: ({ server, pinned, plugin }) => pinHeadline(wordOf(plugin), server, pinned),
  preview: ({ server, pinned, plugin }) => ({
    kind: 'text',
    title: pinHeadline(wordOf(plugin), server, pinned),
    text: server,
  }),
  effects: async ({ server, pinned, plugin }, inspect) =>
    pinEffects(inspect, { kind: wordOf(plugin), name: server, pinned }),
  async run({ server: name, pinned, plugin }, { extensions }) {
    const server = serverNamed(extensions.installed(), name)
    if (!server) return failed(`There is no server ${name}.`)
    const { addedAt: _, ...entry } = server
    const outcome = await extensions.putServer(withPin(entry, pinned), null)
    return outcome.kind === 'failed' ? failed(outcome.reason) : pinTold(wordOf(plugin), name, pinned)
  },
})
