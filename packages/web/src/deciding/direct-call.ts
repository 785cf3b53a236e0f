/**
 * Owns a call that the operator makes by hand from a screen: the same door as a model's, waited for until it is over or
 * waits for an approval. Taking it back goes the same way.
 */
import type { RunDetail, RunId } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'

export type DirectOutcome =
  | { readonly kind: 'done'; readonly run: RunId; readonly undoable: boolean }
  | { readonly kind: 'waits'; readonly code: string }

export interface DirectPorts {
  readonly client: Pick<Client, 'callTool' | 'run' | 'undoRun'>
  readonly wait: (ms: number) => Promise<void>
  /** What is said of a call that takes longer than anybody waits here. */
  readonly tooLong: string
}

const lookEveryMs = 120
const mostLooks = 500

export async function callDirectly(
  ports: DirectPorts,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<DirectOutcome> {
  const { run } = await ports.client.callTool(tool, JSON.stringify(args))
  return settled(ports, run)
}

export async function undoDirectly(
  ports: DirectPorts,
  run: string,
  calls?: readonly string[],
): Promise<DirectOutcome> {
  const undoing = await ports.client.undoRun(run, calls)
  return settled(ports, undoing.run)
}

async function settled(ports: DirectPorts, run: RunId): Promise<DirectOutcome> {
  for (let look = 0; look < mostLooks; look += 1) {
    const detail = await ports.client.run(run)
    const outcome = outcomeOf(detail)
    if (outcome !== undefined) return outcome
    await ports.wait(lookEveryMs)
  }
  throw new Error(ports.tooLong)
}

function outcomeOf({ run, calls, approvals }: RunDetail): DirectOutcome | undefined {
  const pending = approvals.find(({ state }) => state === 'pending')
  if (run.state === 'parked' && pending) return { kind: 'waits', code: pending.code }
  if (run.state !== 'stopped') return undefined
  if (run.reason !== 'completed') throw new Error(run.message ?? '')
  return { kind: 'done', run: run.id, undoable: calls.some(({ undoable }) => undoable) }
}
