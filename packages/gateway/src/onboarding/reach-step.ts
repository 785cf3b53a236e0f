/** Owns what is said of where a decision can reach the operator. Nothing is set up here; each way has its own place. */
import type { SetupStepHandler } from './setup-step.ts'

export interface ReachStepParts {
  /** Whether a browser of the operator takes push messages. */
  readonly hasPush: () => Promise<boolean>
}

export function reachStep({ hasPush }: ReachStepParts): SetupStepHandler<'reach'> {
  return {
    title: 'Reach me',
    about: 'Where a card finds you while you do something else.',
    skippable: true,
    async look() {
      const pushed = await hasPush()
      return {
        data: {
          ways: [
            {
              id: 'push',
              title: 'Push to this browser or phone',
              state: pushed ? 'ready' : 'browser',
              about:
                'A notification with the headline and nothing else. Allowed in the browser, once for each device.',
              approves: 'Opens the card. T3 needs a device that you trust with it.',
            },
            {
              id: 'terminal',
              title: 'Terminal',
              state: 'ready',
              about: '`countersign approval watch` shows what waits and takes your decision.',
              approves: 'Up to T3. T4 needs a passkey.',
            },
          ],
        },
      }
    },
    answer: async () => ({ done: true }),
  }
}
