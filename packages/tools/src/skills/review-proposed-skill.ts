/**
 * Makes a skill of what an agent wrote or a server served, or puts it in the place of its former version. Called by hand.
 */
import {
  canonicalText,
  isOfSameOrigin,
  SkillAuthor,
  SkillName,
  type SkillOrigin,
  SkillServer,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, skillNamed, takenBy } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { pinProblem } from '../extensions/pins.ts'
import { asShown } from '../extensions/shown-files.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect, hashText } from '../servers/server-effects.ts'
import { originText, otherFiles, sameProposal, unshownFile, wholeFiles } from './proposal.ts'
import { changesText, headOf, shownSkill, skillCard } from './skill-card.ts'

export const reviewProposedSkill = defineTool({
  name: 'review_proposed_skill',
  version: '1',
  description: 'Take all files of a skill that waits for reviewed, so that agents can use it.',
  input: z.strictObject({
    name: SkillName,
    ...shownSkill,
    /** The whole text of each other file of what an agent wrote. */
    others: otherFiles,
    writtenBy: SkillAuthor.exactOptional(),
    servedBy: SkillServer.exactOptional(),
    /** The hash of the version that is there, and every difference. */
    replaces: z
      .strictObject({ tree: z.string().regex(hashText), changes: changesText })
      .nullable()
      .default(null),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'review', 'trust'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name, replaces, servedBy }) =>
    replaces === null
      ? `Take the skill ${name}, which ${whoMade(servedBy)}, for reviewed`
      : `Put what ${whoMade(servedBy)} in the place of the skill ${name}`,
  preview: ({ name, writtenBy, servedBy, replaces, others, ...shown }) => ({
    kind: 'code',
    title: `You have read every file of the skill ${name}: what is behind a bar are its words`,
    language: replaces === null ? 'markdown' : 'diff',
    code: [
      originText({ writtenBy, servedBy }),
      skillCard(shown, { changes: replaces?.changes ?? null }),
      ...wholeFiles(others),
    ].join('\n'),
  }),
  async effects({ name, writtenBy, servedBy, replaces, others, ...shown }, inspect) {
    const installed = inspect.extensions()
    const proposal = sameProposal(installed, name, shown.files)
    if (!proposal) return { kind: 'invalid', reason: `No skill ${name} with these files waits for a review.` }
    if (originKey(proposal) !== originKey({ writtenBy, servedBy }))
      return { kind: 'invalid', reason: `The skill ${name} was written by others than was shown.` }
    const before = skillNamed(installed, name)
    const head = headOf(name, shown)
    const reason =
      unshownFile(proposal, others) ??
      takenBy(installed, 'skill', name) ??
      pinProblem('skill', before) ??
      ((before?.tree ?? null) !== (replaces?.tree ?? null)
        ? `The skill ${name} is not as it was shown.`
        : before && !isOfSameOrigin(before, proposal)
          ? `The skill ${name} that is there comes from elsewhere. Remove one of both.`
          : typeof head === 'string'
            ? head
            : undefined)
    if (reason !== undefined) return { kind: 'invalid', reason }
    const what = `the skill ${name}, which ${whoMade(servedBy)}, of which agents are told as of what you reviewed`
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

function whoMade(servedBy: SkillServer | undefined): string {
  return servedBy ? `the server ${servedBy.server} served` : 'an agent wrote'
}

function originKey({ writtenBy, servedBy }: SkillOrigin): string {
  return canonicalText(JSON.parse(JSON.stringify({ writtenBy, servedBy })))
}
