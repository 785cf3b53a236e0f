/**
 * Owns how servers are asked: what one offers, and a call of an accepted tool. What one lists that is not what was accepted
 * is written down, and a tool with another definition than the accepted one is not called.
 */
import {
  type AskOperator,
  type InstalledExtensions,
  type InstalledServer,
  kindOf,
  type ListedTool,
} from '@countersign/contract'
import {
  type ListedServer,
  type ServedSkill,
  type ServerAnswer,
  type ServerCall,
  type SkillWish,
  toolDefinitionHash,
} from '@countersign/tools'
import type { Extensions } from './extensions.ts'
import { createRunningServers, type RunningParts, type ServerUse } from './running-servers.ts'
import type { ServerSecrets } from './server-bearer.ts'

export interface Servers {
  /** Rejects with words for a person. */
  list(server: InstalledServer, secrets: ServerUse, signal: AbortSignal): Promise<ListedServer>
  /** Rejects with words for a person. */
  skill(
    server: InstalledServer,
    wish: SkillWish,
    secrets: ServerUse,
    signal: AbortSignal,
  ): Promise<ServedSkill>
  /** Never rejects. */
  call(
    server: InstalledServer,
    call: ServerCall & { readonly ask?: AskOperator | undefined },
    secrets: ServerSecrets,
  ): Promise<ServerAnswer | { readonly kind: 'failed'; readonly reason: string }>
  /** How many run. */
  running(): number
  close(): Promise<void>
}

export interface ServersParts extends Omit<RunningParts, 'extensions'> {
  readonly extensions: Extensions
}

export function createServers(parts: ServersParts): Servers {
  const { extensions, now } = parts
  const running = createRunningServers(parts)
  const hashes = new WeakMap<readonly ListedTool[], ReadonlyMap<string, string>>()
  extensions.onChange(running.keepOnly)

  /** Writes down what it offers now that was not accepted so. */
  async function noted(server: InstalledServer, tools: readonly ListedTool[]): Promise<void> {
    const at = now().toISOString()
    await extensions.change((before) => withListing(before, server, tools, at))
  }

  /** The definitions of one list by the name of the tool. A list is the same object until it is asked for again. */
  function hashesOf(tools: readonly ListedTool[]): ReadonlyMap<string, string> {
    const known = hashes.get(tools)
    if (known) return known
    const made = new Map(tools.map((tool) => [tool.name, toolDefinitionHash(tool)]))
    hashes.set(tools, made)
    return made
  }

  return {
    running: running.count,
    close: running.close,
    list: (server, secrets, signal) =>
      running.using(server, secrets, async (connection) => {
        const tools = await connection.list(signal, true)
        await noted(server, tools)
        return { kind: 'listed', tools, title: connection.title }
      }),
    skill: (server, wish, secrets, signal) =>
      running.using(server, secrets, (connection) => connection.skill(wish, signal)),
    async call(server, call, secrets) {
      try {
        return await running.using(
          server,
          { ...secrets, asks: call.ask !== undefined },
          async (connection) => {
            const tools = await connection.list(call.signal)
            const hashes = hashesOf(tools)
            const listed = hashes.get(call.tool)
            if (listed === call.definition && isAsAccepted(server, hashes)) return connection.call(call)
            await noted(server, tools)
            return { kind: 'failed', reason: changedText(server, call.tool, listed !== undefined) }
          },
        )
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return {
          kind: 'failed',
          reason: `The ${kindOf(server)} ${server.name} cannot be used: ${why}`.slice(0, 2000),
        }
      }
    },
  }
}

/** A plugin said before it ran what it has: it lists all of that and nothing else. A server may offer more. */
function isAsAccepted(server: InstalledServer, listed: ReadonlyMap<string, string>): boolean {
  const { tools } = server
  if (kindOf(server) === 'server') return true
  return (
    listed.size === tools.length &&
    tools.every(({ listed: { name }, definition }) => listed.get(name) === definition)
  )
}

function changedText(entry: InstalledServer, tool: string, isListed: boolean): string {
  const { name: server } = entry
  if (kindOf(entry) === 'plugin')
    return `The plugin ${server} lists other tools than its manifest says, so all of it is stopped. Look at it: \`countersign extension show ${server}\`.`
  const what = isListed
    ? `describes ${tool} in other words than those that were accepted`
    : `has no tool ${tool} any more`
  return `The server ${server} ${what}. The tool stops until the operator has looked: \`countersign extension show ${server}\`.`
}

function withListing(
  before: InstalledExtensions,
  { name, launchHash }: InstalledServer,
  tools: readonly ListedTool[],
  listedAt: string,
): InstalledExtensions {
  return {
    ...before,
    servers: before.servers.map((server) => {
      if (server.name !== name || server.launchHash !== launchHash) return server
      const isAccepted = (tool: ListedTool) =>
        server.tools.some(({ definition }) => definition === toolDefinitionHash(tool))
      const names = new Set(tools.map((tool) => tool.name))
      return {
        ...server,
        offered: tools.filter((tool) => !isAccepted(tool)),
        gone: server.tools.flatMap(({ listed }) => (names.has(listed.name) ? [] : [listed.name])),
        listedAt,
      }
    }),
  }
}
