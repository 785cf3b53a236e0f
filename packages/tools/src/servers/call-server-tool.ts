/**
 * Calls a tool of a server, as the operator accepted it. Not offered to models: the tools of servers stand for it. Its tier
 * is the accepted one, as the executor keeps it.
 */
import { type JsonObject, type JsonValue, kindOf, ServerName, secretName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type EffectsResult } from '../definition.ts'
import { aPlugin, serverNamed, wordOf } from '../extensions/entry.ts'
import { quotedName } from '../extensions/strangers-words.ts'
import { failed, succeeded, unsure } from '../result.ts'
import { launchPlaces, launchSecrets } from './launch-words.ts'
import { anyServerLabel, effectOfTier, hashText, serverLabel } from './server-effects.ts'
import { givenFolders } from './server-folders.ts'
import { stopReason, tierOfCall, usableTool } from './server-tool.ts'

export const callServerTool = defineTool({
  name: 'call_server_tool',
  version: '1',
  description: 'Call a tool of a server that was let in.',
  input: z.strictObject({
    server: ServerName,
    tool: z.string().min(1).max(128),
    definition: z.string().regex(hashText),
    input: z.record(z.string(), z.custom<JsonValue>()),
    /** Those that the server was given when it was let in, sorted. */
    secrets: z.array(z.string().regex(secretName)).max(20).default([]),
    plugin: aPlugin,
  }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'model context protocol'],
  effect: 'once',
  floor: 0,
  output: anyServerLabel,
  hidden: true,
  worksForAgents: true,
  undo: 'call_server_tool',
  runs: 'executor',
  sandbox: 'server',
  egress: 'checked',
  // They go to the server that the operator named them for, and to no place that these arguments say.
  serviceKeys: ({ secrets }) => secrets,
  describe: ({ server, tool, plugin }) => `Use ${quotedName(tool)} of the ${wordOf(plugin)} ${server}`,
  preview: ({ server, tool, input }) => ({
    kind: 'text',
    title: `${quotedName(tool)} of ${server}`,
    text: JSON.stringify(input, null, 2),
  }),
  async effects({ server: name, tool, definition, input, secrets, plugin }, inspect): Promise<EffectsResult> {
    const kind = wordOf(plugin)
    const server = serverNamed(inspect.extensions(), name)
    if (!server || kindOf(server) !== kind) return { kind: 'invalid', reason: `There is no ${kind} ${name}.` }
    const accepted = server.tools.find(({ listed }) => listed.name === tool)
    if (!accepted)
      return { kind: 'invalid', reason: `The operator did not accept ${tool} of the ${kind} ${name}.` }
    if (accepted.definition !== definition)
      return { kind: 'invalid', reason: `Another definition of ${tool} was accepted. Find it again.` }
    const stopped = stopReason(server, tool)
    if (stopped !== undefined) return { kind: 'invalid', reason: stopped }
    const kept = launchSecrets(server.launch)
    if (kept.join() !== secrets.join())
      return { kind: 'invalid', reason: `The ${kind} ${name} is given other secrets. Find the tool again.` }
    const { launchHash, launch } = server
    const folders = await givenFolders(launch, inspect)
    if ('kind' in folders) return folders
    const tier = tierOfCall(accepted, input as JsonObject)
    const places = launchPlaces(launch)
    const reaches = places.length > 0
    const to = launch.kind === 'http' ? `to ${new URL(launch.url).host}` : `to the ${kind} ${name}`
    return {
      kind: 'found',
      resources: [
        { type: 'server-tool', server: name, launch: launchHash, tool, definition, tier, reaches },
        ...folders,
      ],
      effects: [effectOfTier(tier, `${quotedName(tool)} of the ${kind} ${name}`, [`the arguments, ${to}`])],
      secrets: kept,
      places,
    }
  },
  async run({ server, tool, definition, input, secrets, plugin }, { servers, extensions }, signal) {
    const answer = await servers.call({ server, tool, definition, input: input as JsonObject, signal })
    const label = serverLabel(server, wordOf(plugin))
    const entry = serverNamed(extensions.installed(), server)
    const accepted = entry?.tools.find(({ listed }) => listed.name === tool)
    if (answer.kind === 'failed') return { ...failed(answer.reason), label }
    const notes = (answer.notes ?? []).map((note) => `\n[${note}]`).join('')
    if (answer.kind === 'silent') {
      const reason = `${answer.reason} It may have done what it was asked for.${notes}`
      const tier = accepted ? tierOfCall(accepted, input as JsonObject) : 4
      return { ...(tier >= 3 ? unsure(reason) : failed(reason)), label }
    }
    const text = `${answer.text}${answer.truncated ? '\n[the rest was left out]' : ''}${notes}`
    if (answer.isError) return { ...failed(text), summary: `${quotedName(tool)} of ${server} failed`, label }
    // What leaves the operator's hands is told as final on its card, and so it is.
    const isFinal = !accepted || tierOfCall(accepted, input as JsonObject) >= 3
    const back = entry && accepted?.undo && !isFinal ? usableTool(entry, accepted.undo) : undefined
    const words = plugin ? { plugin } : {}
    const again = back && {
      server,
      tool: back.listed.name,
      definition: back.definition,
      input,
      secrets,
      ...words,
    }
    const undo = again && { tool: 'call_server_tool', args: again as unknown as JsonObject }
    return { ...succeeded(text, `Used ${quotedName(tool)} of ${server}`, undo), label }
  },
})
