/** Removes a skill with its files. What it did stays in the ledger. Called by hand. */
import { SkillName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, skillNamed } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect } from '../servers/server-effects.ts'

export const removeSkill = defineTool({
  name: 'remove_skill',
  version: '1',
  description: 'Remove a skill that was let in, with its files.',
  input: z.strictObject({ name: SkillName }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'uninstall'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name }) => `Remove the skill ${name}`,
  preview: ({ name }) => ({ kind: 'text', title: 'Remove a skill', text: `${name}, with all its files` }),
  async effects({ name }, inspect) {
    const installed = inspect.extensions()
    if (!skillNamed(installed, name)) return { kind: 'invalid', reason: `There is no skill ${name}.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'skill', name, op: 'remove' })],
      effects: [entryEffect('delete', `the skill ${name} and its files`, false)],
    }
  },
  async run({ name }, { extensions }) {
    const outcome = await extensions.remove('skill', name)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The skill ${name} is removed`
    return succeeded(`${summary}. Nothing of it is left.`, summary)
  },
})
