/** Finds the attacks: every file of `attacks/` is one, named like it. */
import { readdirSync } from 'node:fs'
import type { Attack } from './attack.ts'

const folder = new URL('./attacks/', import.meta.url)

export async function loadAttacks(): Promise<Attack[]> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted()
  return Promise.all(
    names.map(async (name) => {
      const { attack } = (await import(new URL(`${name}.ts`, folder).href)) as { attack: Attack }
      if (attack.name !== name) throw new Error(`The attack in ${name}.ts is called ${attack.name}.`)
      return attack
    }),
  )
}
