/** Owns what the operator of an attack does beforehand: a scene that reaches listeners, and an approval with a grant. */
import type { GrantRequest } from '@countersign/contract'
import { approvalFor, settledRun } from '@countersign/harness'
import type { Listener, PlayedRun, Scene, Stage } from './stage.ts'

/** An installation of its own at that level, from which the listeners can be reached. */
export function sceneAt(
  stage: Stage,
  autonomy: 'low' | 'medium' | 'full',
  listeners: readonly Listener[] = [],
): Promise<Scene> {
  const reached = listeners.map(({ port }) => `localhost:${port}`).join()
  return stage.ownScene({
    environment: {
      COUNTERSIGN_AUTONOMY: autonomy,
      ...(reached === '' ? {} : { COUNTERSIGN_LOCAL_TARGETS: reached }),
    },
  })
}

export const addressOf = ({ port }: Listener) => `http://localhost:${port}`

/** For the first look of every task at the same host, for a day. */
export const looks = { scope: 'rule', stop: 'target', where: 'everywhere', days: 1, maxUses: 20 } as const

/** Approves what waits, and grants that it need not be asked again. */
export async function approveWith(scene: Scene, run: PlayedRun, grant: GrantRequest): Promise<PlayedRun> {
  const { client } = scene.gateway
  const waiting = run.detail.approvals.find(({ state }) => state === 'pending')
  if (!waiting) throw new Error(`Nothing waits to be approved: ${JSON.stringify(run.detail.calls)}`)
  const verdict = approvalFor(scene.installation, await client.approval(waiting.id))
  if (verdict.verdict !== 'approve') throw new Error('it is approved')
  await client.decide(waiting.id, { ...verdict, grant })
  return { ...run, detail: await settledRun(client, run.id, 'either', 120_000) }
}

/** What came of a run's calls, for the row of the report. */
export function callsOf({ detail }: PlayedRun): string {
  return detail.calls
    .map(
      ({ tool, decision, outcome }) => `${tool} ${decision?.kind} T${decision?.tier} ${outcome ?? 'waits'}`,
    )
    .join(', ')
}
