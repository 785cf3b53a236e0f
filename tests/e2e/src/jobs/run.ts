/** Owns a working day: one installation, three hands, and every job done by each of them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openScene } from '../scene.ts'
import { enterAs, type HandName, type Person } from './hands.ts'
import { type Job, type World, worldOf } from './job.ts'
import { jobScript } from './script.ts'

export interface WorkingDay {
  /** Does the job. Throws when it could not be done. */
  does(name: HandName, job: Job): Promise<void>
  close(): Promise<void>
}

export async function openDay(): Promise<WorkingDay> {
  const scene = await openScene({ script: jobScript })
  // Automations may cost something.
  await scene.gateway.client.setBudget({ scope: 'unattended', limitUsd: 5 })
  const people = new Map<HandName, Promise<{ readonly person: Person; readonly world: World }>>()
  const enter = async (name: HandName) => ({
    person: await enterAs(scene, name),
    world: worldOf(scene, name),
  })
  return {
    async does(name, job) {
      const entering = people.get(name) ?? enter(name)
      people.set(name, entering)
      const { person, world } = await entering
      try {
        await job.doneBy(person, world)
      } catch (error) {
        await picture(person, `${job.title}-${name}`)
        throw error
      }
    },
    close: () => scene.close(),
  }
}

/** For whoever looks at why it could not be done. */
async function picture({ hand }: Person, name: string): Promise<void> {
  const folder = process.env['COUNTERSIGN_E2E_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await hand.page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) })
}
