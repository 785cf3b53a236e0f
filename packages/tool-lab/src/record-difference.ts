/** Compares what `effects` said of a call on records with what the call did to them. Pure. */
import type { RecordResource } from '@countersign/contract'
import type { EffectsResult } from '@countersign/tools'
import type { Difference } from './difference.ts'
import type { RecordUse } from './scratch-records.ts'

export function recordDifferenceOf(
  { resources, effects }: Pick<Extract<EffectsResult, { kind: 'found' }>, 'resources' | 'effects'>,
  uses: readonly RecordUse[],
): Difference {
  const named = resources.filter((resource): resource is RecordResource => resource.type === 'record')
  const problems = new Map<string, string>()
  const notes = new Set<string>()
  for (const use of uses) {
    const what =
      use.id === '*' ? use.collection : `${use.isNew ? 'a new record' : use.id} of ${use.collection}`
    const isBound = named.some((resource) => covers(resource, use))
    if (use.op === 'read' || use.op === 'list') {
      if (!named.some(({ collection }) => collection === use.collection))
        notes.add(`It looked at ${use.collection}, which effects does not name.`)
    } else if (!isBound) problems.set(`${words[use.op]} ${what}, which effects does not name`, nameIt(use))
    else if (!effects.some(({ verb }) => verb === use.op || verb === 'write'))
      problems.set(`${words[use.op]} ${what}, which only its resources name`, tellIt(use))
  }
  for (const { op, collection, id } of named)
    if (
      (op === 'write' || op === 'delete') &&
      !uses.some((use) => use.op === op && use.collection === collection)
    )
      notes.add(`It names a ${op} of ${id} of ${collection} that did not happen.`)
  return {
    problems: [...problems].map(([sentence, fix]) => ({ sentence, fix })),
    notes: [...notes],
  }
}

const words = { write: 'wrote', delete: 'deleted' } as const

function nameIt({ collection, op }: RecordUse): string {
  return `Give a resource with the collection \`${collection}\` and the op \`${op}\`, and an effect that says so.`
}

function tellIt({ op }: RecordUse): string {
  return `Add an effect with the verb \`${op}\`: the tier and the card come from effects, not from resources.`
}

/** A record that is not there yet is named `new`, and all of a collection `*`. */
function covers({ collection, id, op }: RecordResource, use: RecordUse): boolean {
  if (collection !== use.collection || op !== use.op) return false
  return id === use.id || id === '*' || (use.isNew && id === 'new')
}
