/** A node that was taken over says that it did the call in a year that no database knows. */
import type { Attack } from '../attack.ts'
import { doneWith, nodeOf, readOn } from '../node-taken-over.ts'

export const attack: Attack = {
  name: 'node-answers-at-no-time',
  promise: 'Whatever a node answers, its call ends and is recorded, and so is what ran beside it.',
  mutant: 'nodes-tell-the-time',
  async run(stage) {
    const scene = await stage.scene()
    const ends: Record<string, string> = {}
    const times = { late: '+275760-09-12T00:00:00.000Z', early: '-000001-01-01T00:00:00.000Z' }
    for (const [name, startedAt] of Object.entries({ ...times, now: new Date().toISOString() })) {
      const owned = await nodeOf(scene, stage, `clock ${name}`, { run: doneWith({ startedAt }) })
      await owned.connect()
      scene.plan(`node-clock-${name}`, [[readOn(`clock ${name}`)]])
      const { detail } = await scene.run(`node-clock-${name}`)
      ends[name] = `${detail.run.reason}, ${detail.calls[0]?.outcome ?? 'no outcome'}`
    }
    const { now, ...strange } = ends
    return {
      open: Object.values(strange).some((end) => end !== 'completed, ok'),
      control: now === 'completed, ok',
      saw: JSON.stringify(ends),
    }
  },
}
