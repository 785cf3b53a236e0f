/** Teams of agents: who is in one, how one of them is chosen, and who would answer a message. */
import type { Agent, AgentTeam, TeamRoute, TeamRouter } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import {
  Button,
  Chip,
  EmptyState,
  FormDialog,
  Loaded,
  Page,
  Safe,
  Section,
  Select,
  Sheet,
  TextArea,
  TextField,
  Toggle,
  useAct,
  useForm,
} from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/agents.tsx'
import { words as common } from '../../words/common.ts'
import { Ticks } from './agent-fields.tsx'
import { AgentTabs } from './tabs.tsx'

const said = words.team

export function TeamsPage({ agents }: { agents: readonly Agent[] }) {
  const teams = useGateway(['agents', 'teams'], (client) => client.agentTeams())
  const answering = useGateway(['agents', 'answering'], (client) => client.answering())
  const { isBusy, act } = useAct([['agents', 'answering']])
  const [edited, setEdited] = useState<AgentTeam | 'new' | null>(null)
  return (
    <Page
      title={words.title}
      width="reading"
      actions={
        teams.data?.length === 0 ? undefined : (
          <Button icon={Plus} onClick={() => setEdited('new')}>
            {said.add}
          </Button>
        )
      }
    >
      <AgentTabs current="teams" />
      {answering.data === undefined ? null : (
        <Toggle
          label={said.byKeywords}
          checked={answering.data.byKeywords}
          disabled={isBusy}
          onChange={(byKeywords) => void act((client) => client.setAnswering({ byKeywords }))}
        />
      )}
      <Loaded
        query={teams}
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState
            sentence={said.empty}
            action={
              <Button variant="go" icon={Plus} onClick={() => setEdited('new')}>
                {said.add}
              </Button>
            }
          />
        }
      >
        {(all) =>
          all.map((team) => (
            <Team
              key={team.id}
              team={team}
              agents={agents}
              isDefault={answering.data?.team === team.id}
              onEdit={() => setEdited(team)}
            />
          ))
        }
      </Loaded>
      {edited === null ? null : (
        <TeamDialog
          team={edited === 'new' ? undefined : edited}
          agents={agents}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  )
}

function nameOf(agents: readonly Agent[], id: string): string {
  return agents.find((agent) => agent.id === id)?.name ?? id
}

function Team({
  team,
  agents,
  isDefault,
  onEdit,
}: {
  team: AgentTeam
  agents: readonly Agent[]
  isDefault: boolean
  onEdit: () => void
}) {
  const { isBusy, act } = useAct([
    ['agents', 'teams'],
    ['agents', 'answering'],
  ])
  const { id, name, description, router, fallback, sharedContext } = team
  const use = () =>
    void act(
      (client) => client.setAnswering({ team: isDefault ? null : id }),
      isDefault ? said.unused(name) : said.used(name),
    )
  return (
    <Section
      level={2}
      title={name}
      aside={
        <span className="flex gap-1">
          {isDefault ? <Chip>{said.isDefault}</Chip> : null}
          <Button variant="quiet" size="small" busy={isBusy} onClick={use}>
            {isDefault ? said.unuse : said.use}
          </Button>
          <Button variant="quiet" size="small" onClick={onEdit}>
            {said.edited}
          </Button>
          <Button
            variant="quiet"
            size="small"
            busy={isBusy}
            onClick={() =>
              void act(
                (client) => client.removeAgentTeam(id),
                said.deleted(name),
                (client) =>
                  client.addAgentTeam({
                    name,
                    description,
                    agents: team.agents,
                    router,
                    ...(fallback === undefined ? {} : { fallback }),
                    ...(sharedContext === undefined ? {} : { sharedContext }),
                  }),
              )
            }
          >
            {said.delete}
          </Button>
        </span>
      }
    >
      <Sheet>
        {description === '' ? null : (
          <p className="text-ink-2">
            <Safe text={description} />
          </p>
        )}
        <p>
          <Safe text={listWords(team.agents.map((each) => nameOf(agents, each)))} />
        </p>
        <p className="text-small text-ink-3">{said.routers[router.kind]}</p>
        <WhoAnswers team={id} agents={agents} />
      </Sheet>
    </Section>
  )
}

function WhoAnswers({ team, agents }: { team: string; agents: readonly Agent[] }) {
  const { isBusy, act } = useAct([])
  const [text, setText] = useState('')
  const [route, setRoute] = useState<TeamRoute | null>(null)
  const ask = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '' && !isBusy)
      void act(async (client) => setRoute(await client.routeInTeam(team, text.trim())))
  }
  return (
    <form onSubmit={ask} className="mt-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField label={said.try} value={text} onChange={({ target }) => setText(target.value)} />
        </div>
        <Button type="submit" busy={isBusy} disabled={text.trim() === ''}>
          {said.tryButton}
        </Button>
      </div>
      <p role="status" className="mt-1.5 text-small text-ink-2">
        {route === null ? null : (
          <>
            {said.answers(<Safe text={nameOf(agents, route.agent)} className="font-medium" />)}{' '}
            {said.because[route.by](listWords(route.matched))}
          </>
        )}
      </p>
    </form>
  )
}

function TeamDialog({
  team,
  agents,
  onClose,
}: {
  team: AgentTeam | undefined
  agents: readonly Agent[]
  onClose: () => void
}) {
  const { perform } = useAct([['agents', 'teams']])
  const form = useForm(
    {
      name: team?.name ?? '',
      description: team?.description ?? '',
      agents: (team?.agents ?? []) as readonly string[],
      router: (team?.router.kind ?? 'keywords') as TeamRouter['kind'],
      fallback: team?.fallback ?? '',
      shared: team?.sharedContext ?? '',
    },
    (values) => ({
      name: values.name.trim() === '' ? said.nameProblem : undefined,
      agents: values.agents.length === 0 ? said.membersProblem : undefined,
    }),
  )
  const save = () => {
    const { name, description, router, fallback, shared, agents: members } = form.values
    const given = { name: name.trim(), description, agents: [...members], router: { kind: router } }
    return perform(
      (client) =>
        team === undefined
          ? client.addAgentTeam({
              ...given,
              ...(fallback === '' ? {} : { fallback }),
              ...(shared.trim() === '' ? {} : { sharedContext: shared }),
            })
          : client.changeAgentTeam(team.id, {
              ...given,
              fallback: fallback === '' ? null : fallback,
              sharedContext: shared.trim() === '' ? null : shared,
            }),
      said.saved,
    )
  }
  const members = form.values.agents
  return (
    <FormDialog
      title={team === undefined ? said.add : said.edit}
      form={form}
      submit={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label={said.name} maxLength={80} {...form.field('name')} />
      <TextField label={said.description} maxLength={500} {...form.field('description')} />
      <TextArea label={said.shared} maxLength={4_000} {...form.field('shared')} />
      <Ticks
        label={said.members}
        problem={form.problemOf('agents')}
        options={agents.map(({ id, name }) => [id, name] as const)}
        chosen={members}
        onChange={(chosen) => form.set('agents', chosen)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={said.router} options={Object.entries(said.routers)} {...form.field('router')} />
        <Select
          label={said.fallback}
          options={[['', said.first], ...members.map((id) => [id, nameOf(agents, id)] as const)]}
          {...form.field('fallback')}
        />
      </div>
    </FormDialog>
  )
}
