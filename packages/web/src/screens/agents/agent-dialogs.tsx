/** The windows about agents: a new one, one taken away or put back, and the whole of a prompt. */
import type { Agent } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import {
  Dialog,
  FormDialog,
  Loaded,
  Mono,
  Safe,
  Select,
  TextArea,
  TextField,
  useAct,
  useForm,
} from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/agents.tsx'
import { words as common } from '../../words/common.ts'
import { copyOf } from './agent-values.ts'

export function AddAgentDialog({
  agents,
  from,
  onClose,
}: {
  agents: readonly Agent[]
  /** The agent to begin with. */
  from?: Agent | undefined
  onClose: () => void
}) {
  const route = useRoute()
  const { perform } = useAct([['agents']])
  const form = useForm(
    {
      name: from === undefined ? '' : words.copyOf(from.name),
      from: from?.id ?? '',
      systemPrompt: from?.systemPrompt ?? '',
    },
    ({ name, systemPrompt }) => ({
      name: name.trim() === '' ? words.form.nameProblem : undefined,
      systemPrompt: systemPrompt.trim() === '' ? words.form.promptProblem : undefined,
    }),
  )
  const { name, systemPrompt } = form.values
  const source = agents.find(({ id }) => id === form.values.from)
  const add = () =>
    perform(async (client) => {
      const given = { name: name.trim(), systemPrompt }
      const { agent } = await client.addAgent(source === undefined ? given : { ...copyOf(source), ...given })
      route.go(route.href([agent.id]))
    }, words.said.added(name.trim()))
  const field = form.field('from')
  return (
    <FormDialog
      title={words.adding.title}
      form={form}
      submit={words.adding.submit}
      onSubmit={add}
      onClose={onClose}
    >
      <TextField label={words.form.name} maxLength={80} {...form.field('name')} />
      <Select
        label={words.adding.from}
        options={[['', words.adding.empty], ...agents.map(({ id, name: other }) => [id, other] as const)]}
        {...field}
        onChange={(event) => {
          field.onChange(event)
          const chosen = agents.find(({ id }) => id === event.target.value)
          if (chosen) form.set('systemPrompt', chosen.systemPrompt)
        }}
      />
      <TextArea
        rows={6}
        label={words.form.prompt}
        hint={words.form.promptHint}
        placeholder={words.adding.prompt}
        {...form.field('systemPrompt')}
      />
    </FormDialog>
  )
}

export function RemoveDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const route = useRoute()
  const { perform } = useAct([['agents']])
  const { builtIn, id, name } = agent
  const said = builtIn ? words.restoring : words.deleting
  const remove = () =>
    perform(
      async (client) => {
        await client.removeAgent(id)
        if (!builtIn) route.go(route.base, { replace: true })
      },
      builtIn ? words.said.restored(name) : words.said.deleted(name),
    )
  return (
    <FormDialog
      size="small"
      tone="danger"
      title={said.title(name)}
      description={`${said.description} ${common.cannotBeUndone}`}
      submit={said.submit}
      onSubmit={remove}
      onClose={onClose}
    />
  )
}

export function PromptDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const said = words.promptWindow
  const prompt = useGateway(['agents', agent.id, 'prompt'], (client) => client.agentPrompt(agent.id))
  return (
    <Dialog open onClose={onClose} size="large" title={said.title(agent.name)}>
      <Loaded query={prompt}>
        {({ text, tokens, model, dropped, tools }) => (
          <>
            <p className="text-ink-2">{said.length(tokens, <Safe text={model} />)}</p>
            <p className="text-small text-ink-3">{said.tools(tools.has, tools.shown.length)}</p>
            {dropped.length === 0 ? null : (
              <p className="text-small text-ink-3">{said.dropped(listWords(dropped))}</p>
            )}
            <Mono block text={text} className="mt-3 text-small" />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
