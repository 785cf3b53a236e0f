/** The marks on a file: what reading it would bring in. */
import type { WorkspaceEntry } from '@countersign/contract'
import { Chip } from '../../kit/index.ts'
import { words } from '../../words/files.tsx'

export function FileMarks({ entry: { label, kind } }: { entry: WorkspaceEntry }) {
  return (
    <>
      {kind === 'link' ? <Chip>{words.link}</Chip> : null}
      {label?.integrity === 'untrusted' ? <Chip tone="waiting">{words.outside}</Chip> : null}
      {label?.confidentiality === 'secret' ? <Chip tone="bad">{words.secret}</Chip> : null}
    </>
  )
}
