/** The skills that agents wrote and that wait for a review, above what is let in. */
import type { ProposedSkill } from '@countersign/contract'
import { ButtonLink, Chip, Link, Safe, Section, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { originText } from './skill-facts.tsx'

export function Proposals({
  proposals,
  hrefOf,
}: {
  readonly proposals: readonly ProposedSkill[]
  readonly hrefOf: (name: string) => string
}) {
  if (proposals.length === 0) return null
  return (
    <Section title={words.proposals.title} level={2}>
      <p className="mb-2 max-w-prose text-small text-ink-2">{words.proposals.about}</p>
      <ul aria-label={words.proposals.title} className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
        {proposals.map(({ name, writtenBy, servedBy }) => (
          <li key={name}>
            <Sheet className="flex h-full flex-col">
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <h3 className="min-w-0 text-base font-[600] break-words">
                  <Link to={hrefOf(name)}>
                    <Safe text={name} />
                  </Link>
                </h3>
                <span className="ms-auto">
                  <Chip tone="waiting">{words.proposals.state}</Chip>
                </span>
              </div>
              <p className="mt-0.5 text-small break-words text-ink-2">
                <Safe text={originText({ writtenBy, servedBy })} />
              </p>
              <div className="mt-auto flex flex-wrap items-center gap-2 pt-3">
                <ButtonLink to={hrefOf(name)}>{words.proposals.look}</ButtonLink>
                <Time at={(writtenBy ?? servedBy)?.at ?? ''} className="text-small text-ink-3" />
              </div>
            </Sheet>
          </li>
        ))}
      </ul>
    </Section>
  )
}
