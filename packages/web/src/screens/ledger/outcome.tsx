/** Shows how something ended. What went as it should is plain; colour is for what did not. */
import { Chip, Safe } from '../../kit/index.ts'
import { outcomeTone } from './words.ts'

export function Outcome({ outcome }: { outcome: string }) {
  const tone = outcomeTone(outcome)
  if (tone === 'plain') return <Safe text={outcome} className="text-small text-ink-2" />
  return (
    <Chip tone={tone}>
      <Safe text={outcome} />
    </Chip>
  )
}
