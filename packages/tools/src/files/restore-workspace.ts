/** Takes back all that a program changed in the workspace, from what the executor kept. Not offered to models. */
import type { Effect } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { changeEffect } from './file-effects.ts'

export const restoreWorkspace = defineTool({
  name: 'restore_workspace',
  version: '1',
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
    return { kind: 'found', resources: found.resources, effects: effectsOn(found.paths) }
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

const mostTold = 20

/** What programs of the host run is told by its name, and so are the first of the others. */
function effectsOn(paths: readonly string[]): Effect[] {
  const all = paths.map((path) => changeEffect('write', { inspection: { path, besideHead: false } }, true))
  const risky = all.filter(({ scope }) => scope !== 'inside')
  const plain = all.filter(({ scope }) => scope === 'inside')
  const told = [...risky, ...plain].slice(0, mostTold)
  const more = paths.length - told.length
  const [first] = told
  return first && more > 0 ? [...told, { ...first, object: `${more} more files and folders` }] : told
}
