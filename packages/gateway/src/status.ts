/** Owns the answer to "how are you": every part of the gateway in one picture. */
import type { Status } from '@countersign/contract'
import type { ExecutorClient } from '@countersign/executor'
import type { Kernel } from '@countersign/kernel'
import { partsOf } from '@countersign/models'
import type { Views } from '@countersign/views'
import type { Config } from './config.ts'
import type { Speaker } from './server/auth.ts'
import type { Server } from './server/server.ts'
import { version } from './version.ts'
import type { Voice } from './voice/voice.ts'

export function createStatus(parts: {
  readonly config: Config
  readonly kernel: Kernel
  readonly views: Pick<Views, 'counts'>
  readonly executor: Pick<ExecutorClient, 'pid' | 'ready'>
  readonly voice: Pick<Voice, 'next'>
  readonly startedAt: Date
}): (speaker: Speaker, server: Pick<Server, 'url' | 'clients'>) => Promise<Status> {
  const { config, kernel, views, executor, voice, startedAt } = parts
  return async ({ operator }, { url, clients }) => {
    const counts = await views.counts(operator)
    const { sandbox } = executor.ready()
    return {
      version,
      gateway: kernel.gateway,
      operator,
      pid: process.pid,
      url,
      startedAt: startedAt.toISOString(),
      slot: kernel.slot,
      autonomy: kernel.policies.current().autonomy,
      policy: counts.policy_hash ?? '',
      paused: counts.paused_at ? { at: counts.paused_at.toISOString(), by: counts.paused_by ?? '' } : null,
      held: counts.held_at ? { at: counts.held_at.toISOString(), because: counts.held_because ?? '' } : null,
      database: { mode: config.databaseUrl ? 'external' : 'embedded', ok: true },
      executor: {
        ok: executor.pid() !== undefined,
        pid: executor.pid() ?? null,
        sandbox: sandbox.kind === 'available' ? sandbox.name : `unavailable: ${sandbox.reason}`,
      },
      model: modelOf(await voice.next('chat')),
      ledger: {
        size: counts.ledger_size,
        signed: counts.signed,
        writable: await kernel.writable(operator),
      },
      runs: { running: counts.running, parked: counts.parked, queued: counts.queued },
      pending: { approvals: counts.approvals, questions: counts.questions },
      seq: counts.event_seq,
      clients: clients(),
    }
  }
}

function modelOf({ next, problem }: Awaited<ReturnType<Voice['next']>>): Status['model'] {
  if (next === null) return { provider: 'none', model: problem ?? 'none', ok: false }
  return { ...partsOf(next), ok: true }
}
