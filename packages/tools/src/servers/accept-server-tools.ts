/**
 * Accepts tools of a server: their whole definitions, each with its tier. What was accepted before stands beside what is new,
 * so that the card shows the difference. The operator calls it by hand.
 */
import {
  AcceptedTool,
  canonicalText,
  definitionText,
  type InstalledServer,
  type JsonObject,
  kindOf,
  ListedTool,
  longestToolDefinition,
  mostServerTools,
  ServerName,
  Tier,
  tierName,
} from '@countersign/contract'
import { definitionDiff } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, serverNamed } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { barred, quotedName } from '../extensions/strangers-words.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect } from './server-effects.ts'
import { sameName, toolDefinitionHash } from './server-tool.ts'

const acceptedShape = {
  tool: ListedTool,
  tier: Tier,
  cases: AcceptedTool.shape.cases.default([]),
  undo: AcceptedTool.shape.undo.default(null),
}
const AcceptTool = z.strictObject({
  ...acceptedShape,
  /** As it was accepted before; null where it never was. */
  before: z.strictObject(acceptedShape).nullable().default(null),
})
type AcceptTool = z.infer<typeof AcceptTool>

export const acceptServerTools = defineTool({
  name: 'accept_server_tools',
  version: '1',
  description: 'Accept tools of a server, with their definitions and tiers.',
  input: z.strictObject({
    server: ServerName,
    tools: z.array(AcceptTool).max(mostServerTools),
    /** Names of accepted tools that are accepted no more. */
    drop: z.array(z.string().min(1).max(128)).max(mostServerTools).default([]),
  }),
  category: 'servers',
  group: 'servers',
  tags: ['server', 'mcp', 'accept'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ server, tools, drop }) =>
    tools.length === 0
      ? `Stop ${drop.length} tools of the server ${server}`
      : `Accept ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} of the server ${server}`,
  preview: ({ server, tools, drop }) => ({
    kind: 'code',
    title: `What is behind a bar are the words of the server ${server}`,
    language: 'diff',
    code: [...tools.map(toolText), ...drop.map((name) => `--- ${quotedName(name)}: accepted no more`)].join(
      '\n\n',
    ),
  }),
  async effects({ server: name, tools, drop }, inspect) {
    const installed = inspect.extensions()
    const server = serverNamed(installed, name)
    if (!server || kindOf(server) !== 'server')
      return { kind: 'invalid', reason: `There is no server ${name}.` }
    const reason = problemOf(server, tools, drop)
    if (reason !== undefined) return { kind: 'invalid', reason }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'server', name, op: 'change' })],
      effects: [
        ...tools.map((each) =>
          entryEffect(
            'write',
            `${quotedName(each.tool.name)} of the server ${name}, as ${countText(each)}`,
            true,
          ),
        ),
        ...drop.map((each) => entryEffect('delete', `${quotedName(each)} of the server ${name}`, true)),
      ],
    }
  },
  async run({ server: name, tools, drop }, { extensions }) {
    const server = serverNamed(extensions.installed(), name)
    if (!server) return failed(`There is no server ${name}.`)
    const { addedAt: _, ...entry } = server
    const gone = new Set([...drop, ...tools.map(({ tool }) => tool.name)])
    const accepted = tools.map(acceptedFrom)
    const isSettled = (each: ListedTool) =>
      accepted.some(({ definition }) => definition === toolDefinitionHash(each))
    const outcome = await extensions.putServer(
      {
        ...entry,
        tools: [...server.tools.filter(({ listed }) => !gone.has(listed.name)), ...accepted],
        offered: server.offered.filter((each) => !isSettled(each)),
        gone: server.gone.filter((each) => !gone.has(each)),
      },
      null,
    )
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `${accepted.length} tools of ${name} are accepted${drop.length > 0 ? `, ${drop.length} no more` : ''}`
    return succeeded(`${summary}.`, summary)
  },
})

type AcceptParts = Omit<AcceptTool, 'before'>

function acceptedFrom({ tool, tier, cases, undo }: AcceptParts): AcceptedTool {
  return { listed: tool, definition: toolDefinitionHash(tool), tier, cases, undo }
}

function toolText(wish: AcceptTool): string {
  const { tool, before } = wish
  const head = `=== ${quotedName(tool.name)}: ${countText(wish)}`
  if (before === null) return `${head}\n(new)\n${barred(definitionText(tool))}`
  const was = countText(before) === countText(wish) ? '' : `\n(was ${countText(before)})`
  return `${head}${was}\n${barred(definitionDiff(before.tool, tool))}`
}

function countText({ tier, cases, undo }: AcceptParts): string {
  const tierText = (each: Tier) => `“${tierName[each]}” (T${each})`
  const less = cases.map(
    (each) => `; only with ${each.argument} ${each.values.join(' or ')}: ${tierText(each.tier)}`,
  )
  return `${tierText(tier)}${less.join('')}${undo === null ? '' : `; taken back by ${quotedName(undo)}`}`
}

function problemOf(
  server: InstalledServer,
  tools: readonly AcceptTool[],
  drop: readonly string[],
): string | undefined {
  const { name } = server
  if (tools.length + drop.length === 0) return 'Name at least one tool.'
  for (const { tool, tier, cases, before } of tools) {
    if (cases.some((each) => each.tier > tier))
      return `A case of ${quotedName(tool.name)} counts for more than the tool itself. Every other argument would get around it.`
    if (JSON.stringify(tool).length > longestToolDefinition)
      return `The definition of ${tool.name} is too long.`
    const accepted = server.tools.find(({ listed }) => listed.name === tool.name)
    const isShown =
      accepted === undefined
        ? before === null
        : before !== null && textOf(acceptedFrom(before)) === textOf(accepted)
    if (!isShown)
      return `What was accepted of ${tool.name} before is not as the call says. Look at ${name} again.`
  }
  const unknown = drop.find((each) => !server.tools.some(({ listed }) => listed.name === each))
  if (unknown !== undefined) return `No tool ${unknown} of ${name} is accepted.`
  const kept = server.tools.map(({ listed }) => listed.name).filter((each) => !drop.includes(each))
  const all = [...new Set([...kept, ...tools.map(({ tool }) => tool.name)])]
  if (all.length > mostServerTools) return `At most ${mostServerTools} tools of a server are accepted.`
  if (new Set(tools.map(({ tool }) => tool.name)).size < tools.length) return 'A tool is named twice.'
  const same = sameName(name, all)
  return same && `${same[0]} and ${same[1]} would have one name here. Accept only one of them.`
}

function textOf(accepted: AcceptedTool): string {
  return canonicalText(accepted as unknown as JsonObject)
}
