/**
 * Takes over what a program changed over a view, exactly as it was listed. The product calls it when a program has
 * ended; no model can.
 */
import { canonicalText, changesTaker } from '@countersign/contract'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { headlineOf, heldEffects, wordsOf } from './held-files.ts'
import { HeldSet } from './held-set.ts'

export const takeOverChanges = defineTool({
  name: changesTaker,
  version: '2',
  description: 'Put what a program changed into the workspace.',
  input: HeldSet,
  category: 'files',
  group: 'filesystem',
  tags: ['program', 'changes'],
  effect: 'once',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_workspace',
  describe: headlineOf,
  preview: (held) => ({
    kind: 'text',
    title: 'What the program did. None of it is in the workspace yet; it can be undone afterwards.',
    text: wordsOf(held),
  }),
  async effects(held, inspect) {
    const found = await inspect.held(held.changes)
    if (found.kind === 'refused') return { kind: 'invalid', reason: found.reason }
    // What is shown and judged is what is held, and not what a caller says of it.
    if (canonicalText(found.held) !== canonicalText(held))
      return { kind: 'invalid', reason: 'This is not what the program changed.' }
    return { kind: 'found', resources: found.resources, effects: heldEffects(held) }
  },
  async run({ changes, digest, files, more }, capabilities) {
    const outcome = await capabilities.files.takeHeld({ changes, digest })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const count = files.length + more
    const summary = `Kept ${count === 1 ? 'the change' : `the ${count} changes`} of the program`
    const undo =
      outcome.kept === null ? undefined : { tool: 'restore_workspace', args: { kept: outcome.kept } }
    return succeeded(summary, summary, undo)
  },
})
