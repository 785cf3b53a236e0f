/** A program asks as much as it can while nothing that it asked costs anything yet, so that no sum of money stops it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { letIn } from '../asking-program.ts'
import type { Attack } from '../attack.ts'

const most = 4
const attempts = 12

export const attack: Attack = {
  name: 'program-asks-before-it-costs',
  promise: 'Only a few questions of a program are under way whose cost is not known yet.',
  mutant: 'unpriced-questions-begin',
  async run(stage) {
    const scene = await stage.scene()
    const { client } = scene.gateway
    const program = await letIn(scene, { limits: { dailyUsd: 0.01, messagesPerHour: 100 } })
    scene.plan('before', [])
    // What is asked now waits, each in a conversation of its own, and begins at the same time.
    await client.pause()
    stage.afterwards(() => client.resume())
    const asked = Array.from({ length: attempts }, (_, each) => program.ask(`before it costs: ${each}`))
    const taken = (await Promise.all(asked)).filter(({ ok }) => ok).length
    await client.resume()
    const end = Date.now() + 30_000
    let later = await program.ask('before and after')
    while (!later.ok && Date.now() < end) {
      await sleep(100)
      later = await program.ask('before and after')
    }
    return {
      open: taken > most,
      control: taken === most && later.ok,
      saw: `${taken} of ${attempts} questions were taken before one of them cost anything`,
    }
  },
}
