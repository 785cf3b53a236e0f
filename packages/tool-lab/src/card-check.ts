/** Asks for the headline, the preview and the effects of many calls: never a failure, always the same answer, and soon. */
import {
  canonicalText,
  Effect,
  type JsonObject,
  type JsonValue,
  Preview,
  Resource,
} from '@countersign/contract'
import { z } from 'zod'
import { type Check, type Findings, firstLineOf, openCheck } from './check.ts'
import { atAnotherTime } from './other-time.ts'
import type { ToolUnderTest } from './tool-under-test.ts'

export interface CardPlan {
  readonly subject: ToolUnderTest
  readonly taken: readonly JsonObject[]
  readonly step: (done: number) => Promise<void>
}

const slowMs = 200
const slowInspectMs = 3_000

const Headline = z.string().trim().min(1, 'it is empty')
const EffectsShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), resources: z.array(Resource), effects: z.array(Effect) }),
  z.object({ kind: z.literal('invalid'), reason: z.string().min(1) }),
  z.object({ kind: z.literal('unavailable'), reason: z.string().min(1), fix: z.string().min(1) }),
])

export async function checkCards({ subject, taken, step }: CardPlan): Promise<Check> {
  const findings = openCheck('cards')
  const { facts } = subject
  if (taken.length === 0) return findings.skip('no arguments were taken, so there was nothing to show')
  const tally = { found: 0, slowest: 0 }
  for (const [place, args] of taken.entries()) {
    const asked: readonly (readonly [string, z.ZodType, () => unknown])[] = [
      ['describe', Headline, () => facts.describe(args)],
      ['preview', Preview, () => facts.preview(args)],
      ...(facts.question
        ? [['question', z.object({ text: z.string() }), () => facts.question?.(args)] as const]
        : []),
      ...(facts.unwrap
        ? [['unwrap', z.object({ kind: z.enum(['one', 'many']) }), () => facts.unwrap?.(args)] as const]
        : []),
    ]
    for (const [name, shape, ask] of asked)
      tally.slowest = Math.max(
        tally.slowest,
        askTwice(name, shape, () => subject.ambient.inTool(ask), args, findings),
      )
    if (await lookTwice(subject, args, findings)) tally.found += 1
    await step(place + 1)
  }
  const effects = 'effects' in subject.definition
  const summary = `${taken.length} calls shown, ${effects ? `${tally.found} with effects found, ` : ''}slowest text ${tally.slowest.toFixed(1)} ms`
  return findings.end(summary)
}

function askTwice(
  name: string,
  shape: z.ZodType,
  ask: () => unknown,
  args: JsonObject,
  findings: Findings,
): number {
  try {
    const began = process.threadCpuUsage()
    const first = ask()
    const between = process.threadCpuUsage(began)
    const second = atAnotherTime(ask)
    const both = process.threadCpuUsage(began)
    // Of the work alone: how busy the machine is says nothing about the tool.
    const ms = Math.min(millisecondsOf(between), millisecondsOf(both) - millisecondsOf(between))
    const misshapen = shape.safeParse(first).error?.issues[0]
    if (misshapen)
      findings.problem(
        `gives a \`${name}\` of another shape: ${misshapen.path.join('.')} ${misshapen.message}`.replace(
          ':  ',
          ': ',
        ),
        'See docs/tool-authors/writing-a-tool.md for what it may be.',
        args,
      )
    else if (canonicalText(first as JsonValue) !== canonicalText(second as JsonValue))
      findings.problem(
        `gives another \`${name}\` for the same arguments`,
        'Make it from the arguments alone: no clock, no chance, no state.',
        args,
      )
    if (ms > slowMs)
      findings.problem(
        `took long for \`${name}\`: ${Math.round(ms)} ms`,
        `Stay below ${slowMs} ms: a person waits for it.`,
        args,
      )
    return ms
  } catch (error) {
    findings.problem(
      `threw in \`${name}\`: ${firstLineOf(error)}`,
      'It must have an answer for everything that `input` takes.',
      args,
    )
    return 0
  }
}

function millisecondsOf({ user, system }: { user: number; system: number }): number {
  return (user + system) / 1_000
}

async function lookTwice(subject: ToolUnderTest, args: JsonObject, findings: Findings): Promise<boolean> {
  if (!('effects' in subject.definition)) return false
  try {
    const began = performance.now()
    const first = await subject.effects(args)
    const between = performance.now()
    const second = await subject.effects(args)
    const ms = Math.min(between - began, performance.now() - between)
    const misshapen = EffectsShape.safeParse(first).error?.issues[0]
    if (misshapen)
      findings.problem(
        `gives \`effects\` of another shape: ${misshapen.path.join('.')} ${misshapen.message}`,
        'See docs/tool-authors/writing-a-tool.md for what it may be.',
        args,
      )
    else if (JSON.stringify(first) !== JSON.stringify(second))
      findings.problem(
        'gives other `effects` for the same arguments in the same world',
        'The executor looks again before it acts and refuses when the answer differs.',
        args,
      )
    if (ms > slowInspectMs)
      findings.problem(
        `took long for \`effects\`: ${Math.round(ms)} ms`,
        `Stay below ${slowInspectMs} ms.`,
        args,
      )
    return first.kind === 'found'
  } catch (error) {
    findings.problem(
      `threw in \`effects\`: ${firstLineOf(error)}`,
      'Give `{ kind: "invalid", reason }` for what cannot be done.',
      args,
    )
    return false
  }
}
