/** Removes what an agent wrote as a skill and nobody reviewed, with its files. What has its name stays. Called by hand. */
import { SkillName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, proposalNamed } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect } from '../servers/server-effects.ts'

export const removeProposedSkill = defineTool({
  name: 'remove_proposed_skill',
  version: '1',
  description: 'Remove a skill that an agent wrote and that waits for a review, with its files.',
  input: z.strictObject({ name: SkillName }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'discard', 'reject'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name }) => `Remove the skill ${name}, which waits for a review`,
  preview: ({ name }) => ({
    kind: 'text',
    title: 'Remove a skill that an agent wrote',
    text: `${name}, with all its files. A skill of this name that you let in stays as it is.`,
  }),
  async effects({ name }, inspect) {
    const installed = inspect.extensions()
    if (!proposalNamed(installed, name))
      return { kind: 'invalid', reason: `No skill ${name} waits for a review.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'proposal', name, op: 'remove' })],
      effects: [entryEffect('delete', `the skill ${name}, which waits for a review, and its files`, false)],
    }
  },
  async run({ name }, { extensions }) {
    const outcome = await extensions.remove('proposal', name)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The skill ${name}, which waited for a review, is removed`
    return succeeded(`${summary}. Nothing of it is left.`, summary)
  },
})
