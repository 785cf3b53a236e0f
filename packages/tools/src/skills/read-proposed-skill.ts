/** Shows the operator a file of what an agent wrote as a skill, before they review it. No agent reads it. Called by hand. */
import { SkillName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, proposalNamed } from '../extensions/entry.ts'
import { ownLabel } from '../extensions/entry-tools.ts'
import { partOfFile } from '../extensions/shown-files.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'
import { proposalLabel } from './skill-labels.ts'

export const readProposedSkill = defineTool({
  name: 'read_proposed_skill',
  version: '1',
  description: 'Read a file of a skill that an agent wrote and that waits for a review.',
  input: z.strictObject({
    name: SkillName,
    path: pathText,
    /** In characters. */
    offset: z.int().min(0).max(10_000_000).default(0),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'review', 'file'],
  effect: 'pure',
  floor: 0,
  output: ownLabel,
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'none',
  egress: 'none',
  describe: ({ name, path }) => `Read ${path} of the skill ${name}, which waits for a review`,
  preview: ({ name, path }) => ({ kind: 'text', title: `A file of the skill ${name}`, text: path }),
  async effects({ name, path }, inspect) {
    const installed = inspect.extensions()
    const proposal = proposalNamed(installed, name)
    if (!proposal?.files.some((file) => file.path === path))
      return { kind: 'invalid', reason: `No skill ${name} with a file ${path} waits for a review.` }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'proposal', name, op: 'use' })],
      effects: [
        {
          verb: 'read',
          object: `${path} of the skill ${name}, which waits for a review`,
          scope: 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ name, path, offset }, { extensions }) {
    const proposal = proposalNamed(extensions.installed(), name)
    if (!proposal) return failed(`No skill ${name} waits for a review.`)
    const label = proposalLabel(proposal)
    const file = await extensions.readFile('proposal', name, path)
    if (file.kind === 'failed') return { ...failed(file.reason), label }
    return { ...partOfFile(file.bytes, { path, offset, of: `the skill ${name}` }), label }
  },
})
