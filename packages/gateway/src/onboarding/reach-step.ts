/**
 * The step in which a message reaches the operator. Each way is set up where it belongs; here it is only said that one
 * arrived. Refuses to believe that of what nothing was sent to.
 */
import {
  CountersignError,
  type DeliveryView,
  type JsonObject,
  type OperatorId,
  ReachedPlace,
} from '@countersign/contract'
import type { SetupStepHandler } from './setup-step.ts'

export interface ReachStepParts {
  /** Whether a browser of the operator takes push messages. */
  readonly hasPush: () => Promise<boolean>
  /** What was sent in a channel; refuses one that is not there. */
  readonly deliveries: (operator: OperatorId, channel: string) => Promise<readonly DeliveryView[]>
}

export function reachStep({ hasPush, deliveries }: ReachStepParts): SetupStepHandler<'reach'> {
  async function requireSent(operator: OperatorId, place: ReachedPlace): Promise<void> {
    if (place.kind === 'push') {
      if (await hasPush()) return
      throw new CountersignError('usage', 'No browser takes notifications yet.', {
        next: 'Turn them on in the browser where you want them, and send a test there.',
      })
    }
    const sent = await deliveries(operator, place.name)
    if (sent.some(({ kind, state }) => kind === 'test' && (state === 'sent' || state === 'unknown'))) return
    throw new CountersignError('usage', `No test line was sent in ${place.name} yet.`, {
      next: `Send one with \`countersign channel test ${place.name}\`.`,
    })
  }

  return {
    skippable: true,
    async look(_operator, { notes }, { reach }) {
      const pushed = await hasPush()
      return {
        data: {
          ways: [
            { id: 'push', state: pushed ? 'ready' : 'browser', ...reach.push },
            { id: 'terminal', state: 'ready', command: 'countersign approval watch', ...reach.terminal },
          ],
          arrived: arrivedIn(notes),
        },
      }
    },
    async answer({ operator }, { arrived }) {
      if (arrived === undefined) return { done: true }
      await requireSent(operator, arrived)
      return { done: true, notes: { arrived } }
    },
  }
}

function arrivedIn(notes: JsonObject): ReachedPlace | null {
  const kept = ReachedPlace.safeParse(notes['arrived'])
  return kept.success ? kept.data : null
}
