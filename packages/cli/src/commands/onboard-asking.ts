/** Owns how the first run asks in a terminal: what a question comes back with, and what is asked again. */
import { CountersignError, type Onboarding } from '@countersign/contract'
import { asking } from '../asking/asking.ts'
import type { Choice } from '../asking/question.ts'
import type { Gateway } from '../connection.ts'
import type { Context, OptionValues } from '../context.ts'
import { line } from '../output/safe-text.ts'

export interface OnboardingParts {
  readonly context: Context
  readonly gateway: Gateway
  /** Runs another command of this program and says whether it went well. */
  readonly run: (name: string, args: readonly string[], options?: OptionValues) => Promise<boolean>
}

export type PromptReply<Value> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'leave'; readonly to: 'browser' | 'left' }
export type StepResult =
  | { readonly kind: 'settled'; readonly view: Onboarding }
  | { readonly kind: 'leave'; readonly to: 'browser' | 'left' }

/** What was refused is said, and asked again. */
export async function again(
  { context }: OnboardingParts,
  work: () => Promise<Onboarding>,
  retry: () => Promise<StepResult>,
  then?: () => Promise<StepResult>,
): Promise<StepResult> {
  try {
    const view = await work()
    return then ? await then() : settled(view)
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code === 'gateway_unreachable') throw error
    say(context, `${line(error.message)}\n${line(error.next)}`)
    return retry()
  }
}

export const instead =
  'Give the answers in a file: `countersign onboard --non-interactive --config onboard.yaml`.'

/** Every list ends with the browser: the same steps are there. */
export async function choose<Value>(
  context: Context,
  message: string,
  choices: readonly Choice<Value>[],
  usual?: Value,
): Promise<PromptReply<Value>> {
  const browser = { value: undefined, label: 'Continue in the browser', key: 'o' }
  const asked = await (await asking(context)).choice<Value | undefined>({
    message,
    choices: [...choices, browser],
    instead,
    ...(usual === undefined ? {} : { usual }),
  })
  if (asked.kind === 'left') return { kind: 'leave', to: 'left' }
  return asked.value === undefined ? { kind: 'leave', to: 'browser' } : { kind: 'answer', value: asked.value }
}

/** A letter alone is no name and no sum; `o` and `q` mean what they mean in a list. */
export async function askText(
  context: Context,
  message: string,
  empty: string,
  problem?: (typed: string) => string | undefined,
): Promise<PromptReply<string>> {
  const asked = await (await asking(context)).text({
    message,
    empty,
    instead,
    problem: (typed) => (/^[oq]$/.test(typed) ? undefined : problem?.(typed)),
  })
  if (asked.kind === 'left' || asked.value === 'q') return { kind: 'leave', to: 'left' }
  return asked.value === 'o' ? { kind: 'leave', to: 'browser' } : { kind: 'answer', value: asked.value }
}

export function say(context: Context, text: string): void {
  context.say(text)
}

export function settled(view: Onboarding): StepResult {
  return { kind: 'settled', view }
}
