/** The tools whose every call needs the operator's passkey, whatever else would let it through. */
import { useDevices, useGateway } from '../../data/queries.ts'
import { ButtonLink, EmptyState, Link, Loaded, Mono, Section, Sheet } from '../../kit/index.ts'

export function PasskeysTab() {
  const whatCan = useGateway(['grants', 'what-can', null], (client) => client.whatCan())
  const devices = useDevices()
  const live = devices.data?.passkeys.filter(({ revokedAt }) => revokedAt === null)
  return (
    <>
      <h2 className="sr-only">Passkey tools</h2>
      <p className="mb-4 max-w-prose text-ink-2">
        Each call of these is critical (T4): no level, rule or grant lets it through, and a device alone
        cannot seal it. You prove that you are there, for exactly this call.
      </p>
      {live?.length === 0 ? (
        <Sheet className="mb-4 flex flex-wrap items-center justify-between gap-3 border-bad!">
          <p>
            <strong className="font-medium">No passkey is registered.</strong> Until one is, what is critical
            cannot be approved at all.
          </p>
          <ButtonLink to="/devices">Add a passkey</ButtonLink>
        </Sheet>
      ) : null}
      <Loaded
        query={whatCan}
        isEmpty={({ passkeyTools }) => passkeyTools.length === 0}
        empty={
          <EmptyState
            className="py-0!"
            sentence="No tool needs your passkey every time. Money, secrets and its own authority always do."
          />
        }
      >
        {({ passkeyTools }) => (
          <Sheet padded={false}>
            <ul aria-label="Tools that need your passkey">
              {passkeyTools.map((tool) => (
                <li
                  key={tool}
                  className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 first:border-t-0"
                >
                  <Mono text={tool} />
                  <Link to={`/tools/${tool}`}>What it can touch</Link>
                </li>
              ))}
            </ul>
          </Sheet>
        )}
      </Loaded>
      <Section title="To change them">
        <p className="mb-2 max-w-prose text-ink-2">
          They stand in the configuration of the gateway, out of reach of every agent. It is read when the
          gateway starts.
        </p>
        <Mono
          block
          text={'"passkeyTools": ["execute_shell"]'}
          className="max-w-prose rounded-1 border border-line bg-well px-3 py-2"
        />
      </Section>
    </>
  )
}
