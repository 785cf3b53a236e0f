/** Starts a server that was let in and asks what it offers. What it says is kept for the operator. Called by hand. */
import { kindOf, ServerName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { serverNamed } from '../extensions/entry.ts'
import { failed, succeeded } from '../result.ts'
import { anyServerLabel, hashText, serverLabel } from './server-effects.ts'
import { startedServer } from './server-start.ts'
import { toolDefinitionHash } from './server-tool.ts'

export const lookAtServer = defineTool({
  name: 'look_at_server',
  version: '1',
  description: 'Start a server that was let in, and list what it offers.',
  input: z.strictObject({
    server: ServerName,
    /** The hash of how it is started, as it was shown. */
    launch: z.string().regex(hashText),
  }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'list'],
  effect: 'idempotent',
  floor: 3,
  output: anyServerLabel,
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'server',
  egress: 'checked',
  describe: ({ server }) => `Start the server ${server} and see what it offers`,
  preview: ({ server, launch }) => ({
    kind: 'text',
    title: `Start ${server}`,
    text: `It is started as you let it in (${launch.slice(0, 16)}…) and asked for its tools.`,
  }),
  async effects({ server: name, launch }, inspect) {
    const installed = inspect.extensions()
    const server = serverNamed(installed, name)
    if (!server || kindOf(server) !== 'server')
      return { kind: 'invalid', reason: `There is no server ${name}.` }
    return startedServer(server, launch, inspect)
  },
  async run({ server }, { servers, extensions }, signal) {
    const answer = await servers.list(server, signal)
    const label = serverLabel(server)
    if (answer.kind === 'failed') return { ...failed(answer.reason), label }
    const accepted = serverNamed(extensions.installed(), server)?.tools ?? []
    const lines = answer.tools.map((tool) => {
      const before = accepted.find(({ listed }) => listed.name === tool.name)
      const isSame = before?.definition === toolDefinitionHash(tool)
      const state = before ? (isSame ? 'accepted' : 'changed') : 'new'
      return `${state.padEnd(9)} ${tool.name}: ${tool.description.replaceAll(/\s+/g, ' ').slice(0, 120)}`
    })
    const summary = `${server} offers ${answer.tools.length} tools`
    return { ...succeeded([`${answer.title} lists:`, ...lines].join('\n').toWellFormed(), summary), label }
  },
})
