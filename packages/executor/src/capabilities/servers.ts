/**
 * The capability on servers: the one that the permit names, started as the permit names it. Refuses another server, another
 * tool, and another definition than the accepted one.
 */
import type { ApprovalSubject, AskOperator, InstalledServer } from '@countersign/contract'
import {
  entryHash,
  type Failure,
  serverNamed,
  type ToolCapabilities,
  tierOfCall,
  usableTool,
} from '@countersign/tools'
import { noSecrets, type SecretSource } from '../egress/secret-source.ts'
import type { Extensions } from '../extensions/extensions.ts'
import type { Servers } from '../extensions/servers.ts'
import type { GrantSource } from '../oauth/access-tokens.ts'
import { failure } from './failure.ts'

export interface ServerCallParts {
  readonly extensions: Extensions
  readonly servers: Servers
  readonly secrets?: SecretSource
  /** For servers that are signed in to. */
  readonly grants?: GrantSource | undefined
  /** Left out where no operator can be asked for a server. */
  readonly ask?: AskOperator | undefined
}

export function serverCapabilities(
  { resources }: Pick<ApprovalSubject, 'resources'>,
  { extensions, servers, secrets = noSecrets, grants, ask }: ServerCallParts,
): ToolCapabilities['servers'] {
  // Also where it is only looked at: some offer other tools to whoever can be asked.
  const given = { secrets, grants, asks: ask !== undefined }

  /** The server as the permit names it. */
  async function using<T>(name: string, work: (server: InstalledServer) => Promise<T>): Promise<T | Failure> {
    const now = extensions.current()
    const server = serverNamed(now, name)
    const isNamed = resources.some(
      (each) =>
        each.type === 'extension' &&
        each.kind === 'server' &&
        each.name === name &&
        each.entry === entryHash(now, 'server', name),
    )
    if (!server || !isNamed || server.paused) return failure('The permit does not name this server as it is.')
    try {
      return await work(server)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return failure(`The server ${name} cannot be used: ${why}`.slice(0, 2000))
    }
  }

  return {
    list: (name, signal) => using(name, (server) => servers.list(server, given, signal)),
    skill: (name, wish, signal) => using(name, (server) => servers.skill(server, wish, given, signal)),
    async call(call) {
      const server = serverNamed(extensions.current(), call.server)
      const accepted = server && usableTool(server, call.tool)
      const isNamed = resources.some(
        (each) =>
          each.type === 'server-tool' &&
          each.server === call.server &&
          each.launch === server?.launchHash &&
          each.tool === call.tool &&
          each.definition === call.definition &&
          accepted !== undefined &&
          each.tier === tierOfCall(accepted, call.input),
      )
      if (!server || accepted?.definition !== call.definition || !isNamed)
        return failure('The permit does not name this tool as it was accepted.')
      return servers.call(server, { ...call, ask }, given)
    },
  }
}
