/** Memories in the order of time, under the day on which each was made, with where it came from. */
import type { MemoryView } from '@countersign/contract'
import { Chip, PlainLink, Safe, Section } from '../../kit/index.ts'
import { dayWords } from '../../language/format.ts'
import { words } from '../../words/memory.tsx'

export function TimeLine({ memories, to }: { memories: readonly MemoryView[]; to: (id: string) => string }) {
  const newest = memories.toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))
  const days = Map.groupBy(newest, ({ createdAt }) => dayWords(new Date(createdAt)))
  return (
    <div className="px-3 pb-6">
      {[...days].map(([day, those]) => (
        <Section key={day} title={day} level={2}>
          <ol className="border-s border-line">
            {those.map((memory) => (
              <li key={memory.id} className="relative ps-4 pb-3">
                <span aria-hidden className="absolute -start-1 top-2 size-2 rounded-full bg-act" />
                <PlainLink to={to(memory.id)} className="row block rounded-1 px-2 py-1">
                  <Safe text={memory.content} />
                  <span className="mt-1 flex flex-wrap gap-1.5">
                    <Chip>{words.kinds[memory.source.kind]}</Chip>
                    {memory.label === null ? null : <Chip tone="waiting">{words.external}</Chip>}
                  </span>
                </PlainLink>
              </li>
            ))}
          </ol>
        </Section>
      ))}
    </div>
  )
}
