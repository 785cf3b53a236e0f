/** Owns the setting of a bench: an installation with a running gateway, and the scripted model in a process of its own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import { type ProcessGroup, processGroup } from './processes.ts'
import type { ModelAnswer, ModelQuestion } from './side/model.ts'
import { startSideProcess } from './side-process.ts'

export interface BenchInstallation {
  readonly installation: Installation
  readonly gateway: GatewayProcess
  readonly processes: Readonly<Record<'gateway' | 'executor' | 'postgres' | 'model', ProcessGroup>>
  /** Bytes of the newest requests that the model got, oldest first. */
  requestBytes(): Promise<readonly number[]>
  close(): Promise<void>
}

/** From our sources, unless the file of another gateway is named. */
export async function openBenchInstallation(gatewayMain?: string): Promise<BenchInstallation> {
  const model = startSideProcess<{ question: ModelQuestion }, ModelAnswer>('model.ts')
  const started = await model.ask({ question: 'start' })
  if (!('url' in started)) throw new Error('The scripted model did not start.')
  const installation = await openInstallation({
    script: () => ({ status: 500 }),
    ...(gatewayMain === undefined ? {} : { gatewayMain }),
    // The leanest of the provider packages, so that the model costs the gateway little.
    environment: { COUNTERSIGN_MODEL_URL: `${started.url}/v1`, COUNTERSIGN_MODEL_PROVIDER: 'openai' },
  })
  const close = async () => {
    await installation.close()
    await model.close()
  }
  try {
    furnish(installation.paths.workspace)
    const gateway = await installation.start()
    const status = await gateway.client.status()
    const postmaster = installation.databasePid() ?? 0
    const executor = status.executor.pid ?? 0
    return {
      installation,
      gateway,
      processes: {
        gateway: processGroup(gateway.pid, () => [executor, postmaster]),
        executor: processGroup(executor),
        postgres: processGroup(postmaster),
        model: processGroup(model.pid),
      },
      async requestBytes() {
        const answer = await model.ask({ question: 'requestBytes' })
        return 'bytes' in answer ? answer.bytes : []
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The small files and folders that the scripted model looks at. */
function furnish(workspace: string): void {
  for (let index = 0; index < 10; index += 1) {
    const folder = join(workspace, `folder-${index}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'inside.txt'), 'inside\n')
    writeFileSync(join(workspace, `note-${index}.txt`), `This is note ${index}.\n`)
  }
}
