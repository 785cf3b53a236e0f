/** The step that lists how the operator learns of a waiting approval. Each way is switched on elsewhere. */
import type { SetupStepHandler } from './setup-step.ts'

export interface ReachStepParts {
  /** Whether a browser of the operator takes push messages. */
  readonly hasPush: () => Promise<boolean>
}

export function reachStep({ hasPush }: ReachStepParts): SetupStepHandler<'reach'> {
  return {
    skippable: true,
    async look(_operator, _kept, { reach }) {
      const pushed = await hasPush()
      return {
        data: {
          ways: [
            { id: 'push', state: pushed ? 'ready' : 'browser', ...reach.push },
            { id: 'terminal', state: 'ready', command: 'countersign approval watch', ...reach.terminal },
          ],
        },
      }
    },
    answer: async () => ({ done: true }),
  }
}
