/**
 * Owns what the scenarios of the assistant share: an installation whose gateway is killed and started again, a look at what the
 * model was asked, and waiting for what comes by itself.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunDetail, SessionDetail, SessionId } from '@countersign/contract'
import {
  type GatewayProcess,
  type Installation,
  type InstallationOptions,
  openInstallation,
} from '@countersign/harness'
import type { Script, ScriptTurn } from '@countersign/model-servers'
import { vi } from 'vitest'

export interface AssistantScenario {
  readonly installation: Installation
  /** What the model was asked, the oldest first. */
  readonly asked: ScriptTurn[]
  gateway(): GatewayProcess
  client(): GatewayProcess['client']
  start(): Promise<void>
  kill(): Promise<void>
  /** Ends the process the hard way and starts another on the same home. */
  killAndStart(): Promise<void>
  say(text: string, to?: { session?: SessionId; goal?: string }): Promise<{ session: SessionId; run: string }>
  /** Waits until a session has so many runs, all of which have ended. */
  settledSession(session: string, runs: number): Promise<SessionDetail>
  /** Waits until a session has a run that waits for the operator. */
  parkedIn(session: string): Promise<RunDetail>
  /** The lines of a file of the workspace. */
  linesOf(name: string): string[]
  close(): Promise<void>
}

const patience = { timeout: 30_000, interval: 40 }

export async function openAssistantScenario(
  script: Script,
  options: Partial<Pick<InstallationOptions, 'passing' | 'environment' | 'wishes'>> = {},
): Promise<AssistantScenario> {
  const asked: ScriptTurn[] = []
  const installation = await openInstallation({
    ...options,
    script: (turn) => {
      asked.push(turn)
      return script(turn)
    },
  })
  mkdirSync(installation.paths.workspace, { recursive: true })
  let gateway: GatewayProcess | undefined
  const running = () => {
    if (!gateway) throw new Error('The gateway does not run.')
    return gateway
  }
  const client = () => running().client
  const start = async () => {
    gateway = await installation.start()
  }
  const kill = async () => {
    await running().kill()
    gateway = undefined
  }
  return {
    installation,
    asked,
    gateway: running,
    client,
    start,
    kill,
    async killAndStart() {
      await kill()
      await start()
    },
    async say(text, { session, goal } = {}) {
      const admitted = await client().send({
        key: crypto.randomUUID(),
        session: session ?? null,
        text,
        mode: 'auto',
        ...(goal === undefined ? {} : { goal }),
      })
      return { session: admitted.session, run: admitted.run ?? '' }
    },
    settledSession: (session, runs) =>
      waitFor(async () => {
        const detail = await client().session(session)
        const ended = detail.runs.filter(({ state }) => state === 'stopped').length
        if (ended < runs || ended < detail.runs.length) throw new Error(JSON.stringify(detail))
        return detail
      }),
    parkedIn: (session) =>
      waitFor(async () => {
        const { runs } = await client().session(session)
        const parked = runs.find(({ state }) => state === 'parked')
        if (!parked) throw new Error(JSON.stringify(runs))
        return client().run(parked.id)
      }),
    linesOf(name) {
      const path = join(installation.paths.workspace, name)
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
    },
    close: () => installation.close(),
  }
}

/** Tries again until it does not throw. */
export function waitFor<T>(look: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(look, patience)
}

/** A promise that the test keeps until the moment has come. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
