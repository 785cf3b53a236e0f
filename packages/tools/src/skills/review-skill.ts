/** Takes the words of a skill for reviewed: what agents read of it is marked as a stranger's no more. Called by hand. */
import { SkillName } from '@countersign/contract'
import { skillReport } from '@countersign/contract/skills'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect } from '../servers/server-effects.ts'
import { headOf, sameSkill, shownSkill, skillCard } from './skill-card.ts'

export const reviewSkill = defineTool({
  name: 'review_skill',
  version: '1',
  description: 'Take all files of a skill for reviewed.',
  input: z.strictObject({ name: SkillName, ...shownSkill }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'review', 'trust'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name }) => `Take the skill ${name} for reviewed`,
  preview: ({ name, ...shown }) => ({
    kind: 'code',
    title: `You have read every file of the skill ${name}: what is behind a bar are its words`,
    language: 'markdown',
    code: skillCard(shown),
  }),
  async effects({ name, ...shown }, inspect) {
    const installed = inspect.extensions()
    const skill = sameSkill(installed, name, shown)
    if (!skill) return { kind: 'invalid', reason: `There is no skill ${name} with these files.` }
    if (skill.reviewed) return { kind: 'invalid', reason: `The skill ${name} is reviewed already.` }
    const head = headOf(name, shown)
    if (typeof head === 'string') return { kind: 'invalid', reason: head }
    const what = `the words and the scripts of the skill ${name}: they are marked as a stranger’s no more`
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'skill', name, op: 'change' })],
      effects: [entryEffect('write', what, true)],
    }
  },
  async run({ name, ...shown }, { extensions }) {
    const skill = sameSkill(extensions.installed(), name, shown)
    if (!skill) return failed(`There is no skill ${name} with these files.`)
    const { addedAt: _, files: __, ...entry } = skill
    const outcome = await extensions.putSkill({ ...entry, reviewed: true }, { kind: 'kept' }, (kept) =>
      skillReport(kept).join('\n') === shown.report.join('\n')
        ? undefined
        : 'The report on its files is another one than was shown.',
    )
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The skill ${name} is reviewed`
    return succeeded(`${summary}.`, summary)
  },
})
