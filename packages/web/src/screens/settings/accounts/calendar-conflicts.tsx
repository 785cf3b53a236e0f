/** Entries that were changed here and on the server: both sides beside each other, and which one stays. */
import { conflictDifferences, type SyncConflict, shortened } from '@countersign/contract'
import { useGateway } from '../../../environment/queries.ts'
import { Button, Loaded, Safe, Section, Sheet, useAct } from '../../../kit/index.ts'
import { words } from '../../../words/accounts.ts'

export function CalendarConflicts() {
  const conflicts = useGateway(['calendar-conflicts'], (client) => client.syncConflicts())
  return (
    <Section title={words.conflicts.title} level={2}>
      <p className="mb-4 max-w-prose text-ink-2">{words.conflicts.about}</p>
      <Loaded query={conflicts} isEmpty={(rows) => rows.length === 0} empty={null}>
        {(rows) => (
          <ul className="space-y-3">
            {rows.map((conflict) => (
              <li key={conflict.id}>
                <Conflict conflict={conflict} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function Conflict({ conflict }: { conflict: SyncConflict }) {
  const { id, kind, title, account } = conflict
  const { act, isBusy } = useAct([['calendar-conflicts'], ['calendar-accounts']])
  const keep = (side: 'mine' | 'theirs') =>
    void act((client) => client.settleConflict(id, { keep: side }), words.conflicts.settled[side])
  return (
    <Sheet>
      <h3 className="text-base font-[600]">
        <Safe text={title} />
      </h3>
      <p className="text-small text-ink-2">
        {words.conflicts.kinds[kind]} · <Safe text={account} />
      </p>
      <table className="mt-2 w-full table-fixed text-small">
        <thead>
          <tr className="text-start text-ink-2">
            <th scope="col" className="w-1/5 text-start font-medium">
              {words.conflicts.field}
            </th>
            <th scope="col" className="text-start font-medium">
              {words.conflicts.mine}
            </th>
            <th scope="col" className="text-start font-medium">
              {words.conflicts.theirs}
            </th>
          </tr>
        </thead>
        <tbody>
          {conflictDifferences(conflict).map(({ name, mine, theirs }) => (
            <tr key={name} className="border-t border-line align-top">
              <th scope="row" className="py-1 pe-2 text-start font-normal break-words text-ink-2">
                <Safe text={name} />
              </th>
              <td className="py-1 pe-2 break-words">
                <Side text={mine} />
              </td>
              <td className="py-1 break-words">
                <Side text={theirs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={isBusy} onClick={() => keep('mine')}>
          {words.conflicts.keep.mine}
        </Button>
        <Button busy={isBusy} onClick={() => keep('theirs')}>
          {words.conflicts.keep.theirs}
        </Button>
      </div>
    </Sheet>
  )
}

const longest = 300

function Side({ text }: { text: string | undefined }) {
  return text === undefined ? <em>{words.conflicts.nothing}</em> : <Safe text={shortened(text, longest)} />
}
