/** Owns the executor under trial: real keys, a real sandbox, and a way to change the world just before it acts. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { canonicalText, type ExecuteReply, type JsonObject, type Resolution } from '@countersign/contract'
import { type Executor, openExecutor } from '../../../../../packages/executor/src/executor.ts'
import { pressResolved } from '../../../../../packages/executor/src/testing/host.ts'
import { permitChecks } from '../../../../../packages/executor/src/verify.ts'
import { type Grounds, openGrounds } from './grounds.ts'

export interface TraversalBench {
  readonly grounds: Grounds
  /** An address that answers, for what is downloaded. */
  readonly url: string
  /** Says what the call would touch; nothing if it is refused. */
  resolve(tool: string, args: JsonObject): Promise<Resolution | undefined>
  /** Seals and executes what was resolved. The world may be changed when all has been verified, just before the act. */
  execute(tool: string, args: JsonObject, resolution: Resolution, change?: () => void): Promise<ExecuteReply>
  close(): Promise<void>
}

export async function openBench(): Promise<TraversalBench> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('downloaded'))
  })
  const port = await listen(server)
  const grounds = await openGrounds({ allowPrivate: [{ host: '127.0.0.1', port }] })
  const { host } = grounds
  let change: (() => void) | undefined
  const executor = await openExecutor(host.options, {
    checks: {
      ...permitChecks,
      async resolution(inHand) {
        const reason = await permitChecks.resolution(inHand)
        change?.()
        return reason
      },
    },
  })
  if (executor.sandbox.kind === 'unavailable') throw new Error(executor.sandbox.reason)
  executor.setWorld(host.world)
  return {
    grounds,
    url: `http://127.0.0.1:${port}/file`,
    resolve: (tool, args) => resolved(executor, grounds, tool, args),
    async execute(tool, args, resolution, turn) {
      const permit = pressResolved(host, { tool, args }, resolution)
      change = turn
      try {
        return await executor.execute(permit, new AbortController().signal)
      } finally {
        change = undefined
      }
    },
    async close() {
      await executor.close()
      await grounds.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function resolved(
  executor: Executor,
  { host }: Grounds,
  tool: string,
  args: JsonObject,
): Promise<Resolution | undefined> {
  const parsed = host.catalogue.find(tool)?.parse(args)
  if (!parsed) throw new Error(`no tool ${tool}`)
  if (parsed.kind === 'invalid') return undefined
  const reply = await executor.resolve(tool, canonicalText(parsed.args))
  if (reply.kind === 'unavailable') throw new Error(`${tool}: ${reply.reason}`)
  return reply.kind === 'resolved' ? reply.resolution : undefined
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}
