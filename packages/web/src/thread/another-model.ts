/** Owns letting another model answer while one is still silent: the run is stopped, and its message is sent once more. */
import type { Client } from '@countersign/contract/client'

export interface AnotherModelPorts {
  readonly client: Pick<Client, 'stopRun' | 'run' | 'retryRun'>
  readonly wait: (ms: number) => Promise<void>
  /** What is said where the run does not end. */
  readonly stillRuns: string
}

const lookEveryMs = 150
const mostLooks = 100

export async function answerByAnother(ports: AnotherModelPorts, run: string, model: string): Promise<void> {
  const { client, wait } = ports
  await client.stopRun(run)
  for (let look = 0; (await client.run(run)).run.state !== 'stopped'; look += 1) {
    if (look === mostLooks) throw new Error(ports.stillRuns)
    await wait(lookEveryMs)
  }
  await client.retryRun(run, { model })
}
