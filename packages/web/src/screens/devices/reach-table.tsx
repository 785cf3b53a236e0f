/** Says what each reach may approve, beside the devices that have it. */

import { Link, Sheet, TierChip } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { reaches } from './reach.ts'

export function ReachTable() {
  return (
    <section aria-labelledby="reaches">
      <h2 id="reaches" className="mb-2">
        {words.table.title}
      </h2>
      <Sheet padded={false}>
        <dl>
          {reaches.map((reach) => (
            <div key={reach} className="border-t border-line px-4 py-2.5 first:border-t-0">
              <dt className="flex flex-wrap items-center justify-between gap-x-2 gap-y-0.5 font-medium">
                {words.reach[reach].word}
                {reach === 0 ? (
                  <span className="text-small font-normal text-ink-3">{words.table.nothing}</span>
                ) : (
                  <span className="inline-flex items-center gap-1 text-small font-normal text-ink-3">
                    {words.table.upTo} <TierChip tier={reach} />
                  </span>
                )}
              </dt>
              <dd className="text-small text-ink-2">{words.reach[reach].about}</dd>
            </div>
          ))}
          <div className="border-t border-line px-4 py-2.5">
            <dt className="flex flex-wrap items-center justify-between gap-x-2 gap-y-0.5 font-medium">
              {words.table.passkey} <TierChip tier={4} />
            </dt>
            <dd className="text-small text-ink-2">{words.table.passkeyAbout}</dd>
          </div>
        </dl>
      </Sheet>
      <p className="mt-2 text-small text-ink-3">
        {words.table.note(<Link to="/policy">{words.table.policy}</Link>)}
      </p>
    </section>
  )
}
