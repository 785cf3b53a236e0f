/** The table of families, and of the mutants that each must catch. */
import { answerFamilies, slowFamilies } from './families/answers.ts'
import { confinementFamilies } from './families/confinement.ts'
import { definitionFamilies } from './families/definitions.ts'
import { elicitationFamilies } from './families/elicitation.ts'
import { fileFamilies } from './families/files.ts'
import { pluginChannelFamilies } from './families/plugin-channels.ts'
import { pluginFamilies } from './families/plugins.ts'
import { ruleFamilies } from './families/rules.ts'
import { servedSkillFamilies } from './families/served-skills.ts'
import { skillArchiveFamilies } from './families/skill-archives.ts'
import { skillChangeFamilies } from './families/skill-changes.ts'
import { skillPublisherFamilies } from './families/skill-publishers.ts'
import { skillScriptFamilies } from './families/skill-scripts.ts'
import { skillWordFamilies } from './families/skill-words.ts'
import { updateFamilies } from './families/updates.ts'
import { writtenSkillFamilies } from './families/written-skills.ts'
import type { Family } from './family.ts'

/** Those of `slow` are waited for in a bench whose waits are short. */
export const families: Readonly<Record<'usual' | 'slow', readonly Family[]>> = {
  usual: [
    ...definitionFamilies,
    ...confinementFamilies,
    ...answerFamilies,
    ...elicitationFamilies,
    ...fileFamilies,
    ...updateFamilies,
    ...ruleFamilies,
    ...pluginFamilies,
    ...pluginChannelFamilies,
    ...skillArchiveFamilies,
    ...skillWordFamilies,
    ...skillScriptFamilies,
    ...skillChangeFamilies,
    ...skillPublisherFamilies,
    ...writtenSkillFamilies,
    ...servedSkillFamilies,
  ],
  slow: slowFamilies,
}

export const extensionMutants: readonly string[] = [
  ...new Set([...families.usual, ...families.slow].flatMap(({ mutants }) => mutants)),
]
