/** Says what each reach may approve, beside the devices that have it. */
import { Link, Sheet, TierChip } from '../../kit/index.ts'
import { reaches, reachWords } from './reach.ts'

export function ReachTable() {
  return (
    <section aria-labelledby="reaches">
      <h2 id="reaches" className="mb-2">
        What each may approve
      </h2>
      <Sheet padded={false}>
        <dl>
          {reaches.map((reach) => (
            <div key={reach} className="border-t border-line px-4 py-2.5 first:border-t-0">
              <dt className="flex items-center justify-between gap-2 font-medium">
                {reachWords[reach].word}
                {reach === 0 ? (
                  <span className="text-small font-normal text-ink-3">nothing</span>
                ) : (
                  <span className="inline-flex items-center gap-1 text-small font-normal text-ink-3">
                    up to <TierChip tier={reach} />
                  </span>
                )}
              </dt>
              <dd className="text-small text-ink-2">{reachWords[reach].about}</dd>
            </div>
          ))}
          <div className="border-t border-line px-4 py-2.5">
            <dt className="flex items-center justify-between gap-2 font-medium">
              A passkey <TierChip tier={4} />
            </dt>
            <dd className="text-small text-ink-2">
              Says that you are there, for exactly one call. No device does that alone.
            </dd>
          </div>
        </dl>
      </Sheet>
      <p className="mt-2 text-small text-ink-3">
        Whatever can be denied, any device that decides may deny. Nothing is approved by itself, anywhere. See{' '}
        <Link to="/policy">Policy</Link> for what needs no approval.
      </p>
    </section>
  )
}
