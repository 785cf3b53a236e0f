/** Shows what changes between two texts, line by line, with the same in words. Loads the comparison when it is needed. */
import { forDisplay } from '@countersign/contract'
import { lazy, Suspense } from 'react'
import { Skeleton } from './states.tsx'

export interface DiffProps {
  readonly before: string
  readonly after: string
  /** What the texts are, for readers: “the message”. */
  readonly label: string
  /** Everything, and not only what is near a change. */
  readonly whole?: boolean
}

const Lines = lazy(() => import('./diff-lines.tsx'))

export function Diff(props: DiffProps) {
  const safe = {
    ...props,
    before: forDisplay(props.before, { multiline: true }).text,
    after: forDisplay(props.after, { multiline: true }).text,
  }
  return (
    <Suspense fallback={<Skeleton rows={2} />}>
      <Lines {...safe} />
    </Suspense>
  )
}
