/** Pins a skill, so that its files stay as they are, or lets it go again. Called by hand. */
import { SkillName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { skillNamed } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { pinEffects, pinHeadline, pinTold, withPin } from '../extensions/pins.ts'
import { failed } from '../result.ts'

export const pinSkill = defineTool({
  name: 'pin_skill',
  version: '1',
  description: 'Pin a skill that was let in, so that it is not updated, or let it go again.',
  input: z.strictObject({ name: SkillName, pinned: z.boolean() }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'pin', 'update'],
  ...onEntries,
  runs: 'executor',
  floor: 1,
  describe: ({ name, pinned }) => pinHeadline('skill', name, pinned),
  preview: ({ name, pinned }) => ({ kind: 'text', title: pinHeadline('skill', name, pinned), text: name }),
  effects: async ({ name, pinned }, inspect) => pinEffects(inspect, { kind: 'skill', name, pinned }),
  async run({ name, pinned }, { extensions }) {
    const skill = skillNamed(extensions.installed(), name)
    if (!skill) return failed(`There is no skill ${name}.`)
    const { addedAt: _, files: __, ...entry } = skill
    const outcome = await extensions.putSkill(withPin(entry, pinned), { kind: 'kept' })
    return outcome.kind === 'failed' ? failed(outcome.reason) : pinTold('skill', name, pinned)
  },
})
