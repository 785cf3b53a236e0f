/** Owns what a card shows of a skill: its files with sizes and hashes, the report, what differs, and the whole text of SKILL.md. */
import {
  type InstalledExtensions,
  type InstalledSkill,
  mostSkillFiles,
  TreeFile,
} from '@countersign/contract'
import { sha256Hex, treeHash } from '@countersign/contract/node'
import {
  longestChanges,
  longestSkillFile,
  readSkillFile,
  type SkillHead,
  skillFile,
} from '@countersign/contract/skills'
import { z } from 'zod'
import { skillNamed } from '../extensions/entry.ts'
import { barred } from '../extensions/strangers-words.ts'
import { sizeOf } from '../result.ts'

/** What is shown of a skill stands in the arguments, so that what is sealed is what was shown. */
export const shownSkill = {
  files: z.array(TreeFile).min(1).max(mostSkillFiles),
  /** The whole text of SKILL.md. */
  text: z.string().max(longestSkillFile),
  /** What the report says. The executor makes it again and refuses another one. */
  report: z.array(z.string().max(1_000)).max(100),
}

export interface ShownSkill {
  readonly files: readonly TreeFile[]
  readonly text: string
  readonly report: readonly string[]
}

export const changesText = z.string().max(longestChanges)

/** The head of SKILL.md, or why this is no skill of this name. */
export function headOf(name: string, { files, text }: ShownSkill): SkillHead | string {
  const main = files.find(({ path }) => path === skillFile)
  if (!main) return `There is no ${skillFile} in it.`
  if (main.sha256 !== sha256Hex(text)) return `The text of ${skillFile} is not the one that its hash says.`
  const read = readSkillFile(text, name)
  return read.kind === 'refused' ? `${skillFile}: ${read.reason}` : read.head
}

/** The installed skill, where it is the one that is shown. */
export function sameSkill(
  installed: InstalledExtensions,
  name: string,
  { files }: Pick<ShownSkill, 'files'>,
): InstalledSkill | undefined {
  const skill = skillNamed(installed, name)
  return skill?.tree === treeHash(files) ? skill : undefined
}

/** What comes from the skill stands behind a bar, so that none of it can pass for what we say of it. */
export function skillCard(
  { files, text, report }: ShownSkill,
  {
    source,
    changes,
    file = skillFile,
  }: { readonly source?: string; readonly changes?: string | null; readonly file?: string } = {},
): string {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  return [
    ...(source === undefined ? [] : [`Comes from: ${source}`]),
    `Files: ${files.length}, ${sizeOf(total)}, tree ${treeHash(files)}`,
    ...files.map(
      ({ path, size, sha256, executable }) =>
        `${barred(path)}\n  ${sizeOf(size)}${executable ? ', can be run' : ''}  sha256 ${sha256}`,
    ),
    report.length === 0
      ? 'Report: nothing was found. That proves nothing.'
      : `Report, made without running anything:\n${barred(report.join('\n'))}`,
    ...(changes === undefined || changes === null
      ? []
      : [
          changes === ''
            ? 'Nothing differs from what is there.'
            : `What differs from what is there:\n${barred(changes)}`,
        ]),
    `${file}, whole:`,
    barred(text),
  ].join('\n')
}
