/** Says what costs are counted with, and leads to where prices are read and changed. */
import { ButtonLink, Section } from '../../kit/index.ts'
import { words } from '../../words/costs.tsx'

export function Prices() {
  return (
    <Section level={2} title={words.prices.title}>
      <p className="mb-2 text-ink-2">{words.prices.about}</p>
      <ButtonLink to="/models/prices">{words.prices.open}</ButtonLink>
    </Section>
  )
}
