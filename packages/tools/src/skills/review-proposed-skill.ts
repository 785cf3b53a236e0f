/** Makes a skill of what an agent wrote, or puts it in the place of its former version. Called by hand. */
import { canonicalText, SkillAuthor, SkillName } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, skillNamed, takenBy } from '../extensions/entry.ts'
import { pinProblem } from '../extensions/pins.ts'
import { asShown } from '../extensions/shown-files.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect, hashText } from '../servers/server-effects.ts'
import { authorText, otherFiles, sameProposal, unshownFile, wholeFiles } from './proposal.ts'
import { changesText, headOf, shownSkill, skillCard } from './skill-card.ts'
import { ownLabel } from './skill-labels.ts'

export const reviewProposedSkill = defineTool({
  name: 'review_proposed_skill',
  version: '1',
  description: 'Take all files of a skill that an agent wrote for reviewed, so that agents can use it.',
  input: z.strictObject({
    name: SkillName,
    ...shownSkill,
    /** The whole text of each other file. */
    others: otherFiles,
    writtenBy: SkillAuthor,
    /** The hash of the version that is there, and every difference. */
    replaces: z
      .strictObject({ tree: z.string().regex(hashText), changes: changesText })
      .nullable()
      .default(null),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'review', 'trust'],
  effect: 'idempotent',
  floor: 3,
  output: ownLabel,
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'none',
  egress: 'none',
  describe: ({ name, replaces }) =>
    replaces === null
      ? `Take the skill ${name}, which an agent wrote, for reviewed`
      : `Put what an agent wrote in the place of the skill ${name}`,
  preview: ({ name, writtenBy, replaces, others, ...shown }) => ({
    kind: 'code',
    title: `You have read every file of the skill ${name}: what is behind a bar are its words`,
    language: replaces === null ? 'markdown' : 'diff',
    code: [
      authorText(writtenBy),
      skillCard(shown, { changes: replaces?.changes ?? null }),
      ...wholeFiles(others),
    ].join('\n'),
  }),
  async effects({ name, writtenBy, replaces, others, ...shown }, inspect) {
    const installed = inspect.extensions()
    const proposal = sameProposal(installed, name, shown.files)
    if (!proposal) return { kind: 'invalid', reason: `No skill ${name} with these files waits for a review.` }
    if (canonicalText({ ...proposal.writtenBy }) !== canonicalText({ ...writtenBy }))
      return { kind: 'invalid', reason: `The skill ${name} was written by others than was shown.` }
    const before = skillNamed(installed, name)
    const head = headOf(name, shown)
    const reason =
      unshownFile(shown.files, others) ??
      takenBy(installed, 'skill', name) ??
      pinProblem('skill', before) ??
      ((before?.tree ?? null) !== (replaces?.tree ?? null)
        ? `The skill ${name} is not as it was shown.`
        : before && !before.writtenBy
          ? `No agent wrote the skill ${name} that is there. Remove one of both.`
          : typeof head === 'string'
            ? head
            : undefined)
    if (reason !== undefined) return { kind: 'invalid', reason }
    const what = `the skill ${name}, which an agent wrote, of which agents are told as of what you reviewed`
    return {
      kind: 'found',
      resources: [
        extensionResource(installed, { kind: 'proposal', name, op: 'remove' }),
        extensionResource(installed, { kind: 'skill', name, op: before ? 'change' : 'add' }),
      ],
      effects: [entryEffect('write', what, true)],
    }
  },
  async run({ name, replaces, ...shown }, { extensions }) {
    if (!sameProposal(extensions.installed(), name, shown.files))
      return failed(`No skill ${name} with these files waits for a review.`)
    const outcome = await extensions.takeProposal(name, asShown(shown.report, replaces))
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `The skill ${name} is reviewed, and agents can use it`
    return succeeded(`${summary}.`, summary)
  },
})
