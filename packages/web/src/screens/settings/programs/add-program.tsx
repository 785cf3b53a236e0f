/** Lets a program in: its name, whom it asks, and what its words are worth. Its token is shown once it is there. */
import { ProgramName, ProgramRole, type ProgramToken } from '@countersign/contract'
import { useChange, useGateway } from '../../../environment/queries.ts'
import { Checkbox, FormDialog, Select, TextField, useForm } from '../../../kit/index.ts'
import { words } from '../../../words/programs.tsx'

const usualAgent = 'reception'

export function AddProgram({
  taken,
  onClose,
  onToken,
}: {
  taken: readonly string[]
  onClose: () => void
  onToken: (made: ProgramToken) => void
}) {
  const agents = useGateway(['agents'], (client) => client.agents())
  const form = useForm({ name: '', agent: usualAgent, role: 'guest', hears: false }, ({ name }) => ({
    name: nameProblem(name, taken),
  }))
  const { name, agent, role, hears } = form.values
  const add = useChange(
    (client) => client.addProgram({ name, agents: [agent], role: ProgramRole.parse(role), private: hears }),
    [['programs']],
  )
  const choices = (agents.data ?? []).map((each) => [each.id, each.name] as const)
  return (
    <FormDialog
      title={words.addTitle}
      form={form}
      submit={words.letIn}
      onClose={onClose}
      onSubmit={async () => onToken(await add.mutateAsync())}
    >
      <TextField label={words.name} hint={words.nameHint} spellCheck={false} {...form.field('name')} />
      <Select
        label={words.agent}
        hint={words.agentHint}
        options={choices.length === 0 ? [[usualAgent, usualAgent]] : choices}
        {...form.field('agent')}
      />
      <Select
        label={words.role}
        options={ProgramRole.options.map((each) => [each, words.roles[each]] as const)}
        {...form.field('role')}
      />
      <div>
        <Checkbox label={words.hears} {...form.tick('hears')} />
        <p className="text-small text-ink-2">{words.hearsHint}</p>
      </div>
    </FormDialog>
  )
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!ProgramName.safeParse(name).success) return words.nameProblem
  return taken.includes(name) ? words.nameTaken : undefined
}
