/** Owns the texts of a skill beside its SKILL.md, which a card shows whole. */
import { skillFile } from './extension.ts'
import { type ReportedFiles, textIn } from './skill-report.ts'

export interface TextFile {
  readonly path: string
  readonly text: string
}

/** What is no text is told as an empty one, which no card takes for it. */
export function otherTexts(files: ReportedFiles): TextFile[] {
  return [...files].flatMap(([path, { bytes }]) =>
    path === skillFile ? [] : [{ path, text: textIn(bytes) ?? '' }],
  )
}
