/** A time that comes, as people say it. */
import { useNow } from '../../kit/index.ts'
import { comingWords, exactWords } from '../../language/format.ts'

export function NextTime({ at }: { at: string }) {
  const now = useNow()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exactWords(moment)} className="whitespace-nowrap">
      {comingWords(moment, now)}
    </time>
  )
}

export function NextTimes({ times }: { times: readonly string[] }) {
  return (
    <ul>
      {times.map((at) => (
        <li key={at}>
          <NextTime at={at} />
        </li>
      ))}
    </ul>
  )
}
