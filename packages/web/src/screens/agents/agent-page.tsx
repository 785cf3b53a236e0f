/** One agent: everything that can be set of it, and a place to try it beside. */
import type { Agent } from '@countersign/contract'
import { Check, Copy, MessageSquarePlus, RotateCcw, ScrollText, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import {
  Button,
  Chip,
  type Form,
  FormError,
  hearsKeys,
  Menu,
  type MenuItem,
  Safe,
  shellWord,
  submitsByKey,
  useAct,
  useCopyCommand,
  useForm,
  useSubmit,
} from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'
import { words as common } from '../../words/common.ts'
import { AddAgentDialog, PromptDialog, RemoveDialog } from './agent-dialogs.tsx'
import { AgentFields } from './agent-fields.tsx'
import { AgentLearnings } from './agent-learnings.tsx'
import { type AgentValues, agentChange, agentProblems, agentValues } from './agent-values.ts'
import { TryAgent } from './try-agent.tsx'

export function AgentPage({ agent, agents }: { agent: Agent; agents: readonly Agent[] }) {
  const form = useForm(agentValues(agent), agentProblems)
  return (
    <article>
      <Heading agent={agent} />
      <Actions agent={agent} agents={agents} />
      <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(18rem,24rem)] xl:gap-8">
        <AgentForm agent={agent} form={form} />
        <div className="xl:pt-4">
          <TryAgent agent={agent} isChanged={form.isChanged} />
          {agent.kind === 'user' || agent.kind === 'custom' ? <AgentLearnings agent={agent.id} /> : null}
        </div>
      </div>
    </article>
  )
}

function Heading({ agent }: { agent: Agent }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        {agent.isDefault ? <Chip tone="ok">{words.chips.default}</Chip> : null}
        {agent.enabled ? null : <Chip>{words.chips.off}</Chip>}
        <span>{agent.builtIn ? words.chips.builtIn : words.kinds[agent.kind]}</span>
        {agent.changed ? <span>· {words.chips.changed}</span> : null}
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={agent.name} />
      </h2>
      {agent.description === '' ? null : (
        <p className="max-w-prose text-ink-2">
          <Safe text={agent.description} />
        </p>
      )}
    </>
  )
}

function AgentForm({ agent, form }: { agent: Agent; form: Form<AgentValues> }) {
  const { perform } = useAct([['agents']])
  const submitting = useSubmit(form, async () => {
    await perform((client) => client.changeAgent(agent.id, agentChange(agent, form.values)), words.said.saved)
    form.reset(form.values)
  })
  return (
    <form
      noValidate
      ref={hearsKeys(submitsByKey)}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        submitting.submit(event.currentTarget)
      }}
    >
      <AgentFields form={form} />
      {submitting.error === null ? null : (
        <div className="mt-4">
          <FormError error={submitting.error} />
        </div>
      )}
      {form.isChanged || submitting.isBusy ? (
        <div className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center gap-2 border-t border-line bg-paper py-3 max-md:bottom-(--thumb-bar)">
          <span className="min-w-0 flex-1 text-small text-ink-2">{words.form.unsaved}</span>
          <Button variant="quiet" onClick={() => form.reset(agentValues(agent))}>
            {words.actions.discard}
          </Button>
          <Button type="submit" variant="go" busy={submitting.isBusy}>
            {submitting.isBusy ? common.working : words.actions.save}
          </Button>
        </div>
      ) : null}
    </form>
  )
}

function Actions({ agent, agents }: { agent: Agent; agents: readonly Agent[] }) {
  const { isBusy, act } = useAct([['agents']])
  const command = useCopyCommand()
  const [window, setWindow] = useState<'copy' | 'prompt' | 'remove' | null>(null)
  const close = () => setWindow(null)
  const { id, name } = agent
  const before = agents.find(({ isDefault }) => isDefault)
  const remove: MenuItem = {
    label: agent.builtIn ? words.actions.restore : words.actions.delete,
    icon: agent.builtIn ? RotateCcw : Trash2,
    run: () => setWindow('remove'),
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {agent.isDefault ? null : (
        <Button
          icon={Check}
          busy={isBusy}
          onClick={() =>
            void act(
              (client) => client.useAgent(id),
              words.said.used(name),
              before && ((client) => client.useAgent(before.id)),
            )
          }
        >
          {words.actions.use}
        </Button>
      )}
      <Button icon={Copy} onClick={() => setWindow('copy')}>
        {words.actions.copy}
      </Button>
      <Menu
        label={common.more}
        items={[
          { label: words.actions.prompt, icon: ScrollText, run: () => setWindow('prompt') },
          {
            label: words.actions.reset,
            icon: MessageSquarePlus,
            run: () => void act((client) => client.resetAgent(id), words.said.reset),
          },
          ...(agent.builtIn && !agent.changed ? [] : [remove]),
          command(`countersign agent show ${shellWord(id)}`),
        ]}
      />
      {window === 'copy' ? <AddAgentDialog agents={agents} from={agent} onClose={close} /> : null}
      {window === 'prompt' ? <PromptDialog agent={agent} onClose={close} /> : null}
      {window === 'remove' ? <RemoveDialog agent={agent} onClose={close} /> : null}
    </div>
  )
}
