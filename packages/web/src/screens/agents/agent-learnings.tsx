/** What an agent has learned: read, accepted, added, changed and removed. */
import type { AgentLearning } from '@countersign/contract'
import { Check, Pencil, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import {
  Button,
  Chip,
  FormDialog,
  Loaded,
  Safe,
  Section,
  Sheet,
  TextArea,
  Time,
  useAct,
  useForm,
} from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'
import { words as common } from '../../words/common.ts'

const said = words.learnings

export function AgentLearnings({ agent }: { agent: string }) {
  const [adding, setAdding] = useState(false)
  const learnings = useGateway(['agents', agent, 'learnings'], (client) => client.agentLearnings(agent))
  return (
    <Section
      title={said.title}
      aside={
        <Button variant="quiet" size="small" icon={Plus} onClick={() => setAdding(true)}>
          {said.add}
        </Button>
      }
    >
      <Loaded query={learnings}>
        {(all) => (
          <Sheet>
            {all.length === 0 ? <p className="text-ink-3">{said.none}</p> : null}
            <ul className="space-y-1.5">
              {all.map((learning) => (
                <LearningRow key={learning.id} agent={agent} learning={learning} />
              ))}
            </ul>
          </Sheet>
        )}
      </Loaded>
      {adding ? <LearningDialog agent={agent} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}

function LearningRow({ agent, learning }: { agent: string; learning: AgentLearning }) {
  const { isBusy, act } = useAct([['agents', agent, 'learnings']])
  const [changing, setChanging] = useState(false)
  const { id, text, at, waits } = learning
  const short = text.slice(0, 60)
  return (
    <li className="flex flex-wrap items-start gap-2">
      <span className="min-w-0 flex-1 basis-48">
        <Safe text={text} /> <Time at={at} className="text-small text-ink-3" />
        {waits ? (
          <span className="mt-1 block text-small text-ink-2">
            <Chip tone="waiting">{said.waits}</Chip> {said.waitsNote}
          </span>
        ) : null}
      </span>
      {waits ? (
        <Button
          size="small"
          icon={Check}
          busy={isBusy}
          aria-label={said.acceptOne(short)}
          onClick={() => void act((client) => client.setAgentLearning(agent, id, { text }), said.accepted)}
        >
          {said.accept}
        </Button>
      ) : null}
      <Button
        variant="quiet"
        size="small"
        icon={Pencil}
        aria-label={said.change(short)}
        onClick={() => setChanging(true)}
      />
      <Button
        variant="quiet"
        size="small"
        icon={X}
        busy={isBusy}
        aria-label={said.remove(short)}
        onClick={() => void act((client) => client.removeAgentLearning(agent, id), said.removed)}
      />
      {changing ? (
        <LearningDialog agent={agent} learning={learning} onClose={() => setChanging(false)} />
      ) : null}
    </li>
  )
}

/** Adds one, or gives the one that is named other words. */
function LearningDialog({
  agent,
  learning,
  onClose,
}: {
  agent: string
  learning?: AgentLearning
  onClose: () => void
}) {
  const { perform } = useAct([['agents', agent, 'learnings']])
  const form = useForm({ text: learning?.text ?? '' }, ({ text }) => ({
    text: text.trim() === '' ? said.problem : undefined,
  }))
  const save = () =>
    perform((client) => {
      const body = { text: form.values.text.trim() }
      return learning === undefined
        ? client.addAgentLearning(agent, body)
        : client.setAgentLearning(agent, learning.id, body)
    })
  return (
    <FormDialog
      size="small"
      title={learning === undefined ? said.add : said.change(learning.text.slice(0, 60))}
      form={form}
      submit={learning === undefined ? common.add : common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextArea label={said.text} hint={said.textHint} {...form.field('text')} />
    </FormDialog>
  )
}
