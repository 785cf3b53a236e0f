/**
 * Lets an agent write down what it learned as a skill. It waits: no agent is told of it, can read it or can run it before the
 * operator has reviewed it. Refuses to take the place of what is let in.
 */
import { SkillName } from '@countersign/contract'
import { treeHash } from '@countersign/contract/node'
import { longestSkillFile, readSkillFile } from '@countersign/contract/skills'
import { z } from 'zod'
import { defineTool, perMinute } from '../definition.ts'
import { extensionResource, takenBy } from '../extensions/entry.ts'
import { ownLabel } from '../extensions/entry-tools.ts'
import { barred } from '../extensions/strangers-words.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, nameText } from '../text.ts'
import { longestProposedFile, mostProposedFiles, nameProblem, wholeFiles, writtenFiles } from './proposal.ts'

export const proposeSkill = defineTool({
  name: 'propose_skill',
  version: '1',
  description:
    'Write down as a skill how a task is done that you worked out and that will come again. It waits for the operator’s review; until then nobody is told of it. The text is a SKILL.md: front matter with name and description between two lines of ---, then steps.',
  input: z.strictObject({
    name: SkillName,
    text: commandText(Math.min(longestProposedFile, longestSkillFile)).describe('The whole SKILL.md'),
    files: z
      .array(z.strictObject({ path: nameText(200), text: commandText(longestProposedFile) }))
      .max(mostProposedFiles)
      .default([])
      .describe('Other files, such as scripts/run.py'),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'write a skill', 'learn', 'learned', 'write down', 'procedure', 'playbook', 'next time'],
  effect: 'idempotent',
  rate: perMinute(5),
  floor: 1,
  output: ownLabel,
  undo: 'remove_proposed_skill',
  runs: 'executor',
  sandbox: 'none',
  egress: 'none',
  describe: ({ name }) => `Write down the skill ${name} for your review`,
  preview: ({ name, text, files }) => ({
    kind: 'code',
    title: `The skill ${name}, of which no agent is told before you review it: what is behind a bar are its words`,
    language: 'markdown',
    code: [barred(text), ...wholeFiles(files)].join('\n'),
  }),
  async effects({ name, text, files }, inspect) {
    const installed = inspect.extensions()
    const read = readSkillFile(text, name)
    const written = writtenFiles(text, files)
    const reason =
      takenBy(installed, 'proposal', name) ??
      nameProblem(installed, name) ??
      (read.kind === 'refused' ? read.reason : typeof written === 'string' ? written : undefined)
    if (reason !== undefined) return { kind: 'invalid', reason }
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'proposal', name, op: 'add' })],
      effects: [
        {
          verb: 'write',
          object: `the skill ${name}, which waits for your review`,
          scope: 'inside',
          reversible: true,
          outward: false,
          leaves: [],
        },
      ],
    }
  },
  async run({ name, text, files }, { extensions }) {
    const read = readSkillFile(text, name)
    if (read.kind === 'refused') return failed(read.reason)
    const written = writtenFiles(text, files)
    if (typeof written === 'string') return failed(written)
    const { description, allowedTools } = read.head
    const outcome = await extensions.putProposal(
      {
        name,
        description,
        tree: treeHash(written.files),
        allowedTools: allowedTools === null ? null : [...allowedTools],
      },
      written.given,
    )
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The skill ${name} waits for your review`
    return succeeded(
      `The skill ${name} is written down and waits. It can be used after the operator has reviewed it, on the Extensions screen or with \`countersign extension review ${name}\`.`,
      summary,
      { tool: 'remove_proposed_skill', args: { name } },
    )
  },
})
