/** Removes a server with its files, what it kept and its tools. What it did stays in the ledger. Called by hand. */
import { ServerName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { aPlugin, entryNamed, extensionResource, wordOf } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect } from './server-effects.ts'

export const removeServer = defineTool({
  name: 'remove_server',
  version: '1',
  description: 'Remove a server that was let in, with everything that it kept.',
  input: z.strictObject({ server: ServerName, plugin: aPlugin }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'uninstall'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ server, plugin }) => `Remove the ${wordOf(plugin)} ${server}`,
  preview: ({ server, plugin }) => ({
    kind: 'text',
    title: `Remove a ${wordOf(plugin)}`,
    text: `${server}, with its files, what it kept for itself, and every tool of it`,
  }),
  async effects({ server: name, plugin }, inspect) {
    const installed = inspect.extensions()
    const kind = wordOf(plugin)
    if (!entryNamed(installed, kind, name)) return { kind: 'invalid', reason: `There is no ${kind} ${name}.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind, name, op: 'remove' })],
      effects: [entryEffect('delete', `the ${kind} ${name} and what it kept`, false)],
    }
  },
  async run({ server: name, plugin }, { extensions }) {
    const outcome = await extensions.remove(wordOf(plugin), name)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The ${wordOf(plugin)} ${name} is removed`
    return succeeded(`${summary}. Nothing of it is left.`, summary)
  },
})
