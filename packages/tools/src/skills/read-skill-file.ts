/** Gives an agent a file of a skill, as it was accepted. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { partOfFile } from '../extensions/shown-files.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'
import { reviewedLabel, wordsLabel } from './skill-labels.ts'
import { lookInto, usableSkill, wantedSkill } from './usable-skill.ts'

export const readSkillFileTool = defineTool({
  name: 'read_skill_file',
  version: '1',
  description: 'Read a file of a skill, by its path in the skill.',
  input: z.strictObject({
    skill: wantedSkill,
    path: pathText,
    /** In characters. */
    offset: z.int().min(0).max(10_000_000).default(0),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'reference', 'file', 'resource'],
  effect: 'pure',
  floor: 0,
  output: reviewedLabel,
  runs: 'executor',
  sandbox: 'none',
  egress: 'none',
  describe: ({ skill, path }) => `Read ${path} of the skill ${skill}`,
  preview: ({ skill, path }) => ({ kind: 'text', title: `A file of the skill ${skill}`, text: path }),
  effects: async ({ skill, path }, inspect) => lookInto(skill, path, inspect),
  async run({ skill: name, path, offset }, { extensions }) {
    const skill = usableSkill(extensions.installed(), name)
    if (typeof skill === 'string') return failed(skill)
    const label = wordsLabel(skill)
    const file = await extensions.readFile('skill', name, path)
    if (file.kind === 'failed') return { ...failed(file.reason), label }
    const otherwise = ' Only its scripts can use it.'
    return { ...partOfFile(file.bytes, { path, offset, of: `the skill ${name}`, otherwise }), label }
  },
})
