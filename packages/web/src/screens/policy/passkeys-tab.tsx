/** The tools whose every call needs the operator's passkey, whatever else would let it through. */

import { useDevices, useGateway } from '../../environment/queries.ts'
import { ButtonLink, EmptyState, Link, Loaded, Mono, Section, Sheet } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'

const example = '"passkeyTools": ["execute_shell"]'

export function PasskeysTab() {
  const whatCan = useGateway(['grants', 'what-can', null], (client) => client.whatCan())
  const devices = useDevices()
  const live = devices.data?.passkeys.filter(({ revokedAt }) => revokedAt === null)
  return (
    <>
      <h2 className="sr-only">{words.tabs.passkeys}</h2>
      <p className="mb-4 max-w-prose text-ink-2">{words.passkeys.intro}</p>
      {live?.length === 0 ? (
        <Sheet className="mb-4 flex flex-wrap items-center justify-between gap-3 border-bad!">
          <p>
            <strong className="font-medium">{words.passkeys.missing}</strong> {words.passkeys.missingText}
          </p>
          <ButtonLink to="/devices">{words.passkeys.add}</ButtonLink>
        </Sheet>
      ) : null}
      <Loaded
        query={whatCan}
        isEmpty={({ passkeyTools }) => passkeyTools.length === 0}
        empty={<EmptyState className="py-0!" sentence={words.passkeys.none} />}
      >
        {({ passkeyTools }) => (
          <Sheet padded={false}>
            <ul aria-label={words.passkeys.list}>
              {passkeyTools.map((tool) => (
                <li
                  key={tool}
                  className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5 first:border-t-0"
                >
                  <Mono text={tool} />
                  <Link to={`/tools/${tool}`}>{words.passkeys.touches}</Link>
                </li>
              ))}
            </ul>
          </Sheet>
        )}
      </Loaded>
      <Section title={words.passkeys.change}>
        <p className="mb-2 max-w-prose text-ink-2">{words.passkeys.changeText}</p>
        <Mono block text={example} className="max-w-prose rounded-1 border border-line bg-well px-3 py-2" />
      </Section>
    </>
  )
}
