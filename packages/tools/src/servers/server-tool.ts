/**
 * Owns what the operator accepts of a tool of a server: the hash of its definition, what it is called here, which tier a call
 * of it has, and why it cannot be called.
 */
import {
  type AcceptedTool,
  canonicalText,
  type InstalledServer,
  isStrayed,
  type JsonObject,
  kindOf,
  type ListedTool,
  type ServerLaunch,
  type Tier,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { quotedName } from '../extensions/strangers-words.ts'

export function toolDefinitionHash(listed: ListedTool): string {
  return sha256Hex(canonicalText(listed as unknown as JsonObject))
}

export function launchHash(launch: ServerLaunch): string {
  return sha256Hex(canonicalText(JSON.parse(JSON.stringify(launch)) as JsonObject))
}

/** `github__create_issue`: the server, two lines, and the tool in lower case words. */
export function qualifiedToolName(server: string, tool: string): string {
  const words = tool
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const whole = `${server.replaceAll('-', '_')}__${words || 'tool'}`
  if (whole.length <= longestName) return whole
  // Models take names of 64 characters. What is cut is told apart by the hash.
  return `${whole.slice(0, longestName - 9)}_${sha256Hex(tool).slice(0, 8)}`
}

const longestName = 64

/** Two tools that would have one name here; nothing where there are none. */
export function sameName(server: string, tools: readonly string[]): readonly [string, string] | undefined {
  const seen = new Map<string, string>()
  for (const tool of tools) {
    const name = qualifiedToolName(server, tool)
    const other = seen.get(name)
    if (other !== undefined) return [other, tool]
    seen.set(name, tool)
  }
  return undefined
}

/** Tools that we give a server ourselves, so that its resources and prompts are called and pinned like its tools. */
export const ownToolPrefix = 'mcp:'

/** What a call counts for: as accepted, or less where an argument holds it to something that was accepted for less. */
export function tierOfCall({ tier, cases }: Pick<AcceptedTool, 'tier' | 'cases'>, input: JsonObject): Tier {
  const fits = cases.find(({ argument, values }) => {
    const given = Object.hasOwn(input, argument) ? [input[argument]].flat() : []
    return given.length > 0 && given.every((each) => typeof each === 'string' && values.includes(each))
  })
  return fits?.tier ?? tier
}

/** Its accepted form, where it can be called now. */
export function usableTool(server: InstalledServer, tool: string): AcceptedTool | undefined {
  const accepted = server.tools.find(({ listed }) => listed.name === tool)
  return accepted && stopReason(server, tool) === undefined ? accepted : undefined
}

/** Why an accepted tool cannot be called, or nothing. */
export function stopReason(server: InstalledServer, tool: string): string | undefined {
  const { name } = server
  const kind = kindOf(server)
  if (server.paused)
    return `The ${kind} ${name} is paused. The operator resumes it with \`countersign extension resume ${name}\`.`
  if (isStrayed(server))
    return `The plugin ${name} is not what its manifest says, so all of it is stopped. The operator updates or removes it: \`countersign extension show ${name}\`.`
  if (server.offered.some((each) => each.name === tool))
    return `The server ${name} describes ${quotedName(tool)} in other words than those that were accepted. It stops until the operator accepts the difference: \`countersign extension accept ${name}\`.`
  if (server.gone.includes(tool)) return `The server ${name} has no tool ${quotedName(tool)} any more.`
  return undefined
}
