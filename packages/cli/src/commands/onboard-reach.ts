/**
 * Owns the step in which a message reaches the operator: a chat that is there or is added, or the app on a phone. It
 * ends with a test that arrived, or goes on without one at a key.
 */
import {
  type ChannelKindView,
  type ChannelTestOutcome,
  type ChannelView,
  CountersignError,
  channelTestOutcome,
  type Onboarding,
  PairingCode,
  testsIn,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { line } from '../output/safe-text.ts'
import { channelNamed } from './channel.ts'
import {
  again,
  askText,
  choose,
  type OnboardingParts,
  type StepResult,
  say,
  settled,
} from './onboard-asking.ts'
import { addedKinds, type ReachWish, reachChoices } from './onboard-choices.ts'
import { reachText, stepIn } from './onboard-words.ts'

const lookMs = 500
const mostLooks = 60

export async function reach(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway } = parts
  say(context, reachText(stepIn(view, 'reach')))
  const channels = await gateway.client.channels()
  const reply = await choose<ReachWish>(context, 'Where should a message reach you?', reachChoices(channels))
  if (reply.kind === 'leave') return reply
  const { value } = reply
  if (value === 'skip') return settled(await gateway.client.skipSetup('reach'))
  if (value === 'phone') return phone(parts, view)
  return value === 'add' ? add(parts, view, channels) : talk(parts, view, value.channel)
}

async function add(
  parts: OnboardingParts,
  view: Onboarding,
  channels: readonly ChannelView[],
): Promise<StepResult> {
  const { context, gateway, run } = parts
  const kinds = addedKinds(await gateway.client.channelKinds())
  const reply = await choose<ChannelKindView | 'back'>(context, 'Which one?', [
    ...kinds.map((kind) => ({ value: kind, label: line(kind.title), hint: line(kind.about) })),
    { value: 'back', label: 'Back', key: 'b' },
  ])
  if (reply.kind === 'leave') return reply
  if (reply.value === 'back') return reach(parts, view)
  const { kind } = reply.value
  const name = freeName(kind, channels)
  const stored = await attempted(parts, () => run('channel add', [name], { kind }))
  return stored === true ? talk(parts, view, name) : reach(parts, view)
}

/** Lets the operator in where nobody is yet, and sends a line to their own chat. */
async function talk(parts: OnboardingParts, view: Onboarding, name: string): Promise<StepResult> {
  const { context, gateway } = parts
  const channel = await attempted(parts, () => channelNamed(gateway.client, name))
  if (channel === undefined) return reach(parts, view)
  if (await needsCode(gateway.client, channel)) {
    const whom = channel.account === null ? `the account of ${line(name)}` : line(channel.account.name)
    say(context, `  Write anything to ${whom} from your own account. It answers with a code.`)
    const reply = await askText(context, 'Which code does it show?', 'back', codeProblem)
    if (reply.kind === 'leave') return reply
    if (reply.value === '') return reach(parts, view)
    const code = PairingCode.parse(reply.value)
    const admitted = await attempted(parts, () =>
      gateway.client.admitPeer({ code, role: 'operator', limits: {} }),
    )
    if (admitted === undefined) return talk(parts, view, name)
    say(context, `  ${line(admitted.peer.name)} may talk in ${line(admitted.peer.channel)} as you.`)
    return send(parts, view, admitted.peer.channel)
  }
  return send(parts, view, name)
}

async function send(parts: OnboardingParts, view: Onboarding, name: string): Promise<StepResult> {
  const { context, gateway } = parts
  context.working('Sending a test')
  const outcome = await attempted(parts, () => tested(parts, name).finally(context.rest))
  if (outcome === undefined) return reach(parts, view)
  if (outcome.kind === 'failed') {
    say(
      context,
      `  ${line(outcome.problem ?? 'It was not sent.')}\n  See \`countersign channel log ${line(name)}\`.`,
    )
    return reach(parts, view)
  }
  if (outcome.kind === 'waiting') say(context, '  It is still on its way.')
  const reply = await choose(context, `A test is in ${line(name)}. Did it arrive?`, [
    { value: 'yes', label: 'Yes, it arrived', key: 'y' },
    { value: 'no', label: 'No, send it again', key: 'n' },
    { value: 'back', label: 'Something else', key: 'b' },
  ] as const)
  if (reply.kind === 'leave') return reply
  if (reply.value === 'no') return send(parts, view, name)
  if (reply.value === 'back') return reach(parts, view)
  return again(
    parts,
    () => gateway.client.setUp('reach', { arrived: { kind: 'channel', name } }),
    () => reach(parts, view),
  )
}

/** The phone is let in here, and everything else is done on the page that it opened. */
async function phone(parts: OnboardingParts, view: Onboarding): Promise<StepResult> {
  const { context, gateway, run } = parts
  const paired = await attempted(parts, () => run('open', ['setup/reach'], { phone: true }))
  if (paired !== true) return reach(parts, view)
  say(
    context,
    '  On the page that the phone opened: allow notifications, send yourself a test, and say there that it arrived.',
  )
  const reply = await choose(context, 'Next?', [{ value: 'on', label: 'Continue' }])
  if (reply.kind === 'leave') return reply
  const now = await gateway.client.onboarding()
  if (stepIn(now, 'reach').state === 'done') return settled(now)
  say(context, '  The phone did not say yet that it arrived.')
  return reach(parts, now)
}

/** Sends a line and follows it until somebody knows what became of it. */
async function tested({ context, gateway }: OnboardingParts, name: string): Promise<ChannelTestOutcome> {
  const { client } = gateway
  const before = testsIn(await client.deliveries(name))
  const { chats } = await client.testChannel(name)
  if (chats === 0)
    throw new CountersignError(
      'usage',
      `Nobody was let in as you in ${line(name)}, so there is no chat to send to.`,
      {
        next: 'Choose another channel, or the app on your phone.',
      },
    )
  for (let looks = 0; ; looks += 1) {
    const outcome = channelTestOutcome(await client.deliveries(name), before)
    if (outcome.kind !== 'waiting' || looks >= mostLooks) return outcome
    await context.host.wait(lookMs)
  }
}

async function needsCode(client: Client, { name, kind }: ChannelView): Promise<boolean> {
  const [kinds, peers] = await Promise.all([client.channelKinds(), client.peers()])
  const found = kinds.find((each) => each.kind === kind)
  const isIn = peers.some(
    ({ channel, role, state }) => channel === name && state === 'paired' && role === 'operator',
  )
  return found?.bindable === true && found.direction === 'both' && !isIn
}

function codeProblem(typed: string): string | undefined {
  if (typed === '' || PairingCode.safeParse(typed).success) return undefined
  return 'Eight letters and digits, as they stand in the chat.'
}

/** As the kind is called, with a number where that is taken. */
function freeName(kind: string, channels: readonly ChannelView[]): string {
  const taken = new Set(channels.map(({ name }) => name))
  const names = [kind, ...channels.map((_, at) => `${kind}-${at + 2}`)]
  return names.find((name) => !taken.has(name)) ?? kind
}

/** What went wrong is said, and nothing is lost. */
async function attempted<T>({ context }: OnboardingParts, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code === 'gateway_unreachable') throw error
    say(context, `${line(error.message)}\n${line(error.next)}`)
    return undefined
  }
}
