/** Gives the operator a file of a plugin, as it was accepted. Called by hand. */
import { kindOf, ServerName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, serverNamed } from '../extensions/entry.ts'
import { partOfFile } from '../extensions/shown-files.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'
import { anyServerLabel, serverLabel } from './server-effects.ts'

export const readPluginFile = defineTool({
  name: 'read_plugin_file',
  version: '1',
  description: 'Read a file of a plugin that was let in.',
  input: z.strictObject({
    plugin: ServerName,
    path: pathText,
    /** In characters. */
    offset: z.int().min(0).max(10_000_000).default(0),
  }),
  category: 'servers',
  group: 'servers',
  tags: ['plugin', 'file'],
  effect: 'pure',
  floor: 0,
  output: anyServerLabel,
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'none',
  egress: 'none',
  describe: ({ plugin, path }) => `Read ${path} of the plugin ${plugin}`,
  preview: ({ plugin, path }) => ({ kind: 'text', title: `A file of the plugin ${plugin}`, text: path }),
  async effects({ plugin: name, path }, inspect) {
    const installed = inspect.extensions()
    const plugin = serverNamed(installed, name)
    if (!plugin || kindOf(plugin) !== 'plugin')
      return { kind: 'invalid', reason: `There is no plugin ${name}.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'plugin', name, op: 'use' })],
      effects: [
        {
          verb: 'read',
          object: `${path} of the plugin ${name}`,
          scope: 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ plugin: name, path, offset }, { extensions }) {
    const label = serverLabel(name, 'plugin')
    const file = await extensions.readFile('plugin', name, path)
    if (file.kind === 'failed') return { ...failed(file.reason), label }
    return { ...partOfFile(file.bytes, { path, offset, of: `the plugin ${name}` }), label }
  },
})
