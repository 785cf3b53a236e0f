/**
 * Lets a skill in, or puts other files in the place of those that are there. Its words stay those of a stranger. The operator
 * calls it by hand.
 */
import { SkillName } from '@countersign/contract'
import { treeHash, treeProblem } from '@countersign/contract/node'
import { skillLimits } from '@countersign/contract/skills'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, skillNamed, takenBy } from '../extensions/entry.ts'
import { onEntries } from '../extensions/entry-tools.ts'
import { pinProblem } from '../extensions/pins.ts'
import { asShown } from '../extensions/shown-files.ts'
import { failed, succeeded } from '../result.ts'
import { entryEffect, hashText } from '../servers/server-effects.ts'
import { pathText } from '../text.ts'
import {
  publisherOf,
  publisherProblem,
  publisherText,
  replacedPublisher,
  shownPublisher,
} from './publisher.ts'
import { changesText, headOf, shownSkill, skillCard } from './skill-card.ts'

export const addSkill = defineTool({
  name: 'add_skill',
  version: '1',
  description: 'Let a skill in, or update one that is there.',
  input: z.strictObject({
    name: SkillName,
    ...shownSkill,
    /** The folder of the host that its files are copied from. */
    from: pathText,
    /** Where it comes from, in words. */
    source: pathText.max(1_000),
    ...shownPublisher,
    /** What takes the place of what: the hash of the tree that is there, and every difference. */
    replaces: z
      .strictObject({
        tree: z.string().regex(hashText),
        changes: changesText,
        /** Where it came from, and whose key signed it. */
        source: pathText.max(1_000),
        publisher: replacedPublisher,
      })
      .nullable()
      .default(null),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'install', 'update'],
  ...onEntries,
  runs: 'executor',
  floor: 3,
  describe: ({ name, replaces }) =>
    replaces === null ? `Let the skill ${name} in` : `Put other files in the place of the skill ${name}`,
  preview: ({ name, from, source, replaces, signature, alsoSigned, ...shown }) => ({
    kind: 'code',
    title: `Skill ${name}: what is behind a bar are its words`,
    language: replaces === null ? 'markdown' : 'diff',
    code: [
      `Files are copied from: ${from}`,
      publisherText(publisherOf({ name, files: shown.files, signature }), {
        alsoSigned,
        before: replaces?.publisher,
      }),
      ...(replaces === null ? [] : [`What is there comes from: ${replaces.source}`]),
      skillCard(shown, { source, changes: replaces?.changes ?? null }),
    ].join('\n'),
  }),
  async effects({ name, replaces, signature, alsoSigned, ...shown }, inspect) {
    const installed = inspect.extensions()
    const before = skillNamed(installed, name)
    const isSame = (before?.source ?? null) === (replaces?.source ?? null)
    if (!isSame || (before?.tree ?? null) !== (replaces?.tree ?? null)) {
      const reason =
        replaces === null
          ? `There is a skill ${name} already. Change it with \`countersign extension update ${name} --skill …\`.`
          : `The skill ${name} is not as it was.`
      return { kind: 'invalid', reason }
    }
    const pin = pinProblem('skill', before)
    if (pin !== undefined) return { kind: 'invalid', reason: pin }
    const taken = takenBy(installed, 'skill', name)
    if (taken !== undefined) return { kind: 'invalid', reason: taken }
    const head = headOf(name, shown)
    const problem =
      typeof head === 'string'
        ? head
        : (treeProblem(shown.files, skillLimits) ??
          publisherProblem(
            installed,
            { name, files: shown.files, signature },
            { alsoSigned, before: replaces?.publisher ?? null },
          ))
    if (problem !== undefined) return { kind: 'invalid', reason: problem }
    const what = `the skill ${name}, of which agents are told; its words stay a stranger’s until you review them`
    return {
      kind: 'found',
      resources: [extensionResource(installed, { kind: 'skill', name, op: before ? 'change' : 'add' })],
      effects: [entryEffect('write', what, true)],
    }
  },
  async run({ name, from, source, replaces, signature, ...shown }, { extensions }) {
    const head = headOf(name, shown)
    if (typeof head === 'string') return failed(head)
    const publisher = publisherOf({ name, files: shown.files, signature })
    if (typeof publisher === 'string') return failed(publisher)
    const before = skillNamed(extensions.installed(), name)
    const { description, allowedTools } = head
    const outcome = await extensions.putSkill(
      {
        name,
        description,
        tree: treeHash(shown.files),
        source,
        ...(publisher.key === null ? {} : { publisher: publisher.key }),
        reviewed: false,
        enabled: before?.enabled ?? true,
        allowedTools: allowedTools === null ? null : [...allowedTools],
      },
      { kind: 'folder', path: from },
      asShown(shown.report, replaces),
    )
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = before ? `The skill ${name} is updated` : `The skill ${name} is let in`
    return succeeded(
      `${summary}. Its words are marked as a stranger’s until you have read them: \`countersign extension review ${name}\`.`,
      summary,
    )
  },
})
