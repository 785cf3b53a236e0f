/** Owns the answer to "how are you": every part of the gateway is tried, in a bounded time, and put in one picture. */
import type { Status } from '@countersign/contract'
import type { ExecutorClient } from '@countersign/executor'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import type { Config } from './config.ts'
import type { DiskUse } from './disk-use.ts'
import type { ModelSettings } from './model-settings/model-settings.ts'
import { referenceWeek } from './onboarding/reference-week.ts'
import type { RequestSender } from './server/request-sender.ts'
import type { Server } from './server/server.ts'
import { version } from './version.ts'
import { withinTime } from './within-time.ts'

export function createStatus(parts: {
  readonly config: Config
  readonly kernel: Kernel
  readonly views: Pick<Views, 'counts'>
  readonly executor: Pick<ExecutorClient, 'pid' | 'ready' | 'resolve'>
  readonly modelSettings: Pick<ModelSettings, 'reach'>
  readonly pushes: () => Promise<number>
  readonly disk: () => Promise<DiskUse>
  readonly startedAt: Date
}): (speaker: RequestSender, server: Pick<Server, 'url' | 'clients'>) => Promise<Status> {
  const { config, kernel, views, executor, modelSettings, startedAt } = parts
  return async ({ operator }, { url, clients }) => {
    const [counted, model, answers, writable, push, disk] = await Promise.all([
      withinTime(views.counts(operator)),
      withinTime(modelSettings.reach()),
      withinTime(executor.resolve([])),
      withinTime(kernel.writable(operator)),
      withinTime(parts.pushes()),
      withinTime(parts.disk()),
    ])
    const counts = 'value' in counted ? counted.value : undefined
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
      policy: counts?.policy_hash ?? '',
      asked: referenceWeek.per100,
      paused: counts?.paused_at ? { at: counts.paused_at.toISOString(), by: counts.paused_by ?? '' } : null,
      held: counts?.held_at ? { at: counts.held_at.toISOString(), because: counts.held_because ?? '' } : null,
      database: {
        mode: config.databaseUrl ? 'external' : 'embedded',
        ok: counts !== undefined,
        problem: 'problem' in counted ? counted.problem : null,
      },
      executor: {
        ok: 'value' in answers && answers.value.kind === 'resolved',
        pid: executor.pid() ?? null,
        sandbox: sandbox.kind === 'available' ? sandbox.name : `unavailable: ${sandbox.reason}`,
      },
      model: 'value' in model ? model.value : unknownModel(model.problem),
      ledger: {
        size: counts?.ledger_size ?? 0,
        signed: counts?.signed ?? 0,
        writable: 'value' in writable && writable.value,
        alarm: counts?.ledger_alarm_at != null,
      },
      runs: { running: counts?.running ?? 0, parked: counts?.parked ?? 0, queued: counts?.queued ?? 0 },
      pending: { approvals: counts?.approvals ?? 0, questions: counts?.questions ?? 0 },
      seq: counts?.event_seq ?? 0,
      clients: clients(),
      push: 'value' in push ? push.value : 0,
      disk: 'value' in disk ? disk.value : nothingKnown,
    }
  }
}

const nothingKnown: DiskUse = {
  free: 0,
  database: 0,
  events: 0,
  details: 0,
  ledger: 0,
  workspace: 0,
  executor: 0,
  logs: 0,
}

function unknownModel(problem: string): Status['model'] {
  return { provider: 'none', model: 'unknown', ok: false, state: 'failing', since: null, problem }
}
