/** Which Countersign this is. */
import { useStatus } from '../../environment/queries.ts'
import { Facts, Link, Loaded, Mono, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'

export function About() {
  const status = useStatus()
  return (
    <Loaded query={status}>
      {({ version, url, startedAt, gateway }) => (
        <Sheet className="space-y-4">
          <Facts
            rows={[
              [words.about.version, version],
              [words.about.address, <Mono key="address" text={url} />],
              [words.about.gateway, <Mono key="gateway" text={gateway} />],
              [words.about.started, <Time key="started" at={startedAt} />],
              [words.about.licence, words.about.licenceName],
              [words.about.docs, words.about.docsWhere],
            ]}
          />
          <p className="text-small">
            <Link to="/health">{words.about.health}</Link>
          </p>
        </Sheet>
      )}
    </Loaded>
  )
}
