/** Pauses a server, so that none of its tools is offered and it is not started, or lets it go on. Called by hand. */
import { ServerName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { aPlugin, entryNamed, extensionResource, serverNamed, wordOf } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { failed, succeeded } from '../result.ts'

export const switchServer = defineTool({
  name: 'switch_server',
  version: '1',
  description: 'Pause a server that was let in, or let it go on.',
  input: z.strictObject({ server: ServerName, paused: z.boolean(), plugin: aPlugin }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'pause', 'resume'],
  ...onEntries,
  runs: 'executor',
  floor: 1,
  describe: ({ server, paused, plugin }) => `${paused ? 'Pause' : 'Resume'} the ${wordOf(plugin)} ${server}`,
  preview: ({ server, paused, plugin }) => ({
    kind: 'text',
    title: `${paused ? 'Pause' : 'Resume'} a ${wordOf(plugin)}`,
    text: server,
  }),
  async effects({ server: name, paused, plugin }, inspect) {
    const installed = inspect.extensions()
    const kind = wordOf(plugin)
    if (!entryNamed(installed, kind, name)) return { kind: 'invalid', reason: `There is no ${kind} ${name}.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind, name, op: 'change' })],
      effects: [
        {
          verb: 'write',
          object: `the ${kind} ${name}, ${paused ? 'paused' : 'with its accepted tools again'}`,
          // What goes on may do all that was accepted; what pauses does less.
          scope: paused ? 'inside' : 'boundary',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ server: name, paused, plugin }, { extensions }) {
    const server = serverNamed(extensions.installed(), name)
    if (!server) return failed(`There is no server ${name}.`)
    const { addedAt: _, ...entry } = server
    const outcome = await extensions.putServer({ ...entry, paused }, null)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The ${wordOf(plugin)} ${name} is ${paused ? 'paused' : 'on again'}`
    return succeeded(`${summary}.`, summary)
  },
})
