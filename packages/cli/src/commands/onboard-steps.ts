/**
 * Owns the conversation of the first run in a terminal: one question for each step, and each answer checked at once.
 * A step that does not go through is asked again, with what was wrong; nothing that was answered before is lost.
 */
import {
  type Autonomy,
  type Onboarding,
  ProviderKind,
  type SetupAnswer,
  type SetupStepId,
} from '@countersign/contract'
import { asking } from '../asking/asking.ts'
import { hiddenLine } from '../asking/hidden-line.ts'
import { openChatTerminal } from '../chat/talk.ts'
import type { Context } from '../context.ts'
import { line } from '../output/safe-text.ts'
import {
  again,
  askText,
  choose,
  instead,
  type OnboardingParts,
  type PromptReply,
  type StepResult,
  say,
  settled,
} from './onboard-asking.ts'
import { actionChoices, levelChoices, modelChoices, recipeChoices, safetyChoices } from './onboard-choices.ts'
import { reach } from './onboard-reach.ts'
import { checkText, chosenText, heading, keepText, ranText, stepIn } from './onboard-words.ts'

/** `browser` and `left`: the operator goes on elsewhere, or later. */
export type OnboardingEnd = 'through' | 'browser' | 'left'

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
  say(context, '  Type o to create a passkey in the browser.')
  const reply = await askText(context, 'Your name? Your agents will see it.', 'skip')
  if (reply.kind === 'leave') return reply
  if (reply.value === '') return settled(await gateway.client.skipSetup('you'))
  return again(
    parts,
    () => gateway.client.setUp('you', { name: reply.value }),
    () => you(parts),
  )
}

async function model(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const step = stepIn(view, 'model')
  const reply = await choose(context, 'Which model?', modelChoices(step))
  if (reply.kind === 'leave') return reply
  const wanted = reply.value === 'key' ? await keyAnswer(context) : reply.value
  if (wanted === undefined) return model(parts, view)
  context.working('Trying the model')
  const took = await again(
    parts,
    () => gateway.client.setUp('model', wanted).finally(context.rest),
    () => model(parts, view),
  )
  if (took.kind === 'settled') say(context, chosenText(stepIn(took.view, 'model')))
  return took
}

/** Nothing where no key was given: the models are offered again. */
async function keyAnswer(context: Context): Promise<SetupAnswer<'model'> | undefined> {
  const key = (await hiddenLine(context.host.input, context.host.errors, 'Key (hidden): '))?.trim() ?? ''
  if (key === '') return undefined
  const guessed = kindOf(key)
  if (guessed !== undefined) return { choice: 'key', kind: guessed, key }
  const kinds = ProviderKind.options.filter((kind) => kind !== 'demo')
  const reply = await choose(
    context,
    'Whose key is it?',
    kinds.map((kind) => ({ value: kind, label: kind })),
  )
  if (reply.kind === 'answer') return { choice: 'key', kind: reply.value, key }
  say(context, 'The key was discarded.')
  return undefined
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
  if (step.data.fixed !== null) say(context, `  ${line(step.data.fixed)}`)
  const reply = await choose(context, 'When should it ask you?', safetyChoices(step))
  if (reply.kind === 'leave') return reply
  const level = reply.value === 'custom' ? await levelFrom(context, view) : undefined
  if (level?.kind === 'leave') return level
  const limit = await askText(
    context,
    'Cost limit in dollars a month?',
    String(step.data.monthlyUsd),
    (typed) => (typed === '' || Number.isFinite(dollars(typed)) ? undefined : 'Type a number, such as 10.'),
  )
  if (limit.kind === 'leave') return limit
  const suggested = step.data.suggestedUnattendedUsd
  const unattended = await askText(
    context,
    'How much of it for work that starts on its own: summaries, memory, automations? 0 for none.',
    String(suggested),
    (typed) => (typed === '' || Number.isFinite(dollars(typed)) ? undefined : 'Type a number, such as 1.'),
  )
  if (unattended.kind === 'leave') return unattended
  const answer = {
    choice: reply.value,
    monthlyUsd: limit.value === '' ? step.data.monthlyUsd : dollars(limit.value),
    unattendedUsd: unattended.value === '' ? suggested : dollars(unattended.value),
    ...(level === undefined ? {} : { level: level.value }),
  }
  return again(
    parts,
    () => gateway.client.setUp('safety', answer),
    () => safety(parts, view),
  )
}

const dollars = (typed: string) => Number(typed.replace(/^\$/, ''))

function levelFrom(context: Context, view: Onboarding): Promise<PromptReply<Autonomy>> {
  const step = stepIn(view, 'safety')
  return choose(context, 'Which level?', levelChoices(step), step.data.level)
}

async function action(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const { progress } = stepIn(view, 'action').data
  if (progress !== null && (progress.state === 'working' || progress.state === 'waiting'))
    return follow(parts)
  const reply = await choose(context, 'What should it try first?', actionChoices(stepIn(view, 'action')))
  if (reply.kind === 'leave') return reply
  const chosen = reply.value
  if (chosen === 'skip') return settled(await gateway.client.skipSetup('action'))
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

async function keep({ context, gateway, run }: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const step = stepIn(view, 'keep')
  say(context, keepText(step))
  const install = { value: 'install', label: 'Install the service', key: 'y' } as const
  const skip = { value: 'skip', label: step.data.manager === 'none' ? 'Continue' : 'Skip' } as const
  const reply = await choose(
    context,
    step.data.manager === 'none' ? 'Next?' : 'Should it start with this computer?',
    step.data.manager === 'none' ? [skip] : [skip, install],
  )
  if (reply.kind === 'leave') return reply
  const installed = reply.value === 'install' && (await run('service install', []))
  return settled(installed ? await gateway.client.setUp('keep', {}) : await gateway.client.skipSetup('keep'))
}

async function recipesStep(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  const step = stepIn(view, 'recipes')
  const paused = step.data.unattendedUsd === 0
  if (paused)
    say(
      context,
      '  The budget of unattended work is $0.00 a month, so none of them starts until you raise it: `countersign cost budget set unattended 1 --per day`.',
    )
  const asked = await (await asking(context)).several({
    message: 'Which ones should be added?',
    choices: recipeChoices(step),
    instead,
  })
  if (asked.kind === 'left') return { kind: 'leave', to: 'left' }
  if (asked.value.length === 0) return settled(await gateway.client.skipSetup('recipes'))
  // Without money for them they would only pile up missed times.
  const status = paused ? 'paused' : 'active'
  const answer = { recipes: asked.value.map((id) => ({ id, status }) as const) }
  if (paused)
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
