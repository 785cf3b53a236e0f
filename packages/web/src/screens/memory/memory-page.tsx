/** One memory: its words, where they came from, every time that an agent was told, and what can be done with it. */

import type { MemoryDetail, MemoryView } from '@countersign/contract'
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useChange, useGateway } from '../../environment/queries.ts'
import {
  Button,
  Chip,
  Facts,
  Link,
  Loaded,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  Time,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/memory.tsx'
import { ForgetDialog } from './forget-dialog.tsx'
import { EditMemoryDialog } from './memory-form.tsx'

interface Leaving {
  /** It is forgotten. */
  readonly onGone: () => void
  /** Another one stands in its place. */
  readonly onMoved: (id: string) => void
}

export function MemoryPage({ id, ...leaving }: { id: string } & Leaving) {
  const memory = useGateway(['memories', 'one', id], (client) => client.memory(id))
  return <Loaded query={memory}>{(detail) => <Memory detail={detail} {...leaving} />}</Loaded>
}

function Memory({ detail, ...leaving }: { detail: MemoryDetail } & Leaving) {
  const { memory, used, earlier } = detail
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <Chip>{words.types[memory.type]}</Chip>
        {memory.status === 'active' ? null : <Chip tone="waiting">{words.statuses[memory.status]}</Chip>}
        <span>{words.since(<Time at={memory.createdAt} />)}</span>
      </div>
      <h2 className="mt-2 max-w-prose text-title font-medium">
        <Safe text={memory.content} />
      </h2>
      {memory.status === 'suggested' ? <Review id={memory.id} /> : null}
      <Actions memory={memory} {...leaving} />
      <Origin memory={memory} />
      <Section title={words.used} aside={words.times(memory.uses)}>
        <Sheet padded={used.length === 0}>
          {used.length === 0 ? <p className="text-ink-3">{words.notUsed}</p> : null}
          {used.map((use) => (
            <div
              key={`${use.run} ${use.at}`}
              className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0"
            >
              <code>{use.tool}</code>
              <Time at={use.at} className="text-small text-ink-3" />
              <span className="ms-auto">
                <Link to={`/activity/${use.run}`}>{words.run}</Link>
              </span>
            </div>
          ))}
        </Sheet>
      </Section>
      {earlier.length === 0 ? null : (
        <Section title={words.replaced}>
          <Sheet>
            {earlier.map((before) => (
              <p key={before.id} className="text-ink-2">
                <Safe text={before.content} />
              </p>
            ))}
          </Sheet>
        </Section>
      )}
    </article>
  )
}

function Origin({ memory }: { memory: MemoryView }) {
  const { source } = memory
  return (
    <Section title={words.origin}>
      <Sheet>
        <Facts
          rows={[
            [words.kind, words.kinds[source.kind]],
            [
              words.excerpt,
              source.excerpt === undefined ? null : (
                <SafeBlock key="excerpt" text={words.quoted(source.excerpt)} className="text-ink-2" />
              ),
            ],
            [
              words.conversation,
              source.session === undefined ? null : (
                <Link key="session" to={`/chat/${source.session}`}>
                  {words.open}
                </Link>
              ),
            ],
            [
              words.run,
              source.run === undefined ? null : (
                <Link key="run" to={`/activity/${source.run}`}>
                  {words.open}
                </Link>
              ),
            ],
            [
              words.trust,
              memory.label === null ? words.yourWords : words.externalFrom(memory.label.sources.join(', ')),
            ],
          ]}
        />
      </Sheet>
    </Section>
  )
}

function Review({ id }: { id: string }) {
  const notify = useNotify()
  const decide = useChange(
    (client, keep: boolean) => (keep ? client.acceptMemory(id) : client.rejectMemory(id)),
    [['memories']],
  )
  const run = (keep: boolean) =>
    decide.mutate(keep, {
      onSuccess: ({ ledger }) => notify({ text: (keep ? words.kept : words.notKept)(ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <div className="mt-3 flex gap-2">
      <Button busy={decide.isPending} onClick={() => run(false)}>
        {words.reject}
      </Button>
      <Button variant="go" busy={decide.isPending} onClick={() => run(true)}>
        {words.keep}
      </Button>
    </div>
  )
}

function Actions({ memory, onGone, onMoved }: { memory: MemoryView } & Leaving) {
  const notify = useNotify()
  const [open, setOpen] = useState<'edit' | 'forget' | null>(null)
  const pin = useChange((client, pinned: boolean) => client.editMemory(memory.id, { pinned }), [['memories']])
  const isUsed = memory.status === 'active' || memory.status === 'suggested'
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {isUsed ? (
        <>
          <Button icon={Pencil} onClick={() => setOpen('edit')}>
            {words.edit}
          </Button>
          <Button
            icon={memory.pinned ? PinOff : Pin}
            busy={pin.isPending}
            onClick={() =>
              pin.mutate(!memory.pinned, {
                onError: (error) => notify({ text: error.message, tone: 'bad' }),
              })
            }
          >
            {memory.pinned ? words.unpin : words.pin}
          </Button>
        </>
      ) : null}
      <Button variant="danger" icon={Trash2} onClick={() => setOpen('forget')}>
        {words.forget.open}
      </Button>
      {open === 'edit' ? (
        <EditMemoryDialog memory={memory} onClose={() => setOpen(null)} onChanged={onMoved} />
      ) : null}
      {open === 'forget' ? (
        <ForgetDialog
          id={memory.id}
          content={memory.content}
          onClose={() => setOpen(null)}
          onForgotten={onGone}
        />
      ) : null}
    </div>
  )
}
