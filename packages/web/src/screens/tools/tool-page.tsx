/** One tool: what it does, what it takes, how it went, and how it is switched. */
import type { ToolDetail } from '@countersign/contract'
import { useChange, useGateway } from '../../data/queries.ts'
import {
  Chip,
  Commands,
  Facts,
  Loaded,
  Mono,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  TierChip,
  Time,
  Toggle,
  useNotify,
} from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { countWords } from '../../language/plural.ts'

export function ToolPage({ name }: { name: string }) {
  const tool = useGateway(['tools', name], (client) => client.tool(name))
  return <Loaded query={tool}>{(detail) => <Tool tool={detail} />}</Loaded>
}

function Tool({ tool }: { tool: ToolDetail }) {
  const { name, use } = tool
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <TierChip tier={tool.floor} />
        <Chip>{tool.category}</Chip>
        <span>
          from <Safe text={tool.source} />, version <Safe text={tool.version} />
        </span>
      </div>
      <h2 className="mt-2 text-title">
        <Mono text={name} className="bg-transparent px-0 text-title" />
      </h2>
      <SafeBlock text={tool.description} className="mt-1 max-w-prose text-ink-2" />
      <div className="mt-4">
        <Switch tool={tool} />
      </div>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Section title="How it acts">
          <Sheet>
            <Facts
              rows={[
                ['At least', <TierChip key="floor" tier={tool.floor} />],
                ['If it is cut off', effectWords[tool.effect]],
                ['Runs', runsWords[tool.runs]],
                ['Undo', tool.undo ?? 'not possible'],
                [
                  'Rate',
                  tool.rate === null ? 'not limited' : `${tool.rate.calls} calls in ${tool.rate.seconds} s`,
                ],
              ]}
            />
          </Sheet>
        </Section>
        <Section title="Last 30 days">
          <Sheet>
            <Facts
              rows={[
                ['Calls', String(use.calls)],
                ['Failed', use.failures === 0 ? 'none' : countWords(use.failures, 'call')],
                ['Half took', use.medianMs === null ? 'not known' : `${lengthWords(use.medianMs)} or less`],
                ['Last', use.lastAt === null ? 'never' : <Time key="last" at={use.lastAt} />],
              ]}
            />
          </Sheet>
        </Section>
      </div>
      <Section title="What it takes" aside="JSON Schema">
        <Sheet>
          <Mono block text={JSON.stringify(tool.schema, null, 2)} foldAfter={2_000} />
        </Sheet>
      </Section>
      <Section title="In a terminal">
        <Commands
          rows={[
            ['See what a call would do, without doing it', `countersign tool try ${name} --args '{}'`],
            [
              tool.enabled ? 'Switch it off' : 'Switch it on',
              `countersign tool ${tool.enabled ? 'disable' : 'enable'} ${name}`,
            ],
          ]}
        />
      </Section>
    </article>
  )
}

function Switch({ tool }: { tool: ToolDetail }) {
  const notify = useNotify()
  const change = useChange((client, on: boolean) => client.switchTool(tool.name, on), [['tools']])
  return (
    <Toggle
      label={tool.enabled ? 'Agents can use it' : 'Agents cannot use it'}
      hint="What a rule says still holds."
      checked={tool.enabled}
      disabled={change.isPending}
      onChange={(on) =>
        change.mutate(on, {
          onSuccess: ({ ledger }) =>
            notify({ text: `${tool.name} is ${on ? 'on' : 'off'}. Ledger #${ledger}.` }),
          onError: (error) => notify({ text: error.message, tone: 'bad' }),
        })
      }
    />
  )
}

const effectWords = {
  pure: 'it is done again; nothing changes',
  idempotent: 'it is done again; the result is the same',
  once: 'you are asked what happened',
} as const

const runsWords = {
  executor: 'in the executor, behind its sandbox',
  house: 'inside the gateway, on its own records',
  operator: 'by asking you',
  unwrapped: 'as a program of its own',
} as const
