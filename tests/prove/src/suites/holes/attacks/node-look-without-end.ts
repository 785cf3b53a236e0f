/** A node that was taken over says megabytes of every call: as a reason, in the summary, and as what it would touch. */
import type { Attack } from '../attack.ts'
import { doneWith, lookOf, nodeOf, readOn, type TakenOver } from '../node-taken-over.ts'
import type { Scene } from '../stage.ts'

const much = 'more '.repeat(400_000)
const most = 20_000
const effect = {
  verb: 'read' as const,
  object: 'a file of which there are many',
  scope: 'inside' as const,
  reversible: true,
  outward: false,
  leaves: [],
}
const ways: Readonly<Record<string, TakenOver>> = {
  reason: { look: () => ({ kind: 'invalid', reason: much }) },
  refusal: { run: { kind: 'refused', reason: much } },
  summary: { run: doneWith({ result: { ok: true, text: 'the notes', summary: much, undo: null } }) },
  effects: {
    look: (node) =>
      lookOf(
        node,
        Array.from({ length: 10_000 }, () => effect),
      ),
  },
  plain: {},
}

export const attack: Attack = {
  name: 'node-look-without-end',
  promise: 'What a node says of a call is bounded: it fills neither the ledger nor what people read.',
  mutant: 'nodes-say-everything',
  async run(stage) {
    const scene = await stage.scene()
    const sizes: Record<string, number> = {}
    for (const [way, answers] of Object.entries(ways)) {
      const owned = await nodeOf(scene, stage, `says ${way}`, { run: doneWith({}), ...answers })
      await owned.connect()
      scene.plan(`node-says-${way}`, [[readOn(`says ${way}`)]])
      const run = await scene.run(`node-says-${way}`)
      sizes[way] = await largestEntryOf(scene, run.id)
    }
    const { plain = 0, ...hostile } = sizes
    return {
      open: Object.values(hostile).some((size) => size > most),
      control: plain > 0 && plain < most,
      saw: `the largest entries of the ledger: ${JSON.stringify(sizes)}`,
    }
  },
}

async function largestEntryOf({ gateway: { client } }: Scene, run: string): Promise<number> {
  const { entries } = await client.ledger({ q: `run:${run}`, limit: 100 } as never)
  return Math.max(0, ...entries.map((entry) => JSON.stringify(entry).length))
}
