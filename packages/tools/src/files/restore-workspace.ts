/** Takes back all that a program changed in the workspace, from what the executor kept. Not offered to models. */
import type { Effect } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { changeEffect, toldEffects } from './file-effects.ts'

export const restoreWorkspace = defineTool({
  name: 'restore_workspace',
  version: '2',
  description: 'Put back what a program changed in the workspace.',
  input: z.strictObject({ kept: z.string().regex(/^[0-9a-f]{32}$/) }),
  category: 'files',
  group: 'filesystem',
  tags: ['undo', 'revert'],
  effect: 'once',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  hidden: true,
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_workspace',
  describe: () => 'Put back what a program changed',
  preview: ({ kept }) => ({ kind: 'text', title: 'Put back what a program changed', text: kept }),
  async effects({ kept }, inspect) {
    const found = await inspect.kept(kept)
    if (found.kind === 'refused') return { kind: 'invalid', reason: found.reason }
    return {
      kind: 'found',
      resources: found.resources,
      effects: toldEffects(found.paths.map(effectOn), found.paths.length),
    }
  },
  async run({ kept }, capabilities) {
    const outcome = await capabilities.files.restoreKept(kept)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = 'Put back what a program changed'
    const redo =
      outcome.kept === null ? undefined : { tool: 'restore_workspace', args: { kept: outcome.kept } }
    return succeeded(summary, summary, redo)
  },
})

function effectOn(path: string): Effect {
  return changeEffect('write', { inspection: { path, besideHead: false } }, true)
}
