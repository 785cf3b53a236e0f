/** `countersign node pair`, `run` and the rest that is said on the node's own computer. */
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { NodeCapability } from '@countersign/contract'
import { foldersOverlap } from '@countersign/contract/node'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import { askNode } from '../node-program.ts'
import { type CommandAnswer, done, ended, failed } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { version } from '../version.ts'
import { capabilityLines, type NodeStatusData, statusText } from './node-here-words.ts'

type NodeAsk = Readonly<Record<string, unknown>> & { readonly do: string }

export const pair: Handler = async (context, [address = ''], options) => {
  const { environment } = context.host
  const name = text(options['name']) ?? hostname().split('.')[0]?.slice(0, 60) ?? 'node'
  const shared = resolve(text(options['folder']) ?? join(environment.userHome, 'Countersign'))
  const { data, config, state } = await context.paths()
  // On the computer of the gateway its keys are there, and those of its own device.
  if ([data, dirname(config), state].some((folder) => foldersOverlap(folder, shared)))
    return usage(
      `${line(shared)} holds what Countersign keeps for itself. Share another folder with --folder.`,
      'node pair',
    )
  const invitation = text(options['invitation'])
  const ask = { do: 'pair', address, name, shared, ...(invitation === undefined ? {} : { invitation }) }
  return asked(context, ask, (data) => ({
    data,
    text: [
      `This computer is now ${line(String(data['name']))}. It shares ${line(String(data['shared']))} and nothing else of its files.`,
      '',
      'Next',
      '  countersign node run      # connect now',
      '  countersign node install  # connect whenever you are logged in',
      '  countersign node caps     # see and change what may be done here',
    ].join('\n'),
  }))
}

export const run: Handler = async (context) => {
  const answer = await asked(context, { do: 'run' }, (data) => ({ data, text: 'Stopped.' }))
  return answer.kind === 'done' && !context.flags.json ? ended(0) : answer
}

export const status: Handler = async (context) =>
  asked(context, { do: 'status' }, (data) => ({
    data,
    text:
      data['paired'] === true
        ? statusText(data as unknown as NodeStatusData, context)
        : 'This computer is no node. Pair it with `countersign node pair <address>`.',
  }))

export const caps: Handler = async (context, _args, options) => {
  const on = wordsIn(options['on'])
  const off = wordsIn(options['off'])
  const strange = [...on, ...off].find((word) => !NodeCapability.safeParse(word).success)
  if (strange !== undefined)
    return usage(
      `There is no ${line(strange)}. There are: ${NodeCapability.options.join(', ')}.`,
      'node caps',
    )
  const tier = text(options['maxTier'])
  if (tier !== undefined && !/^[0-4]$/.test(tier))
    return usage('--max-tier is a number from 0 to 4.', 'node caps')
  const maxTier = tier === undefined ? {} : { maxTier: Number(tier) }
  const changed = await asked(context, { do: 'caps', on, off, ...maxTier }, (data) => ({ data, text: '' }))
  if (changed.kind !== 'done') return changed
  return asked(context, { do: 'status' }, (data) => ({
    data: { ...changed.data, capabilities: data['capabilities'] ?? [] },
    text: capabilityLines(data as unknown as NodeStatusData),
  }))
}

export const pause: Handler = (context) =>
  asked(context, { do: 'pause' }, (data) => ({
    data,
    text: 'Paused. Nothing runs here until `countersign node resume`.',
  }))

export const resume: Handler = (context) =>
  asked(context, { do: 'resume' }, (data) => ({ data, text: 'Resumed.' }))

export const forget: Handler = async (context) => {
  const refusal = await unconfirmed(context, {
    plan: 'Forgets the pairing, the key and the trash of this node. Files in the shared folder stay.',
    word: 'forget',
    command: 'node forget',
  })
  if (refusal) return refusal
  return asked(context, { do: 'forget' }, (data) => ({
    data,
    text:
      data['forgotten'] === true
        ? 'Forgotten. Revoke it on the host too: `countersign node revoke <name>`.'
        : 'This computer was no node. Nothing was removed.',
  }))
}

export const forgetDevice: Handler = async (context, [ref = '']) => {
  const known = await asked(context, { do: 'status' }, (data) => ({ data, text: '' }))
  if (known.kind !== 'done') return known
  const devices = (known.data as unknown as NodeStatusData).devices ?? []
  const found = devices.filter(({ id, name }) => id === ref || name === ref || id.startsWith(ref))
  const [device, ...more] = found
  if (!device || more.length > 0)
    return usage(
      devices.length === 0
        ? 'This node knows no device.'
        : `Name one of ${devices.map(({ id, name }) => `${line(name)} (${id})`).join(', ')}.`,
      'node forget-device',
    )
  const others = devices.filter(({ id }) => id !== device.id).map(({ name }) => line(name))
  const refusal = await unconfirmed(context, {
    plan: [
      `Believes nothing any more that ${line(device.name)} signs, and no passkey, since nobody can say on which device one is.`,
      'Only pairing anew undoes it.',
      ...(others.length === 0
        ? []
        : [`It goes on believing ${others.join(', ')}. Forget those too that you did not let in yourself.`]),
    ].join('\n'),
    word: 'forget',
    command: 'node forget-device',
  })
  if (refusal) return refusal
  return asked(context, { do: 'forget-device', device: device.id }, (data) => ({
    data,
    text: `Forgotten: ${line(device.name)}. What it signs counts here no more.`,
  }))
}

async function unconfirmed(
  context: Context,
  { plan, word, command }: { readonly plan: string; readonly word: string; readonly command: string },
): Promise<CommandAnswer | undefined> {
  const consent = await consentTo(context, { plan, question: `Type ${word} to confirm`, word })
  if (consent === 'given') return undefined
  if (consent === 'withheld') return done({ forgotten: false }, 'Nothing was changed.')
  return usage('This needs a confirmation in a terminal. Add --yes to skip it.', command)
}

function wordsIn(value: unknown): string[] {
  return (text(value) ?? '').split(/[\0,]/).filter((word) => word !== '')
}

/** Asks the node program, and shows what it says on the way. */
async function asked(
  context: Context,
  ask: NodeAsk,
  told: (data: Readonly<Record<string, unknown>>) => {
    readonly data: Readonly<Record<string, unknown>>
    readonly text: string
  },
): Promise<CommandAnswer> {
  const { host } = context
  const { data: folder } = await context.paths()
  const command = {
    folder: join(folder, 'node'),
    platform: host.platform,
    version,
    environment: host.environment.desktop,
    ask,
  }
  let answer: CommandAnswer | undefined
  const exit = await (host.askNode ?? askNode)(command, (said) => {
    if (said.type === 'words') showWords(context, said)
    if (said.type === 'log') context.note(line(String(said['text'])))
    if (said.type === 'done') {
      const { data, text: words } = told(said['data'] as Readonly<Record<string, unknown>>)
      answer = done(data, words)
    }
    if (said.type === 'failed')
      answer = failed({
        type: String(said['code']),
        message: line(String(said['message'])),
        next: line(String(said['next'])),
        exit: 1,
      })
  })
  if (answer?.kind === 'failed') return failed({ ...answer.failure, exit })
  return (
    answer ??
    failed({
      type: 'internal',
      message: 'The node program ended without an answer.',
      next: 'Run the command again with --verbose.',
      exit: exit === 0 ? 1 : exit,
    })
  )
}

function showWords(context: Context, said: Readonly<Record<string, unknown>>): void {
  const words = Array.isArray(said['words']) ? said['words'].map((word) => line(String(word))) : []
  context.note(
    [
      '',
      `  ${words.join(' ')}`,
      '',
      'The host must show the same six words. There, run `countersign node approve` and compare them.',
      `They are good for ten minutes. If they differ, somebody stands between: refuse there, and end this with Ctrl-C.`,
    ].join('\n'),
  )
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
