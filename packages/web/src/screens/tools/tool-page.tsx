/** One tool: what it does, what it takes, how it went, and how it is switched. */

import { addKeyCommand, type ToolDetail } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Sparkline } from '../../charts/index.tsx'
import { useChange, useGateway } from '../../environment/queries.ts'
import {
  Chip,
  Facts,
  Loaded,
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
import { words } from '../../words/tools.tsx'
import { ArgumentTable } from './argument-table.tsx'
import { TryIt } from './try-it.tsx'

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
        <span>{words.source(<Safe text={tool.source} />, <Safe text={tool.version} />)}</span>
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={name} />
      </h2>
      <SafeBlock text={tool.description} className="mt-1 max-w-prose text-ink-2" />
      <div className="mt-4">
        <Switch tool={tool} />
      </div>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Section title={words.behaviour}>
          <Sheet>
            <Facts
              rows={[
                [words.atLeast, <TierChip key="floor" tier={tool.floor} />],
                [words.interrupted, words.effects[tool.effect]],
                [words.runs, words.places[tool.runs]],
                [words.undo, tool.undo ?? words.noUndo],
                [
                  words.rate,
                  tool.rate === null ? words.noRate : words.rateOf(tool.rate.calls, tool.rate.seconds),
                ],
                ...(tool.keys ?? []).map((key): [string, ReactNode] => [
                  words.secret,
                  <Safe
                    key={key.name}
                    text={
                      key.kept
                        ? words.secretKept(key.name)
                        : words.secretMissing(key.name, addKeyCommand(key.name))
                    }
                  />,
                ]),
              ]}
            />
          </Sheet>
        </Section>
        <Lately use={use} />
      </div>
      <Section title={words.arguments}>
        <ArgumentTable tool={tool} />
      </Section>
      <TryIt tool={tool} />
    </article>
  )
}

function Lately({ use }: Pick<ToolDetail, 'use'>) {
  return (
    <Section title={words.lately}>
      <Sheet>
        <Facts
          rows={[
            [
              words.calls,
              <span key="calls" className="inline-flex items-center gap-2">
                {use.calls}
                {use.daily.length === 0 ? null : (
                  <Sparkline values={use.daily} label={words.perDay(use.daily.join(', '))} />
                )}
              </span>,
            ],
            [words.failed, use.failures === 0 ? words.noFailures : words.failures(use.failures)],
            [words.median, use.medianMs === null ? words.unknown : lengthWords(use.medianMs)],
            [words.last, use.lastAt === null ? words.never : <Time key="last" at={use.lastAt} />],
          ]}
        />
      </Sheet>
    </Section>
  )
}

function Switch({ tool }: { tool: ToolDetail }) {
  const notify = useNotify()
  const change = useChange((client, on: boolean) => client.switchTool(tool.name, on), [['tools']])
  return (
    <Toggle
      label={tool.enabled ? words.enabled : words.disabled}
      hint={words.rulesApply}
      checked={tool.enabled}
      disabled={change.isPending}
      onChange={(on) =>
        change.mutate(on, {
          onSuccess: ({ ledger }) => notify({ text: (on ? words.isOn : words.isOff)(tool.name, ledger) }),
          onError: (error) => notify({ text: error.message, tone: 'bad' }),
        })
      }
    />
  )
}
