/**
 * Owns the conversation of the first run in a terminal: one question for each step, and each answer checked at once.
 * A step that does not go through is asked again, with what was wrong; nothing that was answered before is lost.
 */
import { createInterface } from 'node:readline/promises'
import {
  Autonomy,
  CountersignError,
  FirstAction,
  type Onboarding,
  ProviderKind,
  type SetupAnswer,
  type SetupStepId,
} from '@countersign/contract'
import { openChatTerminal } from '../chat/talk.ts'
import type { Gateway } from '../connection.ts'
import type { Context } from '../context.ts'
import { line } from '../output/safe-text.ts'
import {
  actionText,
  checkText,
  chosenText,
  heading,
  keepText,
  levelText,
  modelText,
  ranText,
  reachText,
  recipesText,
  safetyText,
  stepIn,
} from './onboard-words.ts'
import { hiddenLine } from './secret-value.ts'

/** `browser` and `left`: the operator goes on elsewhere, or later. */
export type OnboardingEnd = 'through' | 'browser' | 'left'

export interface OnboardingParts {
  readonly context: Context
  readonly gateway: Gateway
  /** Runs another command of this program and says whether it went well. */
  readonly run: (name: string, args: readonly string[]) => Promise<boolean>
}

type PromptReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'leave'; readonly to: 'browser' | 'left' }
type StepResult =
  | { readonly kind: 'settled'; readonly view: Onboarding }
  | { readonly kind: 'leave'; readonly to: 'browser' | 'left' }

const lookMs = 400

export async function runOnboarding(parts: OnboardingParts): Promise<OnboardingEnd> {
  const { context, gateway } = parts
  let view = await gateway.client.onboarding()
  for (let next = view.next; next !== null; next = view.next) {
    const step = stepIn(view, next)
    context.say(heading(view, step, context).trimEnd())
    const took = await takeStep(parts, view, next)
    if (took.kind === 'leave') return took.to
    if (stepIn(took.view, next).state === 'todo') return 'left'
    view = took.view
  }
  return 'through'
}

function takeStep(parts: OnboardingParts, view: Onboarding, id: SetupStepId): Promise<StepResult> {
  switch (id) {
    case 'check':
      return check(parts, view)
    case 'you':
      return you(parts)
    case 'model':
      return model(parts, view)
    case 'safety':
      return safety(parts, view)
    case 'action':
      return action(parts, view)
    case 'reach':
      return reach(parts, view)
    case 'keep':
      return keep(parts, view)
    case 'recipes':
      return recipesStep(parts, view)
  }
}

async function check({ context, gateway }: OnboardingParts, view: Onboarding): Promise<StepResult> {
  say(context, checkText(stepIn(view, 'check'), context))
  return settled(await gateway.client.setUp('check', {}))
}

async function you(parts: OnboardingParts): Promise<StepResult> {
  const { context, gateway } = parts
  say(context, '  Create a passkey in the browser: o opens it.')
  const reply = await ask(context, 'What should it call you? Enter skips: ')
  if (reply.kind === 'leave') return reply
  if (reply.text === '') return settled(await gateway.client.skipSetup('you'))
  return again(
    parts,
    () => gateway.client.setUp('you', { name: reply.text }),
    () => you(parts),
  )
}

async function model(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const step = stepIn(view, 'model')
  say(context, modelText(step))
  const usual = step.data.detected.length > 0 ? '1' : step.data.current === null ? 'd' : 'c'
  const reply = await ask(context, `Which? Enter takes ${usual}: `)
  if (reply.kind === 'leave') return reply
  const wanted = await modelAnswer(context, step.data.detected, reply.text === '' ? usual : reply.text)
  if (wanted === undefined) return model(parts, view)
  context.note('Trying it…')
  const took = await again(
    parts,
    () => gateway.client.setUp('model', wanted),
    () => model(parts, view),
  )
  if (took.kind === 'settled') say(context, chosenText(stepIn(took.view, 'model')))
  return took
}

async function modelAnswer(
  context: Context,
  detected: readonly { readonly name: string }[],
  typed: string,
): Promise<SetupAnswer<'model'> | undefined> {
  const found = /^\d+$/.test(typed) ? detected[Number(typed) - 1] : undefined
  if (found) return { choice: 'detected', name: found.name }
  if (typed === 'd') return { choice: 'demo' }
  if (typed === 'c') return { choice: 'current' }
  if (typed !== 'k') {
    say(context, `${line(typed)} is not one of the options.`)
    return undefined
  }
  const key = (await hiddenLine(context.host.input, context.host.errors, 'Key (hidden): '))?.trim() ?? ''
  if (key === '') return undefined
  const guessed = kindOf(key)
  if (guessed !== undefined) return { choice: 'key', kind: guessed, key }
  const reply = await ask(
    context,
    `Whose key is it? ${ProviderKind.options.filter((kind) => kind !== 'demo').join(', ')}: `,
  )
  const kind = reply.kind === 'text' ? ProviderKind.safeParse(reply.text) : undefined
  if (!kind?.success) {
    say(context, 'That is not one of the options. The key was discarded.')
    return undefined
  }
  return { choice: 'key', kind: kind.data, key }
}

/** By how its keys begin; nothing where that is not plain. */
export function kindOf(key: string): ProviderKind | undefined {
  const beginnings: readonly (readonly [string, ProviderKind])[] = [
    ['sk-ant-', 'anthropic'],
    ['sk-or-', 'openrouter'],
    ['sk-proj-', 'openai'],
    ['AIza', 'google'],
    ['gsk_', 'groq'],
    ['xai-', 'xai'],
    ['pplx-', 'perplexity'],
    ['fw_', 'fireworks'],
  ]
  return beginnings.find(([beginning]) => key.startsWith(beginning))?.[1]
}

async function safety(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const step = stepIn(view, 'safety')
  say(context, safetyText(step))
  const reply = await ask(context, 'Which? Enter takes 1: ')
  if (reply.kind === 'leave') return reply
  const card = step.data.cards[Number(reply.text === '' ? 1 : reply.text) - 1]
  if (card === undefined) {
    say(context, `${line(reply.text)} is not one of the options.`)
    return safety(parts, view)
  }
  const level = card.choice === 'custom' ? await levelFrom(context, view) : undefined
  if (level !== undefined && typeof level !== 'string') return level
  const limit = await ask(context, `Cost limit in dollars a month? Enter takes ${step.data.monthlyUsd}: `)
  if (limit.kind === 'leave') return limit
  const monthlyUsd = limit.text === '' ? step.data.monthlyUsd : Number(limit.text.replace(/^\$/, ''))
  const answer = { choice: card.choice, monthlyUsd, ...(level === undefined ? {} : { level }) }
  return again(
    parts,
    () => gateway.client.setUp('safety', answer),
    () => safety(parts, view),
  )
}

async function levelFrom(
  context: Context,
  view: Onboarding,
): Promise<Autonomy | Extract<PromptReply, { kind: 'leave' }>> {
  say(context, levelText(stepIn(view, 'safety')))
  const reply = await ask(context, `Which level? Enter takes ${stepIn(view, 'safety').data.level}: `)
  if (reply.kind === 'leave') return reply
  const level = Autonomy.safeParse(reply.text === '' ? stepIn(view, 'safety').data.level : reply.text)
  if (level.success) return level.data
  say(context, `${line(reply.text)} is not one of the options.`)
  return levelFrom(context, view)
}

async function action(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const { progress } = stepIn(view, 'action').data
  if (progress !== null && (progress.state === 'working' || progress.state === 'waiting'))
    return follow(parts)
  say(context, actionText(stepIn(view, 'action'), context))
  const reply = await ask(context, 'Which? Enter takes 1, s skips: ')
  if (reply.kind === 'leave') return reply
  if (reply.text === 's') return settled(await gateway.client.skipSetup('action'))
  const chosen = FirstAction.options[Number(reply.text === '' ? 1 : reply.text) - 1]
  if (chosen === undefined) {
    say(context, `${line(reply.text)} is not one of the options.`)
    return action(parts, view)
  }
  return again(
    parts,
    async () => {
      await gateway.client.setUp('action', { action: chosen })
      return gateway.client.onboarding()
    },
    () => action(parts, view),
    () => follow(parts),
  )
}

/** The conversation itself, with the card in it, until the first approved call has run. */
async function follow(parts: OnboardingParts): Promise<StepResult> {
  const { context, gateway } = parts
  const { progress } = stepIn(await gateway.client.onboarding(), 'action').data
  if (progress === null) return action(parts, await gateway.client.onboarding())
  say(context, '  A card shows what would run, why you are asked, what it affects and how you can answer.')
  const talk = await openChatTerminal({
    context,
    gateway,
    session: progress.session,
    letters: true,
    prompts: 'when-asked',
  })
  let view = await gateway.client.onboarding()
  try {
    let left = false
    const leaving = talk.converse().then(() => {
      left = true
    })
    while (!left && isUnderWay(view)) {
      await Promise.race([context.host.wait(lookMs), leaving])
      view = await gateway.client.onboarding()
    }
    if (left) return { kind: 'leave', to: 'left' }
    // The reply after the call is part of it; it is shown before the next step.
    if (stepIn(view, 'action').state === 'done' && progress.run !== null) await ended(parts, progress.run)
  } finally {
    talk.close()
  }
  say(context, `\n${ranText(stepIn(view, 'action'))}`)
  return stepIn(view, 'action').state === 'done' ? settled(view) : action(parts, view)
}

function isUnderWay(view: Onboarding): boolean {
  const { state, data } = stepIn(view, 'action')
  return state !== 'done' && (data.progress?.state === 'working' || data.progress?.state === 'waiting')
}

async function ended({ context, gateway }: OnboardingParts, run: string): Promise<void> {
  for (let looks = 0; looks < 50; looks += 1) {
    const { state } = (await gateway.client.run(run)).run
    if (state !== 'running') return
    await context.host.wait(lookMs)
  }
}

async function reach({ context, gateway }: OnboardingParts, view: Onboarding): Promise<StepResult> {
  say(context, reachText(stepIn(view, 'reach')))
  const reply = await ask(context, 'Enter continues, o opens the browser: ')
  return reply.kind === 'leave' ? reply : settled(await gateway.client.skipSetup('reach'))
}

async function keep({ context, gateway, run }: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const step = stepIn(view, 'keep')
  say(context, keepText(step))
  if (step.data.manager === 'none') {
    const reply = await ask(context, 'Enter goes on: ')
    return reply.kind === 'leave' ? reply : settled(await gateway.client.skipSetup('keep'))
  }
  const reply = await ask(context, 'Install the service? Type y, or anything else to skip: ')
  if (reply.kind === 'leave') return reply
  const installed = reply.text.toLowerCase() === 'y' && (await run('service install', []))
  return settled(installed ? await gateway.client.setUp('keep', {}) : await gateway.client.skipSetup('keep'))
}

async function recipesStep(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const { recipes, unattendedUsd } = stepIn(view, 'recipes').data
  say(context, recipesText(stepIn(view, 'recipes')))
  const reply = await ask(context, 'Which ones to add, for example 1 3? Enter takes none: ')
  if (reply.kind === 'leave') return reply
  if (reply.text === '') return settled(await gateway.client.skipSetup('recipes'))
  const wanted = reply.text.split(/[\s,]+/).map((each) => recipes[Number(each) - 1]?.id)
  if (wanted.some((id) => id === undefined)) {
    say(context, `${line(reply.text)}: not all of these are numbers from the list.`)
    return recipesStep(parts, view)
  }
  // Without money for them they would only pile up missed times.
  const status = unattendedUsd === 0 ? 'paused' : 'active'
  const answer = { recipes: wanted.flatMap((id) => (id === undefined ? [] : [{ id, status } as const])) }
  if (status === 'paused')
    say(
      context,
      '  They are added, but paused. `countersign cost budget set unattended 1` allows a dollar a month.',
    )
  return again(
    parts,
    () => gateway.client.setUp('recipes', answer),
    () => recipesStep(parts, view),
  )
}

/** What was refused is said, and asked again. */
async function again(
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

/** `o` and `q` mean the same at every question; the end of the input is leaving. */
async function ask(context: Context, question: string): Promise<PromptReply> {
  const reader = createInterface({ input: context.host.input, output: context.host.output })
  try {
    const ended = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
    const typed = (await Promise.race([reader.question(question), ended]))?.trim()
    if (typed === undefined || typed === 'q') return { kind: 'leave', to: 'left' }
    return typed === 'o' ? { kind: 'leave', to: 'browser' } : { kind: 'text', text: typed }
  } finally {
    reader.close()
  }
}

function say(context: Context, text: string): void {
  context.say(text)
}

function settled(view: Onboarding): StepResult {
  return { kind: 'settled', view }
}
