/** Takes the words of a plugin for the prompt for reviewed: only then agents are told them. Called by hand. */
import { kindOf, PluginHead, ServerName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, serverNamed } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { barred } from '../extensions/strangers-words.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect, hashText } from './server-effects.ts'

export const reviewPlugin = defineTool({
  name: 'review_plugin',
  version: '1',
  description: 'Take the words of a plugin for the prompt for reviewed.',
  input: z.strictObject({
    plugin: ServerName,
    /** The hash of how it runs. */
    launch: z.string().regex(hashText),
    sections: PluginHead.shape.sections.unwrap().min(1),
  }),
  category: 'servers',
  group: 'servers',
  tags: ['plugin', 'review', 'prompt'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ plugin }) => `Take the words of the plugin ${plugin} for the prompt for reviewed`,
  preview: ({ plugin, sections }) => ({
    kind: 'code',
    title: `Agents are told this from now on, as yours: words of the plugin ${plugin}`,
    language: 'markdown',
    code: sections.map(({ title, text }) => barred(`${title}\n${text}`)).join('\n\n'),
  }),
  async effects({ plugin: name, launch, sections }, inspect) {
    const installed = inspect.extensions()
    const plugin = serverNamed(installed, name)
    if (!plugin || kindOf(plugin) !== 'plugin' || plugin.launchHash !== launch)
      return { kind: 'invalid', reason: `There is no plugin ${name} as it is shown.` }
    if (plugin.reviewed)
      return { kind: 'invalid', reason: `The words of the plugin ${name} are reviewed already.` }
    const kept = plugin.launch.kind === 'plugin' ? plugin.launch.manifest.sections : []
    if (JSON.stringify(kept) !== JSON.stringify(sections))
      return { kind: 'invalid', reason: `The plugin ${name} has other words than those that are shown.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'plugin', name, op: 'change' })],
      effects: [entryEffect('write', `the words of the plugin ${name}, which then stand in prompts`, true)],
    }
  },
  async run({ plugin: name }, { extensions }) {
    const plugin = serverNamed(extensions.installed(), name)
    if (!plugin) return failed(`There is no plugin ${name}.`)
    const { addedAt: _, ...entry } = plugin
    const outcome = await extensions.putServer({ ...entry, reviewed: true }, null)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The words of the plugin ${name} are reviewed`
    return succeeded(`${summary}.`, summary)
  },
})
