/** Shows which agent wrote a skill, and what of others it had read by then. */
import type { SkillAuthor } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Safe } from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/extensions.tsx'

/** Nothing where no agent wrote it. */
export function writtenRow(author: SkillAuthor | undefined): [string, ReactNode][] {
  return author === undefined
    ? []
    : [[words.written.title, <Safe key="written" text={writtenText(author)} className="break-words" />]]
}

export function writtenText({ agent, label }: SkillAuthor): string {
  const { integrity, confidentiality, sources } = label
  return [
    words.written.by(agent),
    ...(integrity === 'untrusted' ? [words.written.afterStrangers(listWords([...sources]))] : []),
    ...(confidentiality === 'public' ? [] : [words.written.after[confidentiality]]),
  ].join(' ')
}
