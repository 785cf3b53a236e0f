/** Owns the form that tries a tool: what a call would do, and the call itself, which passes the same door as an agent's. */
import type { ToolDetail, TriedCall } from '@countersign/contract'
import { useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { Button, Safe, Section, Select, Sheet, TextField, TierChip, useNotify } from '../../kit/index.ts'
import { words } from '../../words/tools.tsx'
import { type Argument, argumentsOf, argumentText } from './arguments.ts'

export function TryIt({ tool }: { tool: ToolDetail }) {
  const notify = useNotify()
  const go = useGo()
  const list = argumentsOf(tool.schema)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const args = argumentText(list, values)
  const preview = useChange((client) => client.tryTool(tool.name, args))
  const run = useChange((client) => client.callTool(tool.name, args), [['runs'], ['tools']])
  const failed = preview.error ?? run.error
  return (
    <Section title={words.tryIt.title}>
      <Sheet className="space-y-3">
        {list.map((each) => (
          <ArgumentField
            key={each.name}
            argument={each}
            value={values[each.name] ?? ''}
            onChange={(value) => setValues({ ...values, [each.name]: value })}
          />
        ))}
        <div className="flex flex-wrap gap-2">
          <Button busy={preview.isPending} onClick={() => preview.mutate()}>
            {words.tryIt.preview}
          </Button>
          <Button
            busy={run.isPending}
            disabled={!tool.enabled}
            onClick={() =>
              run.mutate(undefined, {
                onSuccess: (made) =>
                  notify({
                    text: words.tryIt.started(tool.name),
                    action: { label: words.tryIt.open, run: () => go(`/activity/${made.run}`) },
                  }),
              })
            }
          >
            {words.tryIt.run}
          </Button>
        </div>
        <p className="text-small text-ink-3">{words.tryIt.about}</p>
        {failed === null ? null : (
          <p role="alert" className="text-small font-medium text-bad">
            <Safe text={failed.message} />
          </p>
        )}
        <div role="status">
          {preview.data?.map((tried, index) => (
            <Tried key={index} tried={tried} />
          ))}
        </div>
      </Sheet>
    </Section>
  )
}

function Tried({ tried }: { tried: TriedCall }) {
  if (tried.kind === 'impossible')
    return (
      <p className="text-bad">
        <Safe text={tried.reason} />
      </p>
    )
  return (
    <p className="flex flex-wrap items-center gap-2">
      <TierChip tier={tried.card.tier} />
      <span className="font-medium">{words.tryIt.decisions[tried.decision]}</span>
      <Safe text={tried.card.headline} />
    </p>
  )
}

function ArgumentField({
  argument,
  value,
  onChange,
}: {
  argument: Argument
  value: string
  onChange: (value: string) => void
}) {
  const { name, kind, choices, required, about } = argument
  const label = required ? words.tryIt.required(name) : name
  const options = kind === 'boolean' ? ['true', 'false'] : choices
  if (options.length > 0)
    return (
      <Select
        label={label}
        hint={<Safe text={about} />}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        options={[['', words.tryIt.notGiven], ...options.map((each) => [each, yesNo(kind, each)] as const)]}
      />
    )
  return (
    <TextField
      label={label}
      hint={<Safe text={kind === 'other' ? words.tryIt.json(about) : about} />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function yesNo(kind: Argument['kind'], value: string): string {
  if (kind !== 'boolean') return value
  return value === 'true' ? words.tryIt.yes : words.tryIt.no
}
