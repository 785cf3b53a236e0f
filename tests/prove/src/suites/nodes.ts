/**
 * Proves that another computer believes the operator and not the gateway: a dishonest gateway composes permits of every
 * tool and kind for a real node, shows it forked ledgers, and the connection to an honest one is cut at the worst
 * moments. What counts is what stands in the folder of the node afterwards. `n` is the number of forged permits; there
 * are up to 200 cuts and 100 ledgers beside them.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runNodes } from './nodes/run.ts'

export const nodes: Suite = {
  name: 'nodes',
  defaultSize: 10_000,
  mutants: [
    'gateways-seal-for-nodes',
    'nodes-take-permits-of-others',
    'nodes-keep-any-ledger',
    'nodes-forget-permits',
    'cut-permits-stay-away',
    'nodes-without-proof',
  ],
  run: (options) =>
    options.mutant === undefined
      ? runNodes(options)
      : runMutant(options, options.mutant, new URL('./nodes/mutant-main.ts', import.meta.url)),
}
