/** Programs that may ask by a token: what each may, when it asked last, and what can be done about it. */
import type { KnownProgram, ProgramToken } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../../environment/asked-for.ts'
import { useGateway } from '../../../environment/queries.ts'
import {
  Button,
  Chip,
  EmptyState,
  Facts,
  Loaded,
  Menu,
  Money,
  Mono,
  Safe,
  Sheet,
  Time,
  useAct,
  useCopyCommand,
} from '../../../kit/index.ts'
import { words } from '../../../words/programs.tsx'
import { limitWords } from '../../channels/peer-limits.ts'
import { AddProgram } from './add-program.tsx'
import { RemoveProgram, RotateProgram } from './change-dialogs.tsx'
import { TokenDialog } from './token-dialog.tsx'

export function Programs() {
  const programs = useGateway(['programs'], (client) => client.programs())
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<ProgramToken | null>(null)
  useAskedFor('add', () => setAdding(true))
  const add = (
    <Button variant="go" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  return (
    <>
      <p className="mb-4 max-w-prose text-ink-2">{words.about}</p>
      <Loaded
        query={programs}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState sentence={words.none} action={add} />}
      >
        {(rows) => (
          <>
            <ul className="space-y-3">
              {rows.map((program) => (
                <li key={program.name}>
                  <ProgramCard program={program} onToken={setMade} />
                </li>
              ))}
            </ul>
            <div className="mt-4">{add}</div>
          </>
        )}
      </Loaded>
      {adding ? (
        <AddProgram
          taken={(programs.data ?? []).map(({ name }) => name)}
          onClose={() => setAdding(false)}
          onToken={setMade}
        />
      ) : null}
      {made === null ? null : (
        <TokenDialog name={made.program.name} token={made.token} onClose={() => setMade(null)} />
      )}
    </>
  )
}

function ProgramCard({ program, onToken }: { program: KnownProgram; onToken: (made: ProgramToken) => void }) {
  const { name, paused, role } = program
  const [opened, setOpened] = useState<'rotate' | 'remove' | null>(null)
  const { act } = useAct([['programs']])
  const copyCommand = useCopyCommand()
  const close = () => setOpened(null)
  const toggle = () =>
    void act(
      (client) => client.changeProgram(name, { paused: !paused }),
      paused ? words.resumed(name) : words.paused(name),
    )
  return (
    <Sheet>
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 flex-1 text-base font-[600]">
          <Mono text={name} className="bg-transparent px-0" />
        </h3>
        <Chip tone={paused ? 'bad' : 'plain'}>{words.standing[paused ? 'paused' : role]}</Chip>
        <Menu
          label={<span aria-label={words.menu(name)}>{words.more}</span>}
          items={[
            { label: paused ? words.resume : words.pause, run: toggle },
            { label: words.rotate, run: () => setOpened('rotate') },
            { label: words.remove, run: () => setOpened('remove') },
            copyCommand(`countersign program limit ${name} --daily-usd 1`),
          ]}
        />
      </div>
      <ProgramFacts program={program} />
      {opened === 'rotate' ? <RotateProgram name={name} onClose={close} onToken={onToken} /> : null}
      {opened === 'remove' ? <RemoveProgram name={name} onClose={close} /> : null}
    </Sheet>
  )
}

function ProgramFacts({ program }: { program: KnownProgram }) {
  const { agents, private: hears, limits, tokenEnd, lastUsedAt, spentUsd } = program
  return (
    <Facts
      className="mt-2"
      rows={[
        [words.asks, <Safe key="asks" text={agents.join(', ')} />],
        [words.private, words.privacies[hears ? 'private' : 'public']],
        [words.limits, <Safe key="limits" text={limitWords(limits).join(' · ')} />],
        [words.today, <Money key="today" usd={spentUsd} />],
        [words.lastAsked, lastUsedAt === null ? words.never : <Time key="asked" at={lastUsedAt} />],
        [words.tokenEnd, words.endsIn(<Mono text={tokenEnd} />)],
      ]}
    />
  )
}
