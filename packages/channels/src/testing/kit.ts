/**
 * Owns how the cases are put to an adapter outside of our own tests: to that of an author, against the author's scripted
 * platform. A platform that lacks something without saying so fails, so that no case vanishes unseen.
 */
import { type Ability, abilitiesOf, missingFrom, type Without } from './conformance/abilities.ts'
import type { Case } from './conformance/case.ts'
import { registerCases } from './conformance/cases.ts'
import { createScene, type Scene } from './conformance/scene.ts'
import type { TestPlatform } from './platform.ts'
import type { AnyAdapter } from './test-gateway.ts'

export type { Without } from './conformance/abilities.ts'
export type * from './platform.ts'

export interface CaseProblem {
  readonly title: string
  readonly problem: string
}

export interface KitReport {
  /** How many cases were put to it. */
  readonly cases: number
  /** How many need what this platform has not. */
  readonly left: number
  readonly problems: readonly CaseProblem[]
}

export interface KitRequest {
  readonly adapter: AnyAdapter
  readonly platform: TestPlatform
  readonly without?: Without
  /** How long something may take to come. */
  readonly patienceMs?: number
  readonly tell?: (done: number, of: number) => void
}

interface Listed {
  readonly needs: readonly Ability[]
  readonly title: string
  readonly body: (scene: Scene) => Promise<void>
}

/** Closes the platform. Rejects only where the channel does not even connect. */
export async function runCases(request: KitRequest): Promise<KitReport> {
  const { adapter, platform, without = {}, patienceMs, tell } = request
  const abilities = abilitiesOf(adapter.manifest, without, false)
  const all: Listed[] = []
  const list: Case = (needs, title, body) => all.push({ needs, title, body })
  registerCases(list)
  const possible = all.filter(({ needs }) => needs.every((ability) => abilities.has(ability)))
  const problems = missingFrom(platform, abilities).map((ability) => ({
    title: 'is asked about everything that it can do',
    problem: `The scripted platform cannot do ${ability}, and \`without\` does not say why.`,
  }))
  const scene = await createScene(adapter, platform, patienceMs)
  for (const [index, { title, body }] of possible.entries()) {
    tell?.(index, possible.length)
    const problem = await problemOf(() => body(scene))
    const after = await problemOf(() => scene.calm())
    for (const each of [problem, after]) if (each !== undefined) problems.push({ title, problem: each })
    if (after !== undefined) break
  }
  await scene.close()
  return { cases: possible.length, left: all.length - possible.length, problems }
}

async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 600)
  }
}
