import { builtinTools } from '@countersign/tools'
import { describe, expect, it } from 'vitest'
import { declaredFound } from '../declared.ts'
import { type Part, readCorpus } from './corpus.ts'
import type { LabelledCall } from './labelled-call.ts'
import { createWorld, findIn, idsIn } from './world.ts'

const corpus = readCorpus()
/** What takes more of a world than the tests have: written down as their definitions say it. */
const written = new Set(['get_task_history', 'update_scheduled_task'])

describe.each(['week', 'holdout'] as const)('what the calls of the %s do', (name) => {
  const part: Part = corpus[name]
  const ofCatalogue = part.calls.filter(({ tool }) => builtinTools.some((one) => one.name === tool))

  it('is what the definitions of their tools say', async () => {
    const world = await createWorld(part.person, [...new Set(part.calls.flatMap(({ args }) => idsIn(args)))])
    const computed = ofCatalogue.filter(({ tool }) => !written.has(tool))
    for (const call of computed) {
      const found = await findIn(world, call.tool, call.args)
      const says = found?.kind === 'found' ? found : { effects: [], resources: [] }
      expect(shapeOf(says), `${call.id} ${call.tool}`).toEqual(shapeOf(call))
      expect(found?.kind === 'found', `${call.id} ${call.tool}`).toBe(call.refused === null)
    }
    expect(ofCatalogue.length - computed.length).toBeLessThanOrEqual(2)
  })

  it('is what was declared, where there is no definition yet', () => {
    for (const call of part.calls) {
      const declared = corpus.declared.find((tool) => tool.name === call.tool)
      if (declared) expect(shapeOf(declaredFound(declared, call.args)), call.id).toEqual(shapeOf(call))
    }
  })
})

function shapeOf({
  effects,
  resources,
}: {
  effects: LabelledCall['effects'] | readonly LabelledCall['effects'][number][]
  resources: readonly LabelledCall['resources'][number][]
}) {
  return {
    effects: effects.map(({ verb, scope, reversible, outward, leaves }) => ({
      verb,
      scope,
      reversible,
      outward,
      leaves: leaves.length > 0,
    })),
    resources: resources.map((resource) =>
      resource.type === 'exec'
        ? `exec ${resource.uninspectable}`
        : resource.type === 'url'
          ? `url with ${resource.carries}`
          : resource.type,
    ),
  }
}
