/** Why something of the feed happened: the chain from one of its entries back to a person. */

import { useState } from 'react'
import { Button, Dialog, Link, Safe } from '../../kit/index.ts'
import { words } from '../../words/today.tsx'
import { WhyChain } from '../ledger/why-chain.tsx'
import type { ShownItem } from './feed-items.ts'

const shownRefs = 12

export function WhyDialog({ shown, onClose }: { shown: ShownItem; onClose: () => void }) {
  const { refs, text } = shown.item
  const [chosen, setChosen] = useState(refs[0] ?? 0)
  return (
    <Dialog open onClose={onClose} place="edge" title={words.why.title} description={<Safe text={text} />}>
      {refs.length === 1 ? null : (
        <div className="mb-4">
          <p className="mb-1 text-small text-ink-2">{words.why.which(refs.length)}</p>
          <div role="group" aria-label={words.why.entries} className="flex flex-wrap gap-1">
            {refs.slice(0, shownRefs).map((ref) => (
              <Button
                key={ref}
                size="small"
                variant={ref === chosen ? 'plain' : 'quiet'}
                aria-pressed={ref === chosen}
                onClick={() => setChosen(ref)}
              >
                #{ref}
              </Button>
            ))}
          </div>
        </div>
      )}
      <WhyChain key={chosen} seq={chosen} hrefOf={(seq) => `/ledger/${seq}`} />
      <p className="mt-4 text-small">
        <Link to={`/ledger/${chosen}`}>{words.why.open(chosen)}</Link>
      </p>
    </Dialog>
  )
}
