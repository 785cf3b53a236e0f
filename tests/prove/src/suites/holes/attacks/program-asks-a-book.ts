/** A program with little money asks a question as long as a whole body, which is paid for by the letter. */
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const longest = 100_000

export const attack: Attack = {
  name: 'program-asks-a-book',
  promise: 'One question of a program is no longer than what is asked by the other protocol.',
  mutant: 'questions-of-any-length',
  async run(stage) {
    const scene = await stage.scene()
    const program = await letIn(scene, { limits: { dailyUsd: 0.01 } })
    const word = 'of-a-book'
    scene.plan(word, [])
    const ask = (length: number) => program.ask(`${word} ${'x'.repeat(length - word.length - 1)}`)
    const long = await ask(longest)
    const longer = await ask(longest * 9)
    return {
      open: longer.ok || scene.shown(word).length > 2 * longest,
      control: long.ok,
      saw: `${longest} characters were answered with ${long.status}, and nine times as many with ${longer.status}`,
    }
  },
}
