/** Pauses a skill, so that no agent is told of it or can use it, or lets it go on. Called by hand. */
import { SkillName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, skillNamed } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { failed, succeeded } from '../result.ts'

export const switchSkill = defineTool({
  name: 'switch_skill',
  version: '1',
  description: 'Pause a skill that was let in, or let it go on.',
  input: z.strictObject({ name: SkillName, enabled: z.boolean() }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'pause', 'resume'],
  ...onEntries,
  runs: 'executor',
  floor: 1,
  describe: ({ name, enabled }) => `${enabled ? 'Resume' : 'Pause'} the skill ${name}`,
  preview: ({ name, enabled }) => ({
    kind: 'text',
    title: enabled ? 'Resume a skill' : 'Pause a skill',
    text: name,
  }),
  async effects({ name, enabled }, inspect) {
    const installed = inspect.extensions()
    if (!skillNamed(installed, name)) return { kind: 'invalid', reason: `There is no skill ${name}.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'skill', name, op: 'change' })],
      effects: [
        {
          verb: 'write',
          object: `the skill ${name}, ${enabled ? 'used by agents again' : 'paused'}`,
          // What goes on is read and run again; what pauses does less.
          scope: enabled ? 'boundary' : 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ name, enabled }, { extensions }) {
    const skill = skillNamed(extensions.installed(), name)
    if (!skill) return failed(`There is no skill ${name}.`)
    const { addedAt: _, files: __, ...entry } = skill
    const outcome = await extensions.putSkill({ ...entry, enabled }, { kind: 'kept' })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The skill ${name} is ${enabled ? 'on again' : 'paused'}`
    return succeeded(`${summary}.`, summary)
  },
})
