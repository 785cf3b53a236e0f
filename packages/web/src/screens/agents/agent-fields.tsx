/** The fields of an agent: its words, its model, its tools, its data, its limits. */
import { DataAccess, PromptPart } from '@countersign/contract'
import { useModels, useTools } from '../../environment/queries.ts'
import { Checkbox, type Form, Section, Select, Sheet, TextArea, TextField, Toggle } from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'
import type { AgentValues } from './agent-values.ts'

interface FieldsProps {
  readonly form: Form<AgentValues>
}

const said = words.form

export function AgentFields({ form }: FieldsProps) {
  return (
    <>
      <WordFields form={form} />
      <ToolFields form={form} />
      <DataFields form={form} />
      <LimitFields form={form} />
    </>
  )
}

function WordFields({ form }: FieldsProps) {
  const models = useModels()
  const refs = (models.data ?? []).map(({ ref, title }) => [ref, title] as const)
  const known = refs.some(([ref]) => ref === form.values.model) || form.values.model === 'default'
  return (
    <div className="mt-4 space-y-4">
      <div className="grid gap-4 sm:grid-cols-[1fr_5rem]">
        <TextField label={said.name} maxLength={80} {...form.field('name')} />
        <TextField label={said.emoji} maxLength={16} {...form.field('emoji')} />
      </div>
      <TextField label={said.description} maxLength={500} {...form.field('description')} />
      <TextArea
        rows={9}
        label={said.prompt}
        hint={said.promptHint}
        maxLength={8_000}
        {...form.field('systemPrompt')}
      />
      <Select
        label={said.model}
        options={[
          ['default', said.defaultModel],
          ...(known ? [] : [[form.values.model, form.values.model] as const]),
          ...refs,
        ]}
        {...form.field('model')}
      />
      <ToldFields form={form} />
      <Toggle label={said.enabled} {...form.tick('enabled')} />
      <Toggle label={said.talks} {...form.tick('talks')} />
    </div>
  )
}

function ToldFields({ form }: FieldsProps) {
  return (
    <>
      <Ticks
        label={said.told}
        hint={said.toldHint}
        options={PromptPart.options.map((part) => [part, said.toldNames[part]] as const)}
        chosen={form.values.told}
        onChange={(chosen) => form.set('told', chosen)}
      />
      <TextField
        label={said.history}
        hint={said.limitHint}
        inputMode="numeric"
        {...form.field('historyTokens')}
      />
    </>
  )
}

function ToolFields({ form }: FieldsProps) {
  const tools = useTools()
  const groups = [
    ...new Set([...(tools.data ?? []).map(({ group }) => group), ...form.values.groups]),
  ].toSorted()
  return (
    <Section title={said.tools}>
      <Sheet className="space-y-4">
        <Ticks
          label={said.groups}
          hint={said.groupsHint}
          options={groups.map((group) => [group, group] as const)}
          chosen={form.values.groups}
          onChange={(chosen) => form.set('groups', chosen)}
        />
        <TextField label={said.toolNames} hint={said.toolNamesHint} {...form.field('tools')} />
        <TextField label={said.keywords} hint={said.keywordsHint} {...form.field('keywords')} />
      </Sheet>
    </Section>
  )
}

function DataFields({ form }: FieldsProps) {
  return (
    <Section title={said.data}>
      <Sheet>
        <Ticks
          label={said.data}
          hideLabel
          options={DataAccess.options.map((name) => [name, said.dataNames[name]] as const)}
          chosen={form.values.data}
          onChange={(chosen) => form.set('data', chosen)}
        />
      </Sheet>
    </Section>
  )
}

function LimitFields({ form }: FieldsProps) {
  return (
    <Section title={said.limits} aside={said.limitHint}>
      <Sheet className="grid gap-4 sm:grid-cols-4">
        <TextField label={said.maxTurns} inputMode="numeric" {...form.field('maxTurns')} />
        <TextField label={said.maxToolCalls} inputMode="numeric" {...form.field('maxToolCalls')} />
        <TextField label={said.maxTokens} inputMode="numeric" {...form.field('maxTokens')} />
        <TextField label={said.temperature} inputMode="decimal" {...form.field('temperature')} />
        <div className="sm:col-span-4">
          <TextField label={said.folder} hint={said.folderNote} {...form.field('folder')} />
        </div>
      </Sheet>
    </Section>
  )
}

/** Any of several. */
export function Ticks({
  label,
  hint,
  hideLabel = false,
  problem,
  options,
  chosen,
  onChange,
}: {
  label: string
  hint?: string
  hideLabel?: boolean
  problem?: string | undefined
  options: readonly (readonly [value: string, label: string])[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  return (
    <fieldset>
      <legend className={hideLabel ? 'sr-only' : 'mb-1 text-small font-medium text-ink-2'}>{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4">
        {options.map(([value, name]) => (
          <Checkbox
            key={value}
            label={name}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
          />
        ))}
      </div>
      {hint === undefined ? null : <p className="mt-1 text-small text-ink-3">{hint}</p>}
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-small font-medium text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
