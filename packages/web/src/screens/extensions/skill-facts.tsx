/** Shows where a skill comes from, which agent wrote it after reading what or which server served it, and what it may use. */
import type { InstalledSkill, SkillOrigin } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Safe } from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/extensions.tsx'

/** Nothing where the operator let it in by hand. */
export function originRow(origin: SkillOrigin): [string, ReactNode][] {
  const text = originText(origin)
  return text === '' ? [] : [[words.written.row, <Safe key="origin" text={text} className="break-words" />]]
}

export function originText({ writtenBy, servedBy }: SkillOrigin): string {
  if (servedBy) return words.written.served(servedBy.server, servedBy.uri)
  if (!writtenBy) return ''
  const { integrity, confidentiality, sources } = writtenBy.label
  return [
    words.written.by(writtenBy.agent),
    ...(integrity === 'untrusted' ? [words.written.afterStrangers(listWords([...sources]))] : []),
    ...(confidentiality === 'public' ? [] : [words.written.after[confidentiality]]),
  ].join(' ')
}

export function allowedToolsRow({ allowedTools }: Pick<InstalledSkill, 'allowedTools'>): [string, ReactNode] {
  return [
    words.skill.allowedTools,
    allowedTools === null ? words.skill.anyTools : <Safe key="tools" text={listWords(allowedTools)} />,
  ]
}
