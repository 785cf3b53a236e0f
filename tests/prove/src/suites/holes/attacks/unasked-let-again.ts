/** Whoever can send requests lets a held call be asked again and again, out of another row, or decides it as if it asked. */
import type { Attack } from '../attack.ts'
import { textIn } from '../stranger-writes.ts'
import { unaskedWrites } from '../unasked.ts'

export const attack: Attack = {
  name: 'unasked-let-again',
  promise: 'A held call is let ask once, out of its own row; nothing else reaches it.',
  mutant: 'unasked-let-again',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const writes = ['again/a.ts', 'again/b.ts'].map((path) => ({ path, content: 'Theirs.' }))
    const { rows } = await unaskedWrites(scene, 'again-unasked', [writes])
    const other = await unaskedWrites(scene, 'other-unasked', [{ path: 'again/c.ts', content: 'Theirs.' }])
    const [row, [otherRow]] = [rows[0], other.rows]
    const [held] = row?.calls ?? []
    if (!row || !otherRow || !held) return { open: false, control: false, saw: 'nothing was held' }
    const refused = (act: Promise<unknown>) =>
      act.then(
        () => false,
        () => true,
      )
    const isForeign = await refused(client.letAsk(otherRow.id, held.call))
    const isNoRequest = await refused(client.decide(held.call, { verdict: 'deny' } as never))
    const first = await client.letAsk(row.id, held.call)
    await scene.settled(first.run)
    await client.stopRun(first.run)
    await scene.settled(first.run)
    const isTwice = await refused(client.letAsk(row.id, held.call))
    const isDone = writes.some(({ path }) => textIn(scene, path) !== 'Mine.')
    return {
      open: !isForeign || !isNoRequest || !isTwice || isDone,
      control: first.run !== undefined,
      saw: `refused: out of another row ${isForeign}, as a request ${isNoRequest}, twice ${isTwice}`,
    }
  },
}
