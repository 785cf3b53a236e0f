/** Owns what differs between two states of a skill, whole and line by line, as the operator is shown it. */

import { textIn } from '../../skill-report.ts'
import { lineChanges } from '../line-changes.ts'
import { sha256Hex } from '../sha256.ts'
import type { SkillFile, SkillFiles } from './file-set.ts'

/** A card that nobody reads to its end protects nobody. */
export const longestChanges = 120_000

/** Empty where nothing differs. */
export function skillChanges(before: SkillFiles, after: SkillFiles): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return paths
    .flatMap((path) => {
      const [was, is] = [before.get(path), after.get(path)]
      const text = changeText(was, is)
      return text === undefined ? [] : [`=== ${path}${text}`]
    })
    .join('\n')
}

function changeText(was: SkillFile | undefined, is: SkillFile | undefined): string | undefined {
  if (!is) return ': removed'
  const mode = is.executable ? ', can be run' : ''
  if (!was) return `: new${mode}\n${lineChanges('', textOf(is))}`
  if (Buffer.from(was.bytes).equals(is.bytes))
    return was.executable === is.executable
      ? undefined
      : `: ${is.executable ? 'can now' : 'can no longer'} be run`
  return `: changed${was.executable === is.executable ? '' : mode || ', can no longer be run'}\n${lineChanges(textOf(was), textOf(is))}`
}

function textOf({ bytes }: SkillFile): string {
  return textIn(bytes) ?? `no text, ${bytes.length} bytes, sha256 ${sha256Hex(bytes)}`
}
